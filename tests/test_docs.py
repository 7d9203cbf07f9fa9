"""The documentation is part of the program: what it lists is compared with the code."""

import ast
import hashlib
import importlib.metadata
import re
import subprocess
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from django.db import models

from citations.ablehnung import Ablehnung
from citations.comparison import Grad
from citations.platz import Hindernis

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
ADR = DOCS / "adr"
APPS = ("gwoe", "meldungen", "assessments", "programme", "parlamente", "citations", "konten")
# Every command has these; they are Django's to explain.
DJANGO_OPTIONS = {
    *("--help", "--version", "--verbosity", "--settings", "--pythonpath", "--traceback"),
    *("--no-color", "--force-color", "--skip-checks"),
}
COMMANDS = sorted(name for name, app in get_commands().items() if app in APPS)


def repository_files() -> list[Path]:
    """What is committed or about to be; everything but ignored files."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    paths = [ROOT / name for name in listed.stdout.split("\0") if name]
    return [path for path in paths if path.is_file()]


def text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def sections(page: Path) -> dict[str, str]:
    """The page's text under each heading that is a name in backticks."""
    parts = re.split(r"^#+ +`([^`]+)`\s*$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    texts = [re.split(r"^#+ ", text, flags=re.MULTILINE)[0] for text in parts[2::2]]
    return dict(zip(parts[1::2], texts, strict=True))


def first_cells(page: Path) -> list[str]:
    """The first cell of every row of the page's tables, heads and rules left out."""
    rows = re.findall(r"^\| *([^|]+?) *\|", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [row for row in rows if not set(row) <= set("-: ")]


# --- Commands ----------------------------------------------------------------------------------


def test_the_commands_page_has_exactly_our_commands():
    assert sorted(sections(REFERENCE / "commands.md")) == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_documented(name):
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    options = {
        option
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--")
    }
    documented = set(re.findall(r"--[a-z][a-z-]+", sections(REFERENCE / "commands.md")[name]))
    assert options - DJANGO_OPTIONS <= documented
    assert documented <= options


# --- Settings ----------------------------------------------------------------------------------


def variables_read(module: Path) -> Iterator[str]:
    """Names given to env.str("…"), env("…") and the like, and to _required("…", …)."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        function = node.func.value if isinstance(node.func, ast.Attribute) else node.func
        if not isinstance(function, ast.Name) or function.id not in ("env", "_required"):
            continue
        names = node.args if function.id == "_required" else node.args[:1]
        for argument in names:
            if isinstance(argument, ast.Constant) and re.fullmatch(r"[A-Z_]+", argument.value):
                yield argument.value


VARIABLES = sorted(
    {name for module in (ROOT / "gwoe/settings").glob("*.py") for name in variables_read(module)}
)


def test_the_settings_are_found():
    assert {"SECRET_KEY", "DATABASE_URL", "LLM_API_KEY", "IMPRESSUM_NAME"} <= set(VARIABLES)


def test_the_settings_page_has_exactly_the_variables_that_are_read():
    assert sorted(sections(REFERENCE / "settings.md")) == VARIABLES


def test_the_example_environment_has_exactly_the_variables_that_are_read():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    listed = set(re.findall(r"^(?:# )?([A-Z_]+)=", example, flags=re.MULTILINE))
    assert listed - {"DJANGO_SETTINGS_MODULE"} == set(VARIABLES)


def test_variables_are_read_in_the_settings_only():
    # The child processes get PATH handed on; nothing else belongs into an app.
    allowed = ("PATH", "DJANGO_SETTINGS_MODULE")
    pattern = re.compile(r"os\.(?:environ(?:\.get|\.setdefault)?[\[(]|getenv\()\s*[\"'](\w+)")
    found = {
        (path.name, name)
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        for name in pattern.findall(path.read_text(encoding="utf-8"))
        if name not in allowed
    }
    assert found == set()


# --- States ------------------------------------------------------------------------------------


def enumerations() -> dict[str, list[str]]:
    def below(base: type) -> Iterator[type]:
        for each in base.__subclasses__():
            yield each
            yield from below(each)

    ours: list[type[models.TextChoices] | type[StrEnum]] = [
        each for each in below(models.TextChoices) if each.__module__.split(".")[0] in APPS
    ]
    ours += [Ablehnung, Grad, Hindernis]
    return {each.__qualname__: [str(m.value) for m in each] for each in ours}


def test_the_states_page_has_exactly_our_enumerations():
    assert sorted(sections(REFERENCE / "states.md")) == sorted(enumerations())


@pytest.mark.parametrize("name", sorted(enumerations()))
def test_every_value_of_an_enumeration_is_documented(name):
    text = sections(REFERENCE / "states.md")[name]
    missing = [value for value in enumerations()[name] if f"`{value}`" not in text]
    assert not missing


# --- Deployment --------------------------------------------------------------------------------


def test_the_web_servers_wait_longer_than_an_upload_takes(settings):
    """Reading, and a minute for the index."""
    page = (DOCS / "how-to" / "deploy.md").read_text(encoding="utf-8")
    limits = re.findall(r"(--timeout|proxy_read_timeout) (\d+)", page)
    assert {name for name, _ in limits} == {"--timeout", "proxy_read_timeout"}
    assert all(int(seconds) > settings.PDF_MAX_SECONDS + 60 for _, seconds in limits)


# --- Decisions ---------------------------------------------------------------------------------

ADRS = sorted(path.name for path in ADR.glob("[0-9]*.md"))


def adr_status(name: str) -> str:
    match = re.search(r"^\| \*\*Status\*\* \| (\w+)", (ADR / name).read_text(), re.MULTILINE)
    return match[1] if match else ""


def checksums() -> dict[str, str]:
    lines = (ADR / "CHECKSUMS").read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines)}


def test_every_decision_is_in_the_index():
    linked = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (ADR / "README.md").read_text())
    assert linked == ADRS


def test_decisions_are_numbered_without_gaps():
    assert [int(name[:4]) for name in ADRS] == list(range(1, len(ADRS) + 1))


@pytest.mark.parametrize("name", ADRS)
def test_every_decision_has_a_status_and_a_date(name):
    text = (ADR / name).read_text(encoding="utf-8")
    assert adr_status(name) in ("proposed", "accepted")
    assert re.search(r"^\| \*\*Date\*\* \| \d{4}-\d\d-\d\d \|$", text, re.MULTILINE)


def test_every_accepted_decision_has_a_checksum():
    assert sorted(checksums()) == [name for name in ADRS if adr_status(name) == "accepted"]


@pytest.mark.parametrize("name", sorted(checksums()))
def test_an_accepted_decision_does_not_change(name):
    digest = hashlib.sha256((ADR / name).read_bytes()).hexdigest()
    assert digest == checksums()[name], f"{name} is accepted; a new ADR supersedes it"


# --- Dependencies ------------------------------------------------------------------------------


def direct_dependencies() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = project["dependencies"] + project["optional-dependencies"]["dev"]
    return {re.match(r"[\w.-]+", line)[0].lower() for line in lines}


def test_the_dependencies_page_has_exactly_the_direct_dependencies():
    text = (REFERENCE / "dependencies.md").read_text(encoding="utf-8")
    text = text[: text.index("## Looked at and left out")]
    rows = re.findall(r"^\| *([\w.-]+) *\| *(.+?) *\| *(.+?) *\|$", text, flags=re.MULTILINE)
    listed = [name for name, reason, licence in rows if name != "package" and reason != "---"]
    assert sorted(listed) == sorted(direct_dependencies())


def test_no_dependency_is_installed_by_an_unlocked_file():
    locked = (ROOT / "requirements-dev.txt").read_text(encoding="utf-8").lower()
    missing = [n for n in direct_dependencies() if not re.search(rf"^{n}(\[.*\])?==", locked, re.M)]
    assert not missing


def test_the_licence_text_is_the_one_that_the_project_names():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert project["license"] == "AGPL-3.0-or-later"
    assert "GNU AFFERO GENERAL PUBLIC LICENSE" in text
    assert "13. Remote Network Interaction" in text
    assert "END OF TERMS AND CONDITIONS" in text


# --- Words and pages ---------------------------------------------------------------------------


def test_every_word_of_the_glossary_is_used_in_the_code():
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for app in APPS
        for path in (ROOT / app).rglob("*.py")
        if "migrations" not in path.parts
    )
    words = [word for word in first_cells(REFERENCE / "glossary.md") if word != "word"]
    unused = [w for w in words if not re.search(rf"\b{re.escape(w)}\b", code, re.IGNORECASE)]
    assert words
    assert not unused


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) < 80


PAGES = sorted(
    [
        *DOCS.rglob("*.md"),
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    ]
)


def local_links(page: Path) -> Iterator[tuple[str, str]]:
    """Path and anchor of every link and picture that stays in the repository."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ +(.+?)\s*$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return {re.sub(r"[-\s]+", "-", heading) for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    for path, anchor in local_links(page):
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {path}"
        assert target.is_relative_to(ROOT)
        if anchor:
            assert anchor in anchors(target), f"{page.name} links to {path}#{anchor}"


def test_every_page_is_reached_from_the_index():
    """The editors' handbook has an index of its own, and the template is not a page to read."""
    reached, waiting = set(), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        targets = [(page.parent / path).resolve() for path, _ in local_links(page) if path]
        waiting += [target for target in targets if target.is_file()]
    expected = {page for page in DOCS.rglob("*.md") if "redaktion" not in page.parts}
    unreached = {str(page.relative_to(DOCS)) for page in expected - reached}
    assert not unreached - {"adr/template.md"}


def test_no_file_names_a_machine_path_or_a_package_registry():
    # In pieces, so that this file does not find itself.
    hosts = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.", "deb.deb" + "ian.org"]
    path = r"(?<![\w.~/-])/(?:" + "wo" + "rk|ro" + r"ot)/\w"
    pattern = re.compile("|".join([path, *map(re.escape, hosts)]))
    found = [
        f"{file.relative_to(ROOT)}: {match[0]}"
        for file in repository_files()
        if (text := text_of(file)) and (match := pattern.search(text))
    ]
    assert not found


def test_the_locked_django_is_the_long_term_release():
    assert importlib.metadata.version("django").startswith("5.2.")
