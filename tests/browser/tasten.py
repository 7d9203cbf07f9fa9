"""Counts what a hand does: each key by the item it was pressed for, and anything of a mouse."""

import json
from collections import Counter

# Runs on every page before its own scripts; the browser itself, not the test, sees the keys.
WATCH = """
    const keep = (name, what) => {
        const all = JSON.parse(sessionStorage.getItem(name) ?? "[]");
        sessionStorage.setItem(name, JSON.stringify([...all, what]));
    };
    addEventListener("keydown", e => {
        const item = location.pathname.match(/pruefauftrag\\/(\\d+)\\//);
        if (e.isTrusted) keep("pressed", [item ? Number(item[1]) : 0, e.key]);
    }, true);
    for (const kind of ["pointerdown", "mousedown", "mousemove", "wheel", "touchstart"]) {
        addEventListener(kind, e => { if (e.isTrusted) keep("mouse", kind); }, true);
    }
"""
FOCUS = """() => {
    const one = document.activeElement;
    const look = getComputedStyle(one), box = one.getBoundingClientRect();
    return {
        tag: one.tagName,
        ring: look.outlineStyle === "none" ? 0 : parseFloat(look.outlineWidth),
        seen: box.width > 0 && box.height > 0,
    };
}"""


class Tasten:
    """A page that is worked on by keys alone."""

    def __init__(self, page) -> None:
        self.page = page
        page.add_init_script(WATCH)

    def press(self, key: str) -> None:
        """A key that stays on the page."""
        self.page.keyboard.press(key)
        self.require_focus()

    def step(self, key: str) -> None:
        """A key that leads to another page."""
        with self.page.expect_navigation():
            self.page.keyboard.press(key)
        self.require_focus()

    def require_focus(self) -> None:
        """Something is focused, is there to be seen, and has its ring."""
        self.page.wait_for_function("document.activeElement !== document.body")
        focus = self.page.evaluate(FOCUS)
        assert focus["tag"] != "HTML", self.page.url
        assert focus["seen"], (self.page.url, focus)
        assert focus["ring"] >= 2, (self.page.url, focus)

    @property
    def pressed(self) -> list[tuple[int, str]]:
        """The item (0: none) and the key, in order."""
        kept = self.page.evaluate("sessionStorage.getItem('pressed') ?? '[]'")
        return [tuple(each) for each in json.loads(kept)]

    @property
    def per_item(self) -> Counter[int]:
        return Counter(item for item, _ in self.pressed if item)

    @property
    def mouse(self) -> list[str]:
        return json.loads(self.page.evaluate("sessionStorage.getItem('mouse') ?? '[]'"))
