"""What the queue does every night."""

from .eingang import forget_addresses, forget_texts


def forget() -> str:
    """Deletes what is kept of senders for the limits, and texts of reports long decided."""
    return f"{forget_addresses()} Adressen und {forget_texts()} Texte gelöscht"
