// Draws the formulas of a page, which Sphinx has put between \[ and \], or \( and \).
document.addEventListener("DOMContentLoaded", function () {
  var formulas = document.querySelectorAll(".math");
  for (var i = 0; i < formulas.length; ++i) {
    var text = formulas[i].textContent.trim();
    katex.render(text.slice(2, -2), formulas[i], {displayMode: text.slice(0, 2) === "\\[", throwOnError: false});
  }
});
