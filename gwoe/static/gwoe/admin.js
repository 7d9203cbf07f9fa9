// Namen für das, was Djangos Formulare ohne Namen lassen, und Kästen, die sich auch mit Tasten schieben lassen.
// Ohne JavaScript steht alles da wie bei Django.
"use strict";
{
  const worte = (element) => (element?.textContent ?? "").trim().replace(/:$/, "");

  function name(feld) {
    if (feld.closest("td.delete")) {
      return "Löschen";
    }
    const zelle = feld.closest("td[class*=field-]");
    const spalte = zelle && [...zelle.classList].find((klasse) => klasse.startsWith("field-"));
    const kopf = spalte
      ? zelle.closest("table").querySelector(`thead .${spalte.replace("field-", "column-")}`)
      : feld.closest(".form-row")?.querySelector("label, legend");
    const teil = { vDateField: "Datum", vTimeField: "Uhrzeit" }[feld.className];
    return [worte(kopf), teil].filter(Boolean).join(": ");
  }

  function benenne() {
    for (const feld of document.querySelectorAll("#content :is(input, select, textarea)")) {
      const hatNamen = feld.labels?.length || feld.hasAttribute("aria-label") || feld.hasAttribute("aria-labelledby");
      if (feld.type !== "hidden" && !hatNamen && name(feld)) {
        feld.setAttribute("aria-label", name(feld));
      }
    }
    // Die Beschriftung der Suche ist eine Lupe.
    document.getElementById("searchbar")?.setAttribute("aria-label", "Suchen");
    for (const liste of document.querySelectorAll(".select2-selection")) {
      const beschriftung = liste.closest(".select2-container").previousElementSibling?.labels?.[0];
      if (beschriftung) {
        beschriftung.id ||= `name-${beschriftung.htmlFor}`;
        const gewaehlt = liste.querySelector("[id]");
        gewaehlt.setAttribute("aria-labelledby", beschriftung.id);
        liste.setAttribute("aria-labelledby", `${beschriftung.id} ${gewaehlt.id}`);
      }
    }
    for (const kopf of document.querySelectorAll(".tabular th:empty")) {
      kopf.innerHTML = '<span class="visually-hidden">Eintrag</span>';
    }
    for (const hilfe of document.querySelectorAll(".help-tooltip[aria-label]")) {
      hilfe.setAttribute("role", "img");
    }
  }

  function macheSchiebbar() {
    for (const kasten of document.querySelectorAll(".inline-group")) {
      if (kasten.scrollWidth > kasten.clientWidth) {
        kasten.tabIndex = 0;
      } else {
        kasten.removeAttribute("tabindex");
      }
    }
  }

  window.addEventListener("load", () => {
    macheSchiebbar();
    // Hinter allem, was Djangos eigene Skripte noch aufbauen.
    (window.django?.jQuery ?? queueMicrotask)(benenne);
  });
  window.addEventListener("resize", macheSchiebbar);
  document.addEventListener("formset:added", benenne);
}
