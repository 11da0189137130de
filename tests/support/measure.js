/*
 * Measures a page at once: every text against its background, its size, its box and its neighbours.
 * The last line gives plain values.
 */

const COLOURS = new Map(); // few colours, many texts

function rgba(colour) {
  if (!COLOURS.has(colour)) {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    COLOURS.set(colour, [r, g, b, a]);
  }
  return [...COLOURS.get(colour)];
}

function mix(top, below) {
  return [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
}

/* Relative luminance and contrast as WCAG defines them. */
function luminance(colour) {
  const [r, g, b] = colour.slice(0, 3).map((part) => {
    const c = part / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/* The background colour of an element of HTML. */
function backgroundOf(element) {
  const colours = [];
  for (let at = element; at; at = at.parentElement) {
    colours.push(rgba(getComputedStyle(at).backgroundColor));
  }
  return colours.reverse().reduce((below, top) => mix(top, below), [255, 255, 255, 1]);
}

function fillOf(shape) {
  const style = getComputedStyle(shape);
  if (style.fill === "none") return [0, 0, 0, 0];
  const colour = rgba(style.fill);
  colour[3] *= Number(style.fillOpacity) * Number(style.opacity);
  return colour;
}

function measureHtml(found) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const words = node.data.trim();
    if (!words || parent.closest("svg") || !parent.getClientRects().length) continue;
    const style = getComputedStyle(parent);
    const size = parseFloat(style.fontSize);
    found.texts.push([words.slice(0, 40), contrast(rgba(style.color), backgroundOf(parent)), size]);
  }
}

const isWithin = (bounds, box, by) => box.left - by <= bounds.left && bounds.right <= box.right + by;

/* Measures a text of an SVG, and gives the box of its letters; none if it has several lines. */
function measureText(found, element, rects, sheet, page) {
  const bounds = element.getBoundingClientRect();
  const words = element.textContent;
  const x = (bounds.left + bounds.right) / 2;
  const y = (bounds.top + bounds.bottom) / 2;
  const under = rects.filter(({ at }) => at.left <= x && x <= at.right && at.top <= y && y <= at.bottom);
  const ground = under.reduce((below, { fill }) => mix(fill, below), page);
  const size = measureLetters(found, element, ground);
  if (!isWithin(bounds, sheet, 0) || bounds.top < sheet.top || sheet.bottom < bounds.bottom) {
    found.runaways.push(`${words} runs out of the sheet`);
  }
  if (under.length > 1) {
    found.boxed += 1;
    if (!isWithin(bounds, under.at(-1).at, 0.5)) found.runaways.push(`${words} runs out of its box`);
  }
  if (bounds.height > 1.5 * 1.17 * size) return [];
  // the bounds have room for accents and descenders: the letters are lower
  const [top, bottom] = [bounds.top + size * 0.25, bounds.bottom - size * 0.22];
  return [{ left: bounds.left, right: bounds.right, top, bottom, words }];
}

/* Contrast and size of each part of a text; the size of the last one. */
function measureLetters(found, element, ground) {
  const scale = element.getScreenCTM().a;
  const spans = [...element.querySelectorAll("tspan")];
  let size = 0;
  for (const part of spans.length ? spans : [element]) {
    const style = getComputedStyle(part);
    size = parseFloat(style.fontSize) * scale;
    found.texts.push([part.textContent.slice(0, 40), contrast(rgba(style.fill), ground), size]);
  }
  return size;
}

function findOverlaps(found, boxes) {
  boxes.sort((a, b) => a.top - b.top);
  boxes.forEach((a, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
      const b = boxes[j];
      found.pairs += 1;
      if (a.left < b.right - 0.5 && b.left < a.right - 0.5) found.overlaps.push(`${a.words} | ${b.words}`);
    }
  });
}

function measureSvg(found, svg) {
  const page = backgroundOf(svg);
  const sheet = svg.getBoundingClientRect();
  const rects = [];
  const boxes = [];
  for (const element of svg.querySelectorAll("rect, text")) {
    if (element.tagName === "rect") rects.push({ at: element.getBoundingClientRect().toJSON(), fill: fillOf(element) });
    else boxes.push(...measureText(found, element, rects, sheet, page));
  }
  findOverlaps(found, boxes);
}

function measurePage() {
  const found = { texts: [], overlaps: [], runaways: [], boxed: 0, pairs: 0 };
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  measureHtml(found);
  for (const svg of document.querySelectorAll("svg")) measureSvg(found, svg);
  found.scrollWidth = document.documentElement.scrollWidth;
  found.innerWidth = window.innerWidth;
  found.scripts = document.scripts.length;
  found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return found;
}

measurePage();
