"""One adapter per parliament: a plain table from the code to what makes the adapter.

An adapter turns what a parliament's system answers into AntragEntwurf values. It knows nothing of
the database, and it gets the way to the network as an argument (`Abruf`).
"""

from collections.abc import Callable

from .dip import DipAdapter
from .entwurf import Abruf, ParlamentAdapter

ADAPTERS: dict[str, Callable[[Abruf], ParlamentAdapter]] = {
    "BUND": DipAdapter,
}
