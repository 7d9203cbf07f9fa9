"""A quote and the sentences it is cut from: what of them it leaves out."""

from citations.binding import make_zitat
from citations.comparison import Grad, compare_form
from citations.lesetext import lesetext
from citations.models import Zitat
from citations.quelltext import Span
from citations.verification import gap_refusal
from citations.words import negations_in


def rest_of_sentence(zitat: Zitat) -> tuple[Span, ...]:
    """What its sentences have beyond the quoted words; empty where they are quoted whole."""
    text = lesetext(zitat.extraktion)
    start, ende = text.satz_um(zitat.spans[0][0], zitat.spans[-1][1])
    edges = [start, *(edge for span in zitat.spans for edge in span), ende]
    gaps = zip(edges[::2], edges[1::2], strict=True)
    return tuple(gap for gap in gaps if compare_form(text.text[gap[0] : gap[1]]))


def whole_sentence(zitat: Zitat) -> Zitat:
    """The whole sentences around the quoted words, not yet stored."""
    text = lesetext(zitat.extraktion)
    satz = text.satz_um(zitat.spans[0][0], zitat.spans[-1][1])
    return make_zitat(zitat.extraktion, (satz,), Grad.WOERTLICH)


def cuts_negation(zitat: Zitat) -> bool:
    """Whether a word that turns the sentence around stands in the part that is left out."""
    text = lesetext(zitat.extraktion).text
    return any(negations_in(text[start:ende]) for start, ende in rest_of_sentence(zitat))


def too_much_left_out(zitat: Zitat) -> str:
    """Why the check will refuse its ellipsis, in German; "" where it will not."""
    spans = tuple((start, ende) for start, ende in zitat.spans)
    return gap_refusal(spans, lesetext(zitat.extraktion))
