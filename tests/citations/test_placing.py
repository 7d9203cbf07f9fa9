"""The rule of ADR 0006, as laws over generated sentences and as the traps that were measured."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citations.comparison import Grad, compare_form
from citations.placing import place, place_in_reading
from citations.platz import Hindernis
from citations.quelltext import Lesetext, Quelltext, Textseite, cut

WORDS = ["Wasser", "Schule", "Brücke", "Gemeinde", "fördert", "baut", "zahlt", "Straße", "Öffnung"]
SATZ = "Wir bauen bis 2029 in jeder Gemeinde einen kühlen Raum und zahlen die vollen Kosten."
ZAHLEN = "Das Land zahlt 1,5 Millionen Euro im Jahr für den Ausbau der Wege in allen Gemeinden."
NEIN = "Wir werden den Ausbau der Autobahn durch das Moor in dieser Zeit nicht unterstützen."
TEXT = Quelltext(f"Vorher steht ein Satz. {SATZ} {ZAHLEN}\n{NEIN} Nachher steht auch einer.")

word_lists = st.lists(st.sampled_from(WORDS), min_size=8, max_size=25)


def quoted(platz):
    return cut(TEXT.text, platz.spans)


@given(before=word_lists, quote=word_lists, after=word_lists)
@settings(max_examples=60, deadline=None)
def test_any_run_of_whole_words_is_placed_and_shown_as_it_stands(before, quote, after):
    text = Quelltext(" ".join(before + quote + after) + ".")
    platz = place(" ".join(quote), text)
    assert platz.is_placed
    assert platz.grad is Grad.WOERTLICH
    assert compare_form(cut(text.text, platz.spans)) == compare_form(" ".join(quote))


@given(quote=word_lists, position=st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_an_inserted_negation_is_never_placed(quote, position):
    text = Quelltext(" ".join(quote) + ".")
    changed = list(quote)
    changed.insert(1 + position % (len(quote) - 1), "nicht")
    assert not place(" ".join(changed), text).is_placed


@given(quote=word_lists, number=st.integers(10, 99_999), digit=st.integers(1, 8))
@settings(max_examples=60, deadline=None)
def test_another_number_is_never_placed(quote, number, digit):
    text = Quelltext(" ".join([*quote, str(number), "Euro"]) + ".")
    changed = str(number)[:-1] + str((int(str(number)[-1]) + digit) % 10)
    assert not place(" ".join([*quote, changed, "Euro"]), text).is_placed


SATZ_WORTE = SATZ.split()
ELLIPSES = [
    "…",
    "...",
    "....",
    "[…]",
    "[...]",
    "[ ... ]",
    "(…)",
    "(...)",
    " [ … ] ",
    "<...>",
    "{…}",
]


@given(position=st.integers(1, len(SATZ_WORTE) - 2), added=st.sampled_from([*WORDS, "mehr", "nur"]))
def test_a_content_word_more_or_less_is_never_placed(position, added):
    changed = [*SATZ_WORTE]
    changed.insert(position, added)
    assert not place(" ".join(changed), TEXT).is_placed
    if changed[position + 1] not in ("einen", "und", "die"):  # articles may differ
        changed[position : position + 2] = []
        assert not place(" ".join(changed), TEXT).is_placed


@given(
    first=st.integers(5, 8),
    gap=st.integers(0, 3),
    swap=st.booleans(),
    mark=st.sampled_from(ELLIPSES),
)
def test_an_ellipsis_in_any_notation_leaves_out_and_never_turns_round(first, gap, swap, mark):
    head, tail = " ".join(SATZ_WORTE[:first]), " ".join(SATZ_WORTE[first + gap :])
    platz = place(f"{tail} {mark} {head}" if swap else f"{head} {mark} {tail}", TEXT)
    assert platz.is_placed is not swap
    assert swap or quoted(platz) == f"{head} […] {tail}"


@given(quote=word_lists)
@settings(max_examples=40, deadline=None)
def test_blanks_and_punctuation_do_not_matter(quote):
    text = Quelltext(" ".join(quote) + ".")
    loose = ",  ".join(quote) + " …"
    assert place(loose, text).grad is Grad.WOERTLICH


@pytest.mark.parametrize(
    ("quote", "hindernis"),
    [
        ("Wir verbieten ab morgen alle Klimageräte in sämtlichen Häusern.", "nicht_gefunden"),
        (SATZ.replace("bauen", "bauen nicht"), "verneinung"),
        (NEIN.replace(" nicht", ""), "verneinung"),
        (SATZ.replace("2029", "2039"), "zahl"),
        (ZAHLEN.replace("1,5", "15"), "zahl"),
        (ZAHLEN.replace("1,5", "5"), "zahl"),
        (SATZ.replace("kühlen", "warmen"), "weicht_ab"),
        (SATZ.replace("jeder", "mancher"), "weicht_ab"),
        ("uen bis 2029 in jeder Gemeinde einen kühlen Raum", "wortgrenze"),
        ("einen kühlen Raum", "zu_kurz"),
        ("Wir werden den Ausbau der Autobahn durch das Moor", "abgeschnitten"),
    ],
)
def test_what_must_not_be_placed_says_why(quote, hindernis):
    platz = place(quote, TEXT)
    assert platz.hindernis == Hindernis(hindernis)


def test_the_sentence_to_extend_to_is_proposed():
    platz = place("Wir werden den Ausbau der Autobahn durch das Moor", TEXT)
    assert TEXT.text[slice(*platz.satz)] == NEIN


def test_one_inflection_is_matched_and_the_source_shown():
    platz = place(SATZ.replace("Raum", "Raumes"), TEXT)
    assert platz.grad is Grad.ANGEGLICHEN
    assert "Raum und" in quoted(platz)


def test_a_moved_comma_is_verbatim():
    assert place(SATZ.replace("2029 in", "2029, in"), TEXT).grad is Grad.WOERTLICH


def test_an_ellipsis_shows_only_what_stands_there():
    platz = place("Wir bauen bis 2029 in […] einen kühlen Raum und zahlen", TEXT)
    assert platz.grad is Grad.AUSLASSUNG
    assert quoted(platz) == "Wir bauen bis 2029 in […] einen kühlen Raum und zahlen"


@pytest.mark.parametrize(
    "quote",
    [
        "einen kühlen Raum und zahlen … Wir bauen bis 2029",  # reversed
        "Wir bauen bis 2029 in jeder ... Nachher steht auch einer",  # over a negation
        "Wir bauen bis 2029 … ein Haus aus Gold und Silber",  # half invented
    ],
)
def test_a_false_ellipsis_is_not_placed(quote):
    assert not place(quote, TEXT).is_placed


def test_two_halves_far_apart_are_no_quote():
    middle = "Dazwischen liegt sehr viel anderer Text über andere Dinge. " * 8
    text = Quelltext(f"Wir bauen eine neue Brücke im Tal. {middle}Sie gehört dann den Gemeinden.")
    platz = place("Wir bauen eine neue Brücke im Tal. … Sie gehört dann den Gemeinden.", text)
    assert platz.hindernis is Hindernis.AUSLASSUNG


def test_a_preferred_place_is_taken_among_several():
    text = Quelltext(f"{SATZ} Etwas anderes. {SATZ}")
    second = text.text.rindex("Wir bauen")
    platz = place(SATZ, text, preferred=((second, len(text.text)),))
    assert platz.spans[0][0] == second


def test_a_text_without_letters_places_nothing():
    assert not place(SATZ, Quelltext("")).is_placed
    assert not place("", TEXT).is_placed
    assert not place("… […] …", TEXT).is_placed


# --- As a viewer copies it -----------------------------------------------------------------------


def numbered_text():
    """Two pages; beside them a head, a page number and line numbers."""
    first = "Wir wollen die alten Brücken im Tal "
    second = "bis zum Jahr 2031 erneuern und die Gemeinden entlasten. Danach kommen die Straßen."
    boxes = bytes(8 * len(first)), bytes(8 * len(second))
    box = (0.1, 0.1, 0.2, 0.2)
    head = (0, "Programm der Liste Ufer", box), (0, "12", box)
    return Lesetext.of(
        [
            Textseite(1, "", ["11"], 400, 600, first, 0, boxes[0], [(11, "27", box)], True, ""),
            Textseite(
                *(2, "", ["12"], 400, 600, second, len(first), boxes[1]),
                *([*head, (18, "28", box)], True, ""),
            ),
        ]
    )


SATZ_UEBER_SEITEN = (
    "Wir wollen die alten Brücken im Tal bis zum Jahr 2031 erneuern und die Gemeinden entlasten."
)


@pytest.mark.parametrize(
    "copied",
    [
        "Wir wollen 27 die alten Brücken im Tal bis zum Jahr 2031 erneuern und die Gemeinden"
        " entlasten.",
        "Wir wollen die alten Brücken im Tal Programm der Liste Ufer 12 bis zum Jahr 2031 28"
        " erneuern und die Gemeinden entlasten.",
        "Wir wollen die alten Brücken im Tal 12 bis zum Jahr 2031 erneuern und die Gemeinden"
        " entlasten.",
    ],
)
def test_what_a_viewer_copies_along_is_left_out(copied):
    text = numbered_text()
    platz = place(copied, text)
    assert (platz.hindernis, platz.grad) == (None, Grad.ANGEGLICHEN)
    assert cut(text.text, platz.spans) == SATZ_UEBER_SEITEN


@pytest.mark.parametrize(
    "forged",
    [
        "Wir wollen 26 die alten Brücken im Tal bis zum Jahr 2031 erneuern und die Gemeinden"
        " entlasten.",
        "Wir wollen die alten Brücken im Tal Programm der Liste Ufer 13 bis zum Jahr 2031 erneuern"
        " und die Gemeinden entlasten.",
        "Wir wollen die alten 27 Brücken im Tal bis zum Jahr 2031 erneuern und die Gemeinden"
        " entlasten.",
        "Wir wollen 27 die alten Brücken im Tal bis zum Jahr 2032 erneuern und die Gemeinden"
        " entlasten.",
        "Wir wollen 27 die Brücken im Tal bis zum Jahr 2031 erneuern und die Gemeinden entlasten.",
        "Wir wollen die alten Brücken im Tal bis zum Jahr 203128 erneuern und die Gemeinden"
        " entlasten.",
    ],
)
def test_only_what_stands_there_is_left_out(forged):
    assert not place(forged, numbered_text()).is_placed


def test_a_running_head_alone_is_no_quote():
    assert not place("Programm der Liste Ufer 12 bis zum Jahr", numbered_text()).is_placed


# --- Several places ------------------------------------------------------------------------------


def test_all_places_of_the_same_words_are_known_and_a_preferred_one_comes_first():
    text = Quelltext(f"{SATZ} Etwas anderes steht dazwischen. {SATZ}")
    second = text.text.rindex(SATZ)
    platz = place(SATZ, text, preferred=((second - 5, second + 20),))
    assert platz.spans[0][0] == second
    assert [spans[0][0] for spans in platz.weitere] == [0]


def test_the_end_of_a_sentence_and_the_beginning_of_the_next_make_no_quote():
    text = Quelltext(
        "Wir stellen die Vorsorge in den Mittelpunkt der Politik. Für uns gehört dazu die Schule."
    )
    platz = place("in den Mittelpunkt der Politik … Für uns gehört dazu die Schule", text)
    assert platz.hindernis is Hindernis.AUSLASSUNG


@pytest.mark.parametrize("abbreviation", ["z. B.", "d. h.", "u. a.", "Nr. 3"])
def test_an_abbreviation_in_the_gap_ends_no_sentence(abbreviation):
    text = Quelltext(
        f"Die Einrichtungen müssen niedrigschwellig sein, Angebote {abbreviation} am Ort, und die"
        " Beratung wird ausgebaut."
    )
    platz = place("Die Einrichtungen müssen niedrigschwellig … die Beratung wird ausgebaut", text)
    assert platz.is_placed


def test_a_short_quote_is_found_and_never_placed():
    platz = place("Etwas anderes.", Quelltext(f"{SATZ} Etwas anderes. {SATZ}"))
    assert (platz.hindernis, len(platz.spans)) == (Hindernis.ZU_KURZ, 1)


def test_many_equal_pieces_beside_the_text_take_no_long_time():
    """A thousand doubled words, of which the quote has half: each way is looked at once."""
    words = "Wir bauen tausend neue Wohnungen im ganzen Land "
    page = Textseite(
        *(1, "", [], 400, 600, words * 2, 0, bytes(16 * len(words))),
        *([(len(words), "Land", (0.1, 0.1, 0.2, 0.2))] * 1000, True, ""),
    )
    quote = words + "Land " * 500 + "und niemand weiß warum"
    assert not place(quote, Lesetext.of([page])).is_placed


# --- What must not pass for the same words -------------------------------------------------------


TAIL = " für alle Familien in diesem Land."


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Wir fördern 10-15 Prozent mehr Bauten", "Wir fördern 1015 Prozent mehr Bauten"),
        ("Wir fördern 10–15 Prozent mehr Bauten", "15 Prozent mehr Bauten"),
        ("Die Steuer sinkt um ½ Prozent im Jahr", "Die Steuer sinkt um 12 Prozent im Jahr"),
        ("Wir geben 2½ Millionen Euro mehr aus", "Wir geben 212 Millionen Euro mehr aus"),
        ("Der Beitrag sinkt um 5 % im Jahr", "Der Beitrag sinkt um 5 € im Jahr"),
        ("Der Beitrag steigt um -5 Prozent", "Der Beitrag steigt um 5 Prozent"),
        ("Wir geben 1 500 Euro im Jahr mehr", "500 Euro im Jahr mehr"),
        ("Eine Anti-Atomkraft-Politik kommt", "Atomkraft-Politik kommt"),
        ("Es wird nicht für Kitas etc. Gebühren geben", "Gebühren geben"),
        ("Wir bauen hundertdrei neue Schulen", "Wir bauen hundertzwei neue Schulen"),
        ("Das gilt in den Wäldern außer Ulm", "Das gilt in den Wäldern außen Ulm"),
        ("Wir bauen 15 Prozent mehr Häuser", "Wir bauen 1\u200b,5 Prozent mehr Häuser"),
        ("Wir bauen 15 Prozent mehr Häuser", "Wir bauen 1\u201a5 Prozent mehr Häuser"),
        ("Wir bauen 15 Prozent mehr Häuser", "Wir bauen 1, 5 Prozent mehr Häuser"),
        ("Wir bauen 1, 5 Prozent mehr Häuser", "Wir bauen 15 Prozent mehr Häuser"),
        ("Wir bauen 15 Prozent mehr Häuser", "Wir bauen \u201415 Prozent mehr Häuser"),
        ("Wir bauen 60 Prozent mehr Häuser", "Wir bauen >60 Prozent mehr Häuser"),
        ("Das Ziel für 2016 ist die Schule", "Das Ziel für 20×16 ist die Schule"),
        ("Ein allgemeines Tempolimit lehnen wir ab", "Ein allgemeines Tempolimit"),
    ],
)
def test_another_number_unit_compound_or_negation_is_another_sentence(source, quote):
    text = Quelltext(source + TAIL)
    assert not place(quote + TAIL, text).is_placed
    assert place(source + TAIL, text).is_placed


def test_the_hyphen_of_a_completed_word_cuts_no_word():
    text = Quelltext("Die Kranken- und Pflegekassen zahlen den Familien im Land mehr.")
    assert place("und Pflegekassen zahlen den Familien im Land mehr", text).is_placed


def test_a_negation_set_aside_within_the_words_goes_to_a_person():
    first = "Wir werden die Autobahn durch das große Moor planen und finanzieren."
    page = Textseite(
        *(1, "", [], 400, 600, first, 0, bytes(8 * len(first))),
        *([(45, "nicht bauen und niemals dulden oder", (0.1, 0.1, 0.2, 0.2))], True, ""),
    )
    assert place(first, Lesetext.of([page])).hindernis is Hindernis.VERNEINUNG


def test_a_long_row_of_dots_is_split_into_sentences_quickly():
    assert len(Quelltext("Inhalt " + "." * 40_000 + " Seite").saetze) >= 1


def test_of_equal_places_one_that_can_be_checked_is_taken():
    pages = [
        Textseite(1, "", [], 400, 600, SATZ + " ", 0, bytes(8 * len(SATZ) + 8), [], False, "Scan"),
        Textseite(2, "", [], 400, 600, SATZ, len(SATZ) + 1, bytes(8 * len(SATZ)), [], True, ""),
    ]
    platz = place_in_reading(SATZ, Lesetext.of(pages))
    assert platz.is_placed
    assert platz.spans[0][0] == len(SATZ) + 1


def test_an_empty_page_between_does_not_count():
    first, last = "Das Land baut in den nächsten zehn ", "Jahren hundert neue Brunnen für alle."
    pages = [
        Textseite(1, "", [], 400, 600, first, 0, bytes(8 * len(first)), [], True, ""),
        Textseite(2, "", [], 400, 600, "", len(first), b"", [], False, "Bild"),
        Textseite(3, "", [], 400, 600, last, len(first), bytes(8 * len(last)), [], True, ""),
    ]
    assert place_in_reading(first + last, Lesetext.of(pages)).is_placed


def test_a_gap_must_not_swallow_a_rejection():
    text = Quelltext(
        "Eine Aufweichung des Mindestlohns lehnen wir ab, da sie für das Land schädlich ist."
    )
    quote = "Eine Aufweichung des Mindestlohns … da sie für das Land schädlich ist."
    assert place(quote, text).hindernis is Hindernis.VERNEINUNG


# --- What turns a sentence round ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("outside", "quote", "behind"),
    [
        ("Wir sind gegen ", "die Einführung einer Maut für alle Autos", "."),
        ("Wir sind gegen die geplante ", "Einführung einer Maut für alle Autos", "."),
        ("Gegen „", "die Einführung einer Maut für alle Autos", "“ sind wir alle."),
        ("Wir wollen Schienen statt ", "neuer Straßen für Autos und Lastwagen", "."),
        ("Anstatt ", "neue Straßen für Autos und Lastwagen zu bauen", ", sparen wir."),
        ("Anstelle der ", "vielen Straßen für Autos und Lastwagen", " kommt die Bahn."),
        ("Wir schaffen ", "die Beiträge für den Ausbau der Straßen", " ab."),
        ("Wir wollen ", "die Beiträge für den Ausbau der Straßen", " nun abzuschaffen."),
        ("", "Den Verkauf der Wohnungen dieser Stadt werden wir", " untersagen."),
        ("", "Den Verkauf der Wohnungen dieser Stadt haben wir", " gestoppt."),
        ("Wir treten ", "der Einführung einer Maut für alle Autos", " entgegen."),
        ("", "Der Einführung einer Maut für alle Autos", " widersprechen wir."),
        ("Das Verbot ", "der Einführung einer Maut für alle Autos", " bleibt."),
        ("Nein zu ", "der Einführung einer Maut für alle Autos", "!"),
    ],
)
def test_what_somebody_is_against_is_cut_off(outside, quote, behind):
    satz = f"{outside}{quote}{behind}"
    text = Quelltext(f"Vorher steht etwas. {satz} Nachher auch.")
    platz = place(quote, text)
    assert platz.hindernis is Hindernis.ABGESCHNITTEN
    assert text.text[slice(*platz.satz)] == satz
    assert place(satz, text).is_placed


@pytest.mark.parametrize(
    ("outside", "quote", "behind"),
    [
        ("Der Kampf gegen Armut ", "in allen Städten und Dörfern geht weiter", "."),
        ("Wer gegen Armut ist, ", "stimmt für höhere Löhne und für Wohnungen", "."),
        ("Statt dessen ", "bauen wir Wohnungen für alle Familien im Land", "."),
        ("Das Fest findet statt und ", "wird von allen Gemeinden im Land bezahlt", "."),
        ("Wir schaffen ", "Wohnungen für alle Familien in diesem Land", " ab 2027."),
    ],
)
def test_what_somebody_is_against_may_be_something_else(outside, quote, behind):
    assert place(quote, Quelltext(f"{outside}{quote}{behind}")).is_placed


@pytest.mark.parametrize("ellipsis", ["…", "...", "[…]", "(...)", "[ ... ]", "(…)", "[....]"])
def test_a_gap_must_not_swallow_what_somebody_is_against(ellipsis):
    text = Quelltext("Wir werden im ganzen Land Schienen statt neuer Straßen für Autos bauen.")
    true = place(f"Wir werden im ganzen Land {ellipsis} Straßen für Autos bauen", text)
    kept = place(f"Wir werden im ganzen Land {ellipsis} statt neuer Straßen für Autos", text)
    assert true.hindernis is Hindernis.VERNEINUNG
    assert (kept.hindernis, kept.grad) == (None, Grad.AUSLASSUNG)


# --- The same letters, and not the same words -----------------------------------------------------


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Wir bauen neue Schulen. Straßen werden es", "Wir bauen neue Schulen Straßen werden es"),
        ("Wir bauen neue Schulen Straßen werden es", "Wir bauen neue Schulen. Straßen werden es"),
        ("Wir bauen neue Schulen? Gerne tun wir das", "Wir bauen neue Schulen. Gerne tun wir das"),
        ("Wir trinken Wein in Maßen und Bier auch", "Wir trinken Wein in Massen und Bier auch"),
        ("Wir trinken Wein in Massen und Bier auch", "Wir trinken Wein in Maßen und Bier auch"),
    ],
)
def test_another_end_of_a_sentence_or_sharp_s_is_matched_and_the_source_shown(source, quote):
    text = Quelltext(source + TAIL)
    platz = place(quote + TAIL, text)
    assert (platz.hindernis, platz.grad) == (None, Grad.ANGEGLICHEN)
    assert cut(text.text, platz.spans) == source + TAIL
    assert place(source + TAIL, text).grad is Grad.WOERTLICH


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Wir bauen 1³ neue Hallen", "Wir bauen 13 neue Hallen"),
        ("Wir bauen 13 neue Hallen", "Wir bauen 1³ neue Hallen"),
        ("Wir bauen 10₂ neue Hallen", "Wir bauen 102 neue Hallen"),
        ("Wir geben 2½ Millionen aus", "Wir geben 21/2 Millionen aus"),
        ("Wir bauen 1③ neue Hallen", "Wir bauen 13 neue Hallen"),
    ],
)
def test_a_raised_figure_behind_a_figure_is_another_number(source, quote):
    text = Quelltext(source + TAIL)
    assert place(quote + TAIL, text).hindernis is Hindernis.ZAHL
    assert not place(quote + TAIL.replace("Familien", "Familie"), text).is_placed
    assert not place(f"{quote} für alle … in diesem Land.", text).is_placed
    assert place(source + TAIL, text).grad is Grad.WOERTLICH


@pytest.mark.parametrize("quoted", ["60 m²", "60 m2"])
def test_a_raised_figure_behind_a_unit_says_the_same(quoted):
    text = Quelltext("Jede Wohnung hat 60 m² und" + TAIL)
    assert place(f"Jede Wohnung hat {quoted} und" + TAIL, text).is_placed


def test_a_unit_without_its_number_is_another_wording():
    text = Quelltext("Wir senken die Steuer auf alles Essen in den Gaststätten des Landes auf 7 %.")
    assert not place(text.text.replace("7 %", "%"), text).is_placed


def test_full_stops_of_abbreviations_and_brackets_end_nothing():
    text = Quelltext("Wir bauen z. B. Schulen, Straßen, Wege (Kreuzungen usw.). Danach ist Ruhe.")
    for quote in ("Wir bauen z.B. Schulen, Straßen, Wege (Kreuzungen usw.)", text.text):
        assert place(quote, text).grad is Grad.WOERTLICH


# --- What is set apart and negates ----------------------------------------------------------------


BOX = (0.1, 0.1, 0.2, 0.2)
OBEN, UNTEN = "Wir werden die Autobahn durch das ", "große Moor planen und finanzieren."


def two_pages(*, behind_first=(), before_second=(), inside=()):
    """A sentence across two pages, with what is set apart there."""
    aside = [*[(10, words, BOX) for words in inside]]
    aside += [(len(OBEN), words, BOX) for words in behind_first]
    heads = [(0, words, BOX) for words in before_second]
    return Lesetext.of(
        [
            Textseite(1, "", [], 400, 600, OBEN, 0, bytes(8 * len(OBEN)), aside, True, ""),
            Textseite(
                *(2, "", [], 400, 600, UNTEN, len(OBEN), bytes(8 * len(UNTEN)), heads, True, "")
            ),
            Textseite(
                *(3, "", [], 400, 600, "Ende.", len(OBEN + UNTEN), bytes(40), heads, True, "")
            ),
        ]
    )


@pytest.mark.parametrize(
    "aside",
    [
        {"behind_first": ["1 Siehe Kapitel 3.", "Das gilt nicht für Ulm."]},
        {"behind_first": ["* Nicht beschlossen."]},
        {"before_second": ["Kein Weg ohne Ziel"]},
    ],
)
def test_a_footnote_or_a_running_head_that_negates_hinders_nothing(aside):
    assert place(OBEN + UNTEN, two_pages(**aside)).is_placed


@pytest.mark.parametrize(
    "aside",
    [
        {"inside": ["nicht"]},
        {"inside": ["1 Das gilt nicht für Ulm."]},
        {"behind_first": ["nicht"]},
        {"behind_first": ["2000 Bäume nicht fällen"]},
    ],
)
def test_what_may_belong_to_the_sentence_and_negates_hinders(aside):
    assert place(OBEN + UNTEN, two_pages(**aside)).hindernis is Hindernis.VERNEINUNG


def test_a_negation_that_is_printed_twice_hinders_nothing():
    satz = "Wir werden die Autobahn durch das Moor nicht bauen."
    aside = [(satz.index(" bauen"), "nicht", BOX)]
    page = Textseite(1, "", [], 400, 600, satz, 0, bytes(8 * len(satz)), aside, True, "")
    assert place(satz, Lesetext.of([page])).is_placed


# --- Tense and mood -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Das Land wird die Schulen", "Das Land wurde die Schulen"),
        ("Die Gemeinden wollen Schulen", "Die Gemeinden wollten Schulen"),
        ("Das Land soll die Schulen", "Das Land sollte die Schulen"),
        ("Wir unterstützen die Schulen", "Wir unterstützten die Schulen"),
        ("Das Land stellt die Schulen", "Das Land stellte die Schulen"),
        ("Das Land stellt die Schulen", "Das Land stelle die Schulen"),
        ("Wir unterschreiben die Verträge", "Wir unterschrieben die Verträge"),
        ("Wir stärken die Stärken der Schulen", "Wir stärkten die Stärken der Schulen"),
        ("Förderten wir nicht alle Schulen", "Fördern wir nicht alle Schulen"),
    ],
)
def test_another_tense_or_mood_goes_to_a_person(source, quote):
    assert place(quote + TAIL, Quelltext(source + TAIL)).hindernis is Hindernis.WEICHT_AB


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("Das Land stellt Angebote bereit", "Das Land stellt Angebot bereit"),
        ("Das Land stellt jährliche Mittel", "Das Land stellt jährlichen Mittel"),
        ("Das Land stellt die Vorschläge", "Das Land stellt die Vorschlägen"),
    ],
)
def test_another_number_or_case_of_a_noun_is_matched(source, quote):
    assert place(quote + TAIL, Quelltext(source + TAIL)).grad is Grad.ANGEGLICHEN
