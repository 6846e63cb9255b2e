"use strict";
// Sorts tables by their headings, each task's rows among themselves, and says which tables go on to
// the right. Texts are compared as Bengali is ordered, and numbers in them as numbers.
{
  const collator = new Intl.Collator(["bn", "en"], { numeric: true });

  const isUnknown = (cell) => cell.hasAttribute("data-unknown");

  function compare(a, b, direction) {
    if (isUnknown(a) || isUnknown(b)) return isUnknown(a) - isUnknown(b);
    const [x, y] = [a.dataset.number, b.dataset.number];
    if (x !== undefined && y !== undefined) return direction * (Number(x) - Number(y));
    return direction * collator.compare(a.textContent, b.textContent);
  }

  function sort(table, head) {
    const isRising = head.getAttribute("aria-sort") !== "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isRising ? "ascending" : "descending");
    for (const body of table.tBodies) {
      const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
      rows.sort((a, b) =>
        compare(a.cells[head.cellIndex], b.cells[head.cellIndex], isRising ? 1 : -1));
      body.append(...rows);
    }
  }

  for (const table of document.querySelectorAll("table.data")) {
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("th");
      if (event.target.closest("button")) sort(table, head);
    });
  }

  // A region is a stop of the keyboard only while there is something to scroll.
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const goesOn = target.scrollWidth > target.clientWidth + 1;
      target.toggleAttribute("tabindex", goesOn);
      if (goesOn) target.tabIndex = 0;
      const aside = target.nextElementSibling;
      if (aside?.classList.contains("aside")) aside.hidden = !goesOn;
    }
  });
  for (const region of document.querySelectorAll(".scroll")) watched.observe(region);
}
