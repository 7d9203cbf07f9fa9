"""Looks at a page as everybody sees it: rules of accessibility, light and dark, wide and narrow."""

from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What depends on colours and sizes; all other rules answer the same in every scheme and width.
LOOKS = ["color-contrast", "link-in-text-block", "target-size", "scrollable-region-focusable"]
# So high that no bar that sticks to the edge lies over anything.
WIDE, PHONE = {"width": 1280, "height": 8000}, {"width": 390, "height": 844}
NARROWEST = {"width": 320, "height": 844}
# Without "preload", which parses style sheets in elements that the policy forbids.
RUN_AXE = """options => axe.run(
    document, {...options, preload: false, resultTypes: ["violations"]}).then(
    found => found.violations.map(v => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 160)]))"""
OPEN_DETAILS = "document.querySelectorAll('details').forEach(d => { d.open = true })"
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
LAID_OUT = "new Promise(done => requestAnimationFrame(() => setTimeout(done)))"


class Blick:
    """One browser tab that looks at page after page and keeps what is wrong with each.

    What the console complains about, above all the policy, fails the test by itself (`open_page`).
    """

    def __init__(self, page) -> None:
        self.page = page
        self.findings: list[tuple[str, object]] = []
        self.axe = Axe().axe_script
        self.own = ""
        page.on("request", self._keep_foreign)

    def _keep_foreign(self, request) -> None:
        parts = urlsplit(request.url)
        self.own = self.own or parts.netloc
        if parts.scheme != "data" and parts.netloc != self.own:
            self.findings.append((self.page.url, f"asks {request.url}"))

    def look(self, address: str) -> None:
        self._as("light", WIDE)
        self.page.goto(address)
        self.look_here()

    def look_here(self) -> None:
        """All rules in light on a wide screen; those of looks also in the dark and narrow.

        Leaves the page light and wide, with everything unfolded.
        """
        self._as("light", WIDE)
        self.page.evaluate(OPEN_DETAILS)
        self.page.evaluate(self.axe)
        self._run("light, wide", {"runOnly": TAGS})
        self._as("dark", WIDE)
        self._run("dark, wide", {"runOnly": LOOKS[:2]})
        self._as("dark", PHONE)
        self._run("dark, narrow", {"runOnly": LOOKS})
        self._measure()
        self._as("light", NARROWEST)
        self._measure()
        self._as("light", WIDE)

    def require_nothing(self) -> None:
        assert not self.findings, "\n".join(f"{url}: {what}" for url, what in self.findings)

    def _as(self, scheme: str, size: dict[str, int]) -> None:
        self.page.emulate_media(color_scheme=scheme)
        self.page.set_viewport_size(size)

    def _run(self, how: str, options: dict) -> None:
        for found in self.page.evaluate(RUN_AXE, options):
            self.findings.append((self.page.url, f"{how}: {found}"))

    def _measure(self) -> None:
        self.page.evaluate(LAID_OUT)
        if wider := self.page.evaluate(TOO_WIDE):
            width = self.page.viewport_size["width"]
            self.findings.append((self.page.url, f"{wider} px wider than {width}"))
