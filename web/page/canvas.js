/* What boxes and fields of the page show: a picture, an error. */
import { $ } from "./dom.js";
import { themeColors } from "./picture.js";

/* A picture on a canvas of its box; `words` say what it is to those who do not see it. */
export function show(id, picture, words, layer = 0) {
  const canvas = $(id).querySelectorAll("canvas")[layer];
  picture.show(canvas, themeColors());
  if (layer === 0) canvas.setAttribute("aria-label", words);
}

export function setError(input, words) {
  $(`${input}-error`).textContent = words;
  $(input).setAttribute("aria-invalid", String(words !== ""));
}
