"""Takes out of a copied page what is not its look: actions, files, descriptions of the original.

Annotations and the catalog stay behind when a page is drawn into a new file; what hangs on the
page's pictures, forms and property lists comes along.
"""

from typing import Any

import pymupdf
from pymupdf import mupdf

FORBIDDEN = {
    # what viewers run or open
    *("AA", "OpenAction", "JS", "JavaScript", "XFA", "Ref", "OPI", "Alternates"),
    # what is attached, and what is said of the original
    *("AF", "EmbeddedFiles", "Metadata", "PieceInfo", "LastModified"),
}
# In these dictionaries a key is a name that the file's author chose, and means nothing.
CHOSEN_NAMES = {
    *("Font", "XObject", "ExtGState", "ColorSpace", "Pattern", "Shading", "Properties"),
    "CharProcs",
}
# ISO 32000-1, table 198, and two of later supplements.
ACTIONS = {
    *("GoTo", "GoToR", "GoToE", "Launch", "Thread", "URI", "Sound", "Movie", "Hide", "Named"),
    *("SubmitForm", "ResetForm", "ImportData", "JavaScript", "SetOCGState", "Rendition"),
    *("Trans", "GoTo3DView", "RichMediaExecute"),
}
THINGS = {"Action", "Annot", "Filespec", "EmbeddedFile", "Metadata"}


def strip(document: pymupdf.Document, xref: int) -> None:
    """Leaves of object `xref`, and of what it refers to, what shows.

    Saving with garbage collection drops what nothing refers to any more.
    """
    pdf = mupdf.pdf_document_from_fz_document(document)
    waiting = [(mupdf.pdf_new_indirect(pdf, xref, 0), False)]
    seen: set[tuple[int, bool]] = set()
    while waiting:
        value, chosen_names = waiting.pop()
        if mupdf.pdf_is_indirect(value):
            place = (mupdf.pdf_to_num(value), chosen_names)
            if place in seen:
                continue
            seen.add(place)
        if mupdf.pdf_is_array(value):
            items = [mupdf.pdf_array_get(value, n) for n in range(mupdf.pdf_array_len(value))]
            waiting += [(item, False) for item in items]
        elif mupdf.pdf_is_dict(value):
            waiting += _strip(value, chosen_names=chosen_names)


def _strip(entries: Any, *, chosen_names: bool) -> list[tuple[Any, bool]]:
    """The values that stay, each with whether its keys are chosen names."""
    kept = []
    for key in _keys(entries):
        value = mupdf.pdf_dict_gets(entries, key)
        if _is_to_go(value) or (key in FORBIDDEN and not chosen_names):
            mupdf.pdf_dict_dels(entries, key)
        elif key != "Parent":
            kept.append((value, key in CHOSEN_NAMES and not chosen_names))
    return kept


def _keys(entries: Any) -> list[str]:
    numbers = range(mupdf.pdf_dict_len(entries))
    return [mupdf.pdf_to_name(mupdf.pdf_dict_get_key(entries, n)) for n in numbers]


def _is_to_go(value: Any) -> bool:
    """Whether the value is an action, a file or a description, whatever its key says."""
    if not mupdf.pdf_is_dict(value):
        return False
    kind, action = (mupdf.pdf_to_name(mupdf.pdf_dict_gets(value, key)) for key in ("Type", "S"))
    return kind in THINGS or action in ACTIONS
