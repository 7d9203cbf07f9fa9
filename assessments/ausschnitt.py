"""The part of a page that may be shown where the whole page may not (copyright)."""

import io

from PIL import Image

from citations.models import Dokument, Seite
from citations.pictures import page_image

from .blatt import Kasten


def cutout_image(dokument: Dokument, seite: Seite, kasten: Kasten) -> bytes:
    """The box of the page as WebP: nothing else of the page leaves the server.

    Raises one of NO_PICTURE as `page_image` does.
    """
    with Image.open(io.BytesIO(page_image(dokument, seite.index))) as image:
        scale = image.width / seite.breite
        part = image.crop(
            (
                round(kasten.x0 * scale),
                round(kasten.y0 * scale),
                round(kasten.x1 * scale),
                round(kasten.y1 * scale),
            )
        )
    output = io.BytesIO()
    part.save(output, "WEBP", lossless=True, method=3)
    return output.getvalue()
