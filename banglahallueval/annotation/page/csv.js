"use strict";

/** Rows of a CSV text (RFC 4180): quoted commas, quotes and line breaks, BOM, LF or CRLF. */
function parseCsv(text) {
  const rows = [];
  let row = [], cell = "", quoted = false;
  const input = text.replace(/^\uFEFF/, "");
  for (let at = 0; at < input.length; at++) {
    const sign = input[at];
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (input[at + 1] === '"') { cell += '"'; at++; }
      else quoted = false;
    } else if (sign === '"' && cell === "") quoted = true;
    else if (sign === ",") { row.push(cell); cell = ""; }
    else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && input[at + 1] === "\n") at++;
      row.push(cell); rows.push(row); row = []; cell = "";
    } else cell += sign;
  }
  if (cell !== "" || row.length) { row.push(cell); rows.push(row); }
  return rows.filter((cells) => cells.length > 1 || cells[0] !== "");
}

/** A CSV text with a BOM, which makes spreadsheets read it as UTF-8. */
function writeCsv(rows) {
  const quote = (cell) => /[",\r\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell;
  return "\uFEFF" + rows.map((row) => row.map(quote).join(",") + "\r\n").join("");
}
