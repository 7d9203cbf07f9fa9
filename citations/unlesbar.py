"""Why a page cannot be checked by machine, in German. Free of Django and of the engines."""

NO_TEXT = "Diese Seite hat keinen lesbaren Text."
BROKEN_FONT = "Eine Schrift dieser Seite ist keinen lesbaren Zeichen zugeordnet."
RECOGNISED = "Der Text dieser Seite ist aus einem Bild erkannt und enthält Erkennungsfehler."
