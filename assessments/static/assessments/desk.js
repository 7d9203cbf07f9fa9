// Tasten für den Prüftisch. Ohne JavaScript geht alles auch, nur langsamer: Jede Taste drückt einen Knopf der Seite.
"use strict";
{
  const SPEICHER = "gwoe-tasten";
  const wurzel = document.documentElement;
  const schalter = document.querySelector("[data-tasten=schalter]");

  function sindAn() {
    try {
      return localStorage.getItem(SPEICHER) !== "aus";
    } catch {
      return true;
    }
  }

  function zeige() {
    wurzel.dataset.tasten = sindAn() ? "an" : "aus";
    if (schalter) {
      schalter.textContent = sindAn() ? schalter.dataset.an : schalter.dataset.aus;
      schalter.parentElement.hidden = false;
    }
  }

  function schreibtGerade(ziel) {
    return ziel instanceof Element && ziel.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
  }

  function ziel(taste) {
    for (const kandidat of document.querySelectorAll("[aria-keyshortcuts]")) {
      if (kandidat.getAttribute("aria-keyshortcuts") === taste && !kandidat.disabled) {
        return kandidat;
      }
    }
    return null;
  }

  document.addEventListener("keydown", (ereignis) => {
    const mitZusatz = ereignis.ctrlKey || ereignis.altKey || ereignis.metaKey;
    if (!sindAn() || mitZusatz || ereignis.repeat || schreibtGerade(ereignis.target)) {
      return;
    }
    const taste = ereignis.key.toUpperCase();
    const gefunden = ziel(taste);
    if (gefunden) {
      ereignis.preventDefault();
      gefunden.focus();
      // Was sich nicht zurücknehmen lässt, drückt erst die Eingabetaste.
      if (!("nurFokus" in gefunden.dataset)) {
        gefunden.click();
      }
    } else {
      // Der Satz, der sagt, warum es nicht geht, bekommt den Fokus: So wird er gesehen und vorgelesen.
      document.querySelector(`[data-geht-nicht~="${CSS.escape(taste)}"]`)?.focus();
    }
  });

  if (schalter) {
    schalter.addEventListener("click", () => {
      try {
        localStorage.setItem(SPEICHER, sindAn() ? "aus" : "an");
      } catch {
        // Ohne Speicher gilt die Wahl nicht über diese Seite hinaus; die Tasten bleiben an.
      }
      zeige();
    });
  }

  // Wer mit Tasten arbeitet, liest nach jedem Schritt bei der nächsten Behauptung weiter, auf einer anderen Bewertung
  // bei ihrem Titel. Wer mit der Maus arbeitet, merkt davon nichts.
  const SCHRITT = "gwoe-schritt";
  const tisch = document.querySelector(".tisch");
  let mitTaste = false;

  function lies(name) {
    try {
      const wert = sessionStorage.getItem(name);
      sessionStorage.removeItem(name);
      return wert;
    } catch {
      return null;
    }
  }

  function setzeFokus() {
    const zuvor = lies(SCHRITT);
    if (zuvor === null || location.hash || document.querySelector("[autofocus]")) {
      return;
    }
    const behauptung = zuvor === tisch.dataset.bewertung ? document.querySelector("[data-fokus]") : null;
    (behauptung ?? tisch.querySelector("h1")).focus({ preventScroll: true });
  }

  document.addEventListener("keydown", () => { mitTaste = true; }, true);
  document.addEventListener("pointerdown", () => { mitTaste = false; }, true);
  window.addEventListener("pagehide", () => {
    try {
      if (mitTaste) {
        sessionStorage.setItem(SCHRITT, tisch.dataset.bewertung);
      }
    } catch {
      // Ohne Speicher beginnt die nächste Seite oben, wie jede andere.
    }
  });

  // Ein zweiter Klick auf denselben Knopf schickt nichts mehr ab; der Server lehnte ihn ohnehin ab.
  document.addEventListener("submit", (ereignis) => {
    const formular = ereignis.target;
    if (formular.method !== "post") {
      return;
    }
    if (formular.dataset.unterwegs) {
      ereignis.preventDefault();
    }
    formular.dataset.unterwegs = "ja";
  });

  // Zurück im Browser zeigt die Seite aus dem Zwischenspeicher: Dann ist nichts mehr unterwegs.
  window.addEventListener("pageshow", () => {
    for (const formular of document.querySelectorAll("form[data-unterwegs]")) {
      delete formular.dataset.unterwegs;
    }
  });

  // Wer eine freie Bewertung öffnet, reserviert sie. Ohne JavaScript tut das der Knopf oder die erste Entscheidung.
  async function reserviere(formular) {
    const daten = new FormData(formular);
    daten.set("nur", "stand");
    const antwort = await fetch(formular.action, { method: "POST", body: daten });
    if (antwort.ok) {
      const seite = new DOMParser().parseFromString(await antwort.text(), "text/html");
      const stand = seite.querySelector("[data-reservierung]");
      if (stand) {
        formular.closest("[data-reservierung]").replaceWith(stand);
      }
    }
  }

  const gleich = document.querySelector("form[data-gleich]");
  if (gleich) {
    reserviere(gleich).catch(() => {
      // Ohne Netz bleibt der Knopf stehen.
    });
  }

  zeige();
  setzeFokus();
}
