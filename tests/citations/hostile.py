"""Hostile and odd PDF files, written object by object."""

import io
import zipfile
import zlib

import pymupdf

SENTENCE = "Das Land baut tausend neue Wohnungen im Jahr."
FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
SHOWN = b"BT /F1 12 Tf 40 100 Td (" + SENTENCE.encode() + b") Tj ET"
# Bytes that a bomb unpacks to; packed it has a thousandth of them.
BOMB = 1 << 30


def raw_pdf(objects: dict[int, bytes], *, trailer: bytes = b"") -> bytes:
    """The objects, a table of their places and a trailer; number 1 is the catalog."""
    out = bytearray(b"%PDF-1.7\n")
    places = {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, place in places.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, place)
    out += b"trailer\n<< /Root 1 0 R /Size %d %s >>\n" % (max(objects) + 1, trailer)
    return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def bomb(size: int = BOMB, *, unit: bytes = b"\0", entries: bytes = b"") -> bytes:
    """A stream of `size` bytes, `unit` over and over, packed once and repeated."""
    packer = zlib.compressobj(9, wbits=-15)
    block = unit * ((1 << 20) // len(unit))
    packed = packer.compress(block) + packer.flush(zlib.Z_FULL_FLUSH)
    data = b"\x78\x9c" + packed * (size >> 20) + b"\x03\0" + b"\0" * 4
    return stream(data, b"/Filter /FlateDecode " + entries)


def page_pdf(
    content: bytes = stream(SHOWN),
    *,
    page: bytes = b"/MediaBox [0 0 420 595]",
    resources: bytes = b"",
    objects: dict[int, bytes] | None = None,
    catalog: bytes = b"",
    font: bytes = FONT,
    trailer: bytes = b"",
) -> bytes:
    """One page that says SENTENCE, with whatever else is given; own objects count from 10."""
    return raw_pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R %s >>" % catalog,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /Contents 4 0 R %s "
            b"/Resources << /Font << /F1 5 0 R >> %s >> >>" % (page, resources),
            4: content,
            5: font,
            **(objects or {}),
        },
        trailer=trailer,
    )


def with_box(box: bytes, more: bytes = b"") -> bytes:
    return page_pdf(page=b"/MediaBox [%s] %s" % (box, more))


# --- What a viewer could run, open or send --------------------------------------------------------

ACTIONS = {
    "Launch": b"<< /S /Launch /F (/bin/GEHEIM) >>",
    "URI": b"<< /S /URI /URI (https://example.org/GEHEIM) >>",
    "GoToR": b"<< /S /GoToR /F (GEHEIM.pdf) /D [0 /Fit] >>",
    "SubmitForm": b"<< /S /SubmitForm /F << /FS /URL /F (https://example.org/GEHEIM) >> >>",
    "ImportData": b"<< /S /ImportData /F (GEHEIM.fdf) >>",
    "JavaScript": b"<< /S /JavaScript /JS (app.alert('GEHEIM')) >>",
}
METADATA = stream(b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>GEHEIM</x:xmpmeta>", b"/Type /Metadata")


def _annots() -> bytes:
    links = [
        b"<< /Type /Annot /Subtype /Link /Rect [0 0 400 500] /A %s >>" % action
        for action in ACTIONS.values()
    ]
    return b" ".join(
        [
            *links,
            b"<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS 12 0 R >>",
            b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (x) /Rect [0 0 9 9] /AA << /F %s >> >>"
            % ACTIONS["JavaScript"],
        ]
    )


def armed_pdf() -> bytes:
    """One readable page with everything that must be neither run nor passed on."""
    script = ACTIONS["JavaScript"]
    hung = b"/Metadata 10 0 R /PieceInfo << /X << /Private (GEHEIM) >> >> /AF [12 0 R] "
    form = hung + b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Ref << /F 12 0 R /Page 0 >> "
    image = hung + b"/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 "
    return page_pdf(
        stream(SHOWN + b" /O /P BDC /X Do EMC q 9 0 0 9 0 0 cm /I Do Q"),
        page=b"/MediaBox [0 0 420 595] /AA << /O %s /C %s >> /Annots [%s] %s"
        % (script, ACTIONS["Launch"], _annots(), hung),
        resources=b"/XObject << /X 13 0 R /I 14 0 R >> "
        b"/Properties << /P << /Metadata 10 0 R /Hidden %s >> >>" % ACTIONS["Launch"],
        catalog=b"/OpenAction %s /AA << /WC %s >> /Metadata 10 0 R /URI << /Base (GEHEIM) >> "
        b"/Names << /JavaScript << /Names [(a) %s] >> /EmbeddedFiles << /Names [(b) 12 0 R] >> >> "
        b"/AcroForm << /Fields [] /XFA [(c) 15 0 R] >> /AF [12 0 R]" % (script, script, script),
        objects={
            10: METADATA,
            11: stream(b"GEHEIM", b"/Type /EmbeddedFile"),
            12: b"<< /Type /Filespec /F (GEHEIM.exe) /EF << /F 11 0 R >> >>",
            13: stream(b"0 0 5 5 re f", form + b"/Foo %s " % ACTIONS["Launch"]),
            14: stream(b"\0\0\0", image + b"/ColorSpace /DeviceRGB"),
            15: stream(b"<xdp>GEHEIM</xdp>"),
            16: b"<< /Title (GEHEIM) /Author (GEHEIM) /Producer (GEHEIM) >>",
        },
        trailer=b"/Info 16 0 R",
    )


# --- Page trees and tables ------------------------------------------------------------------------

CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"


def many_pages(number: int, *, count: int | None = None) -> bytes:
    """Empty pages; `count` is what the tree says of their number."""
    kids = b" ".join(b"%d 0 R" % (3 + n) for n in range(number))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 420 595] >>"
    tree = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (number if count is None else count, kids)
    return raw_pdf({1: CATALOG, 2: tree, **{3 + n: page for n in range(number)}})


def tree_in_circles() -> bytes:
    return raw_pdf(
        {
            1: CATALOG,
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>",
        }
    )


def parent_in_circles() -> bytes:
    return page_pdf().replace(b"/Kids [3 0 R] /Count 1", b"/Kids [3 0 R] /Count 1 /Parent 2 0 R")


def tables_in_circles() -> bytes:
    """The only table says that it comes before itself."""
    place = page_pdf(trailer=b"/Prev 0000000000").rindex(b"xref\n0 1")
    return page_pdf(trailer=b"/Prev %010d" % place)


def object_stream_bomb() -> bytes:
    """All objects are said to be in one packed stream, which unpacks to a gigabyte."""
    out = bytearray(page_pdf().partition(b"xref\n0 1")[0])
    packed_at = len(out)
    entries = b"/Type /ObjStm /N 100000000 /First 900000000"
    out += b"9 0 obj\n%s\nendobj\n" % bomb(unit=b"1 2 ", entries=entries)
    rows = [b"\0\0\0\0\0\0\0"]
    rows += [b"\2\0\0\0\x09\0" + bytes([number]) for number in range(1, 6)]
    rows += [b"\0" * 7] * 3 + [b"\1" + packed_at.to_bytes(4, "big") + b"\0\0"]
    table = stream(b"".join(rows), b"/Type /XRef /W [1 4 2] /Size 10 /Root 1 0 R")
    table_at = len(out)
    return bytes(out + b"10 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, table_at))


def table_bomb() -> bytes:
    """The table itself is a packed stream that unpacks to a gigabyte."""
    out = page_pdf().partition(b"xref\n0 1")[0]
    table = bomb(entries=b"/Type /XRef /W [1 4 2] /Size 150000000 /Root 1 0 R")
    return out + b"9 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (table, len(out))


# --- Bombs ----------------------------------------------------------------------------------------


def with_object(
    use: bytes, kind: bytes, body: bytes, *, objects: dict[int, bytes] | None = None
) -> bytes:
    """A page that uses object 10 as its resource `/X` of that kind."""
    resources = b"/%s << /X 10 0 R >>" % kind
    objects = {10: body, **(objects or {})}
    return page_pdf(stream(SHOWN + b" " + use), resources=resources, objects=objects)


def image_bomb() -> bytes:
    entries = b"/Type /XObject /Subtype /Image /Width 32768 /Height 32768 "
    image = bomb(entries=entries + b"/ColorSpace /DeviceGray /BitsPerComponent 8")
    return with_object(b"q 420 0 0 595 0 0 cm /X Do Q", b"XObject", image)


def nested_bomb() -> bytes:
    """Packed twice: a few kilobytes unpack to 6 GB."""
    packer = zlib.compressobj(9, wbits=-15)
    once = packer.compress(b"\0" * (1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    twice = zlib.compress(b"\x78\x9c" + once * 400, 9)
    return page_pdf(stream(twice, b"/Filter [/FlateDecode /FlateDecode]"))


def letters_bomb() -> bytes:
    """A font that says in a gigabyte what its glyphs mean."""
    return page_pdf(font=FONT[:-2] + b"/ToUnicode 10 0 R >>", objects={10: bomb()})


def text_bomb() -> bytes:
    """Ten million glyphs."""
    text = zlib.compress(b"BT /F1 1 Tf 40 100 Td (" + b"Wort " * 2_000_000 + b") Tj ET")
    return page_pdf(stream(text, b"/Filter /FlateDecode"))


FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 420 595] "


def forms_in_forms(*, depth: int, each: int) -> bytes:
    """Every form draws the next one `each` times."""
    next_one = b"/Resources << /XObject << /X %d 0 R >> >>"
    forms = {10 + n: stream(b"/X Do " * each, FORM + next_one % (11 + n)) for n in range(depth)}
    forms[10 + depth] = stream(b"0 0 m 9 9 l S", FORM)
    return with_object(b"/X Do", b"XObject", forms[10], objects=forms)


def form_in_itself() -> bytes:
    body = stream(b"/X Do " * 9, FORM + b"/Resources << /XObject << /X 10 0 R >> >>")
    return with_object(b"/X Do", b"XObject", body)


def endless_pattern() -> bytes:
    """Is read in no time; drawing it takes for ever."""
    entries = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] "
    body = stream(b"0 0 1 1 re f", entries + b"/XStep 0.0001 /YStep 0.0001 /Resources << >>")
    return with_object(b"/Pattern cs /X scn 0 0 400 500 re f", b"Pattern", body)


# --- Two formats in one file ----------------------------------------------------------------------


def archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a.txt", "etwas anderes")
    return packed.getvalue()


def tar_named_pdf() -> bytes:
    """A tar archive whose first file is called `%PDF-1.7`."""
    head = b"%PDF-1.7\n".ljust(257, b"\0") + b"ustar\00000"
    return head.ljust(512, b"\0") + page_pdf()


def with_attached_archive() -> bytes:
    document = pymupdf.open(stream=page_pdf())
    document.embfile_add("a.zip", archive())
    return bytes(document.tobytes(deflate=False))


# --- Locks ----------------------------------------------------------------------------------------


def owned(encryption: int) -> bytes:
    """Opens without a password; only changing it needs one."""
    document = pymupdf.open(stream=page_pdf())
    permissions = pymupdf.PDF_PERM_PRINT
    return bytes(
        document.tobytes(encryption=encryption, owner_pw="eigentum", permissions=permissions)
    )
