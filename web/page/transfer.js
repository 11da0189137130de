/* Out of the page: into the clipboard and into files. */
import { element } from "./dom.js";

/* What to say about it; the text itself if it cannot be copied. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied.";
  } catch {
    return copySelection(text) ? "Copied." : text;
  }
}

/* For pages that may not use the clipboard, such as those of a file. */
function copySelection(text) {
  const box = element("textarea", text, { "aria-hidden": "true" });
  document.body.append(box);
  box.select();
  const isDone = document.execCommand("copy");
  box.remove();
  return isDone;
}

export function saveSvg(text) {
  download(new Blob([text], { type: "image/svg+xml" }), "warpsim.svg");
}

/* The canvas on a ground of `paper`. */
export function savePng(canvas, paper) {
  const sheet = document.createElement("canvas");
  const context = sheet.getContext("2d");
  [sheet.width, sheet.height] = [canvas.width, canvas.height];
  context.fillStyle = paper;
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.drawImage(canvas, 0, 0);
  sheet.toBlob((blob) => download(blob, "warpsim.png"), "image/png");
}

function download(blob, name) {
  const anchor = element("a", undefined, { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}
