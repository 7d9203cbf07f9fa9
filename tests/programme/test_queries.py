from programme.queries import motion_queries

TEXT = (
    "Der Landtag wolle beschließen: Die Landesregierung wird ersucht: "
    "1. die Verordnung zur Begrenzung der Miethöhe fortzuführen; "
    "2. den Ankauf von Belegungsrechten zu erleichtern.\n"
    "Begründung:\n"
    "In den großen Städten finden viele Haushalte keine Wohnung."
)


def test_each_demand_and_sentence_is_a_question():
    queries = motion_queries("Mietpreisbremse fortführen", TEXT)
    assert "1. die Verordnung zur Begrenzung der Miethöhe fortzuführen" in queries
    assert "2. den Ankauf von Belegungsrechten zu erleichtern." in queries
    assert "In den großen Städten finden viele Haushalte keine Wohnung." in queries
    assert "Begründung:" not in queries


def test_title_weighs_as_much_as_a_third_of_the_sentences():
    text = "\n".join(f"Der Landtag fordert die Maßnahme mit der Nummer {n}." for n in range(12))
    assert motion_queries("Titel", text).count("Titel") == 4


def test_title_alone_is_a_question():
    assert motion_queries("Titel", "") == ["Titel"]


def test_long_bill_does_not_ask_without_end():
    text = "\n".join(f"Der Landtag fordert die Maßnahme mit der Nummer {n}." for n in range(500))
    assert len(set(motion_queries("Titel", text))) <= 41
