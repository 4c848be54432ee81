// Draws the formulas of a page, which Sphinx has put between \[ and \], or \( and \).
document.addEventListener("DOMContentLoaded", function () {
  document.querySelectorAll(".math").forEach(function (element) {
    var text = element.textContent.trim();
    katex.render(text.slice(2, -2), element, {displayMode: text.slice(0, 2) === "\\[", throwOnError: false});
  });
});
