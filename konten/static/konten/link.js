// Was hinter dem # steht, kommt ins Feld und aus der Adresszeile.
const feld = document.getElementById("id_code");
if (feld && location.hash.length > 1) {
  feld.value = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  document.querySelector("#link-form input[type=submit]").focus();
}
