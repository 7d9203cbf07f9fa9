"""The part of a page that may be shown where the whole page may not (copyright)."""

import io
from functools import partial

from PIL import Image

from citations.bildlager import cached
from citations.models import Dokument, Seite
from citations.pictures import DRAWING, page_image

from .blatt import Kasten, points


def cutout_image(dokument: Dokument, seite: Seite, kasten: Kasten) -> bytes:
    """The box of the page as WebP: nothing else of the page leaves the server.

    Raises one of NO_PICTURE as `page_image` does.
    """
    edges = (kasten.x0, kasten.y0, kasten.x1, kasten.y1)
    name = "-".join(map(points, edges))
    name = f"{dokument.sha256}-{seite.index}-{name}-{DRAWING}.webp"
    return cached(name, partial(_cut, dokument, seite, edges))


def _cut(dokument: Dokument, seite: Seite, edges: tuple[float, ...]) -> bytes:
    with Image.open(io.BytesIO(page_image(dokument, seite.index))) as image:
        scale = image.width / seite.breite
        x0, y0, x1, y1 = (round(edge * scale) for edge in edges)
        part = image.crop((x0, y0, x1, y1))
    output = io.BytesIO()
    part.save(output, "WEBP", lossless=True, method=3)
    return output.getvalue()
