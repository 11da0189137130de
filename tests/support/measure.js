// Measured in a page at once: every text against what it stands on, its size, its box and its
// neighbours. A function without arguments that gives plain values.
() => {
  const known = new Map(); // few colours, many texts
  const rgba = (colour) => {
    if (!known.has(colour)) {
      const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
      known.set(colour, [r, g, b, a]);
    }
    return [...known.get(colour)];
  };
  const mix = (top, below) =>
    [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);

  // relative luminance and contrast as WCAG defines them
  const luminance = (colour) => {
    const [r, g, b] = colour.slice(0, 3).map((part) => {
      const c = part / 255;
      return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };

  const behind = (element) => {
    const colours = [];
    for (let at = element; at; at = at.parentElement)
      colours.push(rgba(getComputedStyle(at).backgroundColor));
    return colours.reverse().reduce((below, top) => mix(top, below), [255, 255, 255, 1]);
  };
  const fillOf = (shape) => {
    const style = getComputedStyle(shape);
    if (style.fill === "none") return [0, 0, 0, 0];
    const colour = rgba(style.fill);
    colour[3] *= Number(style.fillOpacity) * Number(style.opacity);
    return colour;
  };

  const plain = ({ left, right, top, bottom }) => ({ left, right, top, bottom });

  const found = { texts: [], overlaps: [], runaways: [], boxed: 0, pairs: 0 };

  const measureHtml = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const words = node.data.trim();
      if (!words || parent.closest("svg") || !parent.getClientRects().length) continue;
      const style = getComputedStyle(parent);
      const size = parseFloat(style.fontSize);
      found.texts.push([words.slice(0, 40), contrast(rgba(style.color), behind(parent)), size]);
    }
  };

  const measureText = (element, rects, sheet, page) => {
    const bounds = element.getBoundingClientRect();
    const x = (bounds.left + bounds.right) / 2;
    const y = (bounds.top + bounds.bottom) / 2;
    const under = [];
    for (const rect of rects) {
      const at = rect.at;
      if (at.left <= x && x <= at.right && at.top <= y && y <= at.bottom) under.push(rect);
    }
    const ground = under.reduce((below, { fill }) => mix(fill, below), page);
    const words = element.textContent;
    const scale = element.getScreenCTM().a;
    const spans = [...element.querySelectorAll("tspan")];
    let size = 0;
    for (const part of spans.length ? spans : [element]) {
      const style = getComputedStyle(part);
      size = parseFloat(style.fontSize) * scale;
      found.texts.push([part.textContent.slice(0, 40), contrast(rgba(style.fill), ground), size]);
    }
    const inside = (box, by) => box.left - by <= bounds.left && bounds.right <= box.right + by;
    if (!inside(sheet, 0) || bounds.top < sheet.top || sheet.bottom < bounds.bottom)
      found.runaways.push(`${words} runs out of the sheet`);
    if (under.length > 1) {
      found.boxed += 1;
      if (!inside(under[under.length - 1].at, 0.5))
        found.runaways.push(`${words} runs out of its box`);
    }
    // the bounds have room for accents and descenders: the letters are lower; several lines: none
    if (bounds.height > 1.5 * 1.17 * size) return null;
    const top = bounds.top + size * 0.25;
    return { left: bounds.left, right: bounds.right, top, bottom: bounds.bottom - size * 0.22, words };
  };

  const compare = (boxes) => {
    boxes.sort((a, b) => a.top - b.top);
    boxes.forEach((a, i) => {
      for (let j = i + 1; j < boxes.length && boxes[j].top < a.bottom; j++) {
        const b = boxes[j];
        found.pairs += 1;
        if (a.left < b.right - 0.5 && b.left < a.right - 0.5)
          found.overlaps.push(`${a.words} | ${b.words}`);
      }
    });
  };

  for (const folded of document.querySelectorAll("details")) folded.open = true;
  measureHtml();
  for (const svg of document.querySelectorAll("svg")) {
    const page = behind(svg);
    const sheet = svg.getBoundingClientRect();
    const rects = [];
    const boxes = [];
    for (const element of svg.querySelectorAll("rect, text")) {
      if (element.tagName === "rect")
        rects.push({ at: plain(element.getBoundingClientRect()), fill: fillOf(element) });
      else boxes.push(measureText(element, rects, sheet, page));
    }
    compare(boxes.filter((box) => box));
  }
  found.scrollWidth = document.documentElement.scrollWidth;
  found.innerWidth = window.innerWidth;
  found.scripts = document.scripts.length;
  found.dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return found;
}
