import signal
import socket
import time
from argparse import ArgumentParser
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from assessments.models import Assessment, Beleg, Lauf
from assessments.tasks import enqueue_assessment
from gwoe.demo import loading
from gwoe.demo.processes import running
from gwoe.demo.replay import ReplayServer
from gwoe.demo.review import Zugang, create_logins, publish_if_clean
from gwoe.postgres.base import DatabaseWrapper
from parlamente.models import Antrag
from programme import llm

# The one with every kind of wrong quote stays in review, the clean one is published.
ASSESSED = ("7/2318", "7/2291")
PUBLISHED = "7/2291"
IN_REVIEW = "7/2318"
WAIT_SECONDS = 300

_WITH_A_NEW_DATABASE = (
    "In dieser Datenbank stehen Beispiele einer anderen Version. Ersetzen lassen sie sich nicht, "
    "weil Veröffentlichtes bleibt; die Vorführung braucht eine neue Datenbank:\n"
    f"  GWOE_VAR_DIR={settings.VAR_DIR / 'vorfuehrung'} make demo\n"
    "Mit DATABASE_URL ist statt dessen eine leere anzugeben."
)
_NOT_IN_PRODUCTION = (
    "Die Vorführung legt Beispiele und zwei Konten an, deren Passwörter sie ausgibt. Mit den "
    "Einstellungen für den Betrieb gibt es sie nicht. Konten für den Betrieb: "
    "manage.py createsuperuser"
)
ENDED = (Lauf.Status.FERTIG, Lauf.Status.GESCHEITERT)


def _require_free(port: int) -> None:
    """Before any work is done: another server on the port would answer in our place."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(
                f"Port {port} ist belegt. Ein anderer: make demo PORT=8001"
            ) from error


def _in_words(assessment: Assessment) -> str:
    counts = Counter(assessment.belege.values_list("zustand", flat=True))
    return (
        f"{assessment.get_status_display()}, "
        f"{counts[Beleg.Zustand.ANGENOMMEN]} Zitate gefunden und bewiesen, "
        f"{counts[Beleg.Zustand.OFFEN]} offen, {counts[Beleg.Zustand.VERWORFEN]} verworfen"
    )


class Command(BaseCommand):
    help = "Shows the whole product on invented documents: ingest, assess, publish, verify, serve."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-serve", action="store_true", help="end after the summary")
        parser.add_argument(
            "--port", type=int, default=8000, help="port of the web server (default: 8000)"
        )

    def handle(self, *args: Any, no_serve: bool, port: int, **options: Any) -> None:
        if not settings.DEMO_ALLOWED:
            raise CommandError(_NOT_IN_PRODUCTION)
        if not no_serve:
            _require_free(port)
        # Ctrl-C also where a shell started this in the background and told it to ignore that.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.default_int_handler)
        with ExitStack() as stack:
            self._stop_database_afterwards(stack)
            try:
                self._show(stack, port=None if no_serve else port)
            except KeyboardInterrupt:
                self.stdout.write("\nWird beendet.")
            except loading.AndereBeispiele as error:
                raise CommandError(f"{error}\n{_WITH_A_NEW_DATABASE}") from error

    def _stop_database_afterwards(self, stack: ExitStack) -> None:
        """The embedded server, if it was not running before and nobody else uses it by then."""
        database = connections["default"]
        if isinstance(database, DatabaseWrapper) and not database.server.is_running():
            stack.callback(database.server.stop_if_unused)
        stack.callback(database.close)

    def _show(self, stack: ExitStack, *, port: int | None) -> None:
        self._prepare()
        antraege = self._load_samples()
        logins = create_logins()
        self._start_worker(stack)
        self._assess([antrag for antrag in antraege if antrag.drucksache in ASSESSED])
        self._publish(antraege)
        self._say("Jedes gespeicherte Zitat mit einem zweiten Leseprogramm prüfen")
        call_command("verify_citations", stdout=self.stdout)
        if port is None:
            self._summary(antraege, logins, base="")
            return
        self._start_web(stack, port)
        self._summary(antraege, logins, base=f"http://127.0.0.1:{port}")
        while True:
            time.sleep(1)

    # --- Steps ---------------------------------------------------------------------------------

    def _prepare(self) -> None:
        self._say("Datenbank vorbereiten")
        call_command("migrate", verbosity=0)
        call_command("load_parlamente", stdout=self.stdout)
        call_command("setup_groups", stdout=self.stdout)
        call_command("setup_schedules", stdout=self.stdout)
        loading.load_parlamente()

    def _load_samples(self) -> list[Antrag]:
        self._say("Beispielprogramme einlesen")
        for programm in loading.load_programme():
            self.stdout.write(f"  {programm}: {programm.chunks.count()} Passagen")
        self._say("Beispielanträge einlesen")
        antraege = []
        for antrag in loading.load_antraege():
            self.stdout.write(f"  {antrag}: {antrag.titel}")
            antraege.append(antrag)
        return [antrag for antrag in antraege if antrag.parlament.code == "ML"]

    def _start_worker(self, stack: ExitStack) -> None:
        env = {}
        if not llm.is_configured():
            self._say("Kein Modell eingerichtet: Ein Beispielmodell antwortet auf diesem Rechner")
            replay = stack.enter_context(ReplayServer(loading.SAMPLES / "antworten"))
            env = {"LLM_BASE_URL": replay.base_url, "LLM_API_KEY": "x", "LLM_MODEL": "muster-1"}
        # Who tries the desk out sees it at once, not two questions first.
        env |= {"EIGENURTEIL_ANTEIL": "0"}
        log = self._log("worker")
        stack.enter_context(running("manage.py", "qcluster", env=env, log=log))

    def _assess(self, antraege: list[Antrag]) -> None:
        self._say("Über die Warteschlange bewerten")
        for antrag in antraege:
            if antrag.assessments.exists():
                self.stdout.write(f"  {antrag}: schon bewertet")
            else:
                self._wait_for(enqueue_assessment(antrag.fassung))

    def _wait_for(self, lauf: Lauf) -> None:
        shown = ""
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            lauf.refresh_from_db()
            if lauf.schritt and lauf.schritt != shown:
                shown = lauf.schritt
                self.stdout.write(f"  {lauf.fassung.antrag}: {shown}")
            if lauf.status in ENDED:
                break
            time.sleep(0.1)
        if lauf.status != Lauf.Status.FERTIG:
            reason = lauf.fehler or f"kein Ende nach {WAIT_SECONDS} s"
            raise CommandError(f"{lauf}: {reason} (Protokoll: {self._log('worker')})")

    def _publish(self, antraege: list[Antrag]) -> None:
        (clean,) = [antrag for antrag in antraege if antrag.drucksache == PUBLISHED]
        if publish_if_clean(clean):
            self._say(f"Zwei Personen haben {clean} freigegeben und veröffentlicht")

    def _start_web(self, stack: ExitStack, port: int) -> None:
        # Long enough for an upload of a whole programme, which is read while the browser waits.
        limits = ("--threads", "4", "--timeout", "300")
        arguments = ("-m", "gunicorn", "gwoe.wsgi", "--bind", f"127.0.0.1:{port}", *limits)
        env = {
            "DJANGO_SETTINGS_MODULE": "gwoe.settings.dev",
            "DEBUG": "False",
            "SITE_URL": f"http://127.0.0.1:{port}",
        }
        process = stack.enter_context(running(*arguments, env=env, log=self._log("web")))
        time.sleep(1.5)
        if process.poll() is not None:
            raise CommandError(
                f"Der Webserver ist nicht gestartet (Protokoll: {self._log('web')})."
            )

    # --- Words ---------------------------------------------------------------------------------

    def _summary(self, antraege: list[Antrag], logins: list[Zugang], *, base: str) -> None:
        rows = Assessment.objects.filter(antrag__in=antraege).order_by("pk")
        self._say("Zusammenfassung")
        for each in rows:
            self.stdout.write(f"  {each.antrag}: {_in_words(each)}")
        if base:
            review = rows.to_review().filter(antrag__nummer=IN_REVIEW.split("/")[1]).first()
            self._show_places(base, desk=f"{review.pk}/pruefen/" if review else "")
            self._show_logins(logins)
            self.stdout.write("  Strg-C beendet Webserver, Warteschlange und Datenbank.")

    def _show_places(self, base: str, *, desk: str) -> None:
        self._say("Zum Ansehen")
        self.stdout.write(
            f"  1. {base}/  die öffentliche Liste; die Bewertung öffnen, dann ein Zitat: Genau "
            "seine Worte sind markiert\n"
            f"  2. {base}/redaktion/assessments/pruefauftrag/{desk}  der Arbeitsplatz der "
            "Redaktion: was der Server mit jedem falschen Zitat getan hat\n"
            f"  3. {base}/api/v1/docs  die Daten dahinter"
        )

    def _show_logins(self, logins: list[Zugang]) -> None:
        self.stdout.write("  Neue Passwörter bei jedem Start:")
        for login in logins:
            self.stdout.write(
                f"  Anmelden als {login.username} ({login.group}), Passwort {login.password}"
            )

    def _say(self, text: str) -> None:
        self.stdout.write(self.style.MIGRATE_HEADING(text))

    def _log(self, name: str) -> Path:
        return Path(settings.VAR_DIR) / f"{name}.log"
