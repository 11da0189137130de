/* A picture as a list of rectangles, grids, lines and texts, which a canvas shows and an SVG holds. */

const MAX_CANVAS = 16000; // pixels on a side; browsers draw nothing on larger canvases

/*
 * One colour a bank, four banks (16 bytes) a hue. Neighbours differ in lightness, which everybody sees:
 * tests/explorer/test_explorer_colors.py measures them for three kinds of colour blindness.
 */
const BANK_COLORS = [
  "#ffd9d3 #bb8e88 #efc2bb #a87c76 #deeb8e #8ea424 #c5d862 #799004",
  "#d1e7bd #85a06d #b9d3a0 #748e5d #e9dde3 #a3949c #d6c7cf #91828a",
  "#e4d8fe #9d8fbc #d0c2f1 #8d7fac #dce3f3 #929baf #c6cee2 #7e869a",
  "#95eece #2ba784 #69dcb6 #0f9876 #c3eca7 #71a652 #a6d985 #5f9441",
].flatMap((row) => row.split(" "));

export class Picture {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.shapes = [];
  }

  rect(x, y, width, height, fill, { stroke = null, alpha = 1, weight = 1.5 } = {}) {
    this.shapes.push({ kind: "rect", x, y, width, height, fill, stroke, alpha, weight });
  }

  /* Cells row by row; `palette`: [colour, alpha] for each number in `cells`. */
  grid(x, y, size, cols, cells, palette) {
    this.shapes.push({ kind: "grid", x, y, size, cols, cells, palette });
  }

  line(x, y, toX, toY, stroke) {
    this.shapes.push({ kind: "line", x, y, toX, toY, stroke });
  }

  text(x, y, text, { size = 11, anchor = "middle", color = "ink" } = {}) {
    this.shapes.push({ kind: "text", x, y, text: String(text), size, anchor, color });
  }

  /* On a canvas, in the colours of the theme; one that is too large for a browser is shown at less resolution. */
  show(canvas, colors) {
    const sharpness = Math.max(1, window.devicePixelRatio || 1);
    const ratio = Math.min(sharpness, MAX_CANVAS / Math.max(this.width, this.height));
    canvas.width = Math.ceil(this.width * ratio);
    canvas.height = Math.ceil(this.height * ratio);
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    for (const shape of this.shapes) PAINT[shape.kind](context, shape, colors);
  }

  svg(colors, title) {
    const color = (name) => colors[name] ?? name;
    const shapes = this.shapes.map((shape) => SVG[shape.kind](shape, color)).join("");
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    return (
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif">` +
      `<title>${escape(title)}</title><rect width="100%" height="100%" fill="${colors.paper}"/>${shapes}</svg>`
    );
  }
}

/* How each kind of shape gets onto a canvas. */
const PAINT = {
  text(context, { x, y, text, size, anchor, color }, colors) {
    context.font = `${size}px system-ui, sans-serif`;
    context.textAlign = { start: "left", middle: "center", end: "right" }[anchor];
    context.textBaseline = "middle";
    context.fillStyle = colors[color] ?? color;
    context.fillText(text, x, y);
  },

  line(context, { x, y, toX, toY, stroke }, colors) {
    context.strokeStyle = colors[stroke] ?? stroke;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(toX, toY);
    context.stroke();
  },

  rect(context, { x, y, width, height, fill, stroke, alpha, weight }, colors) {
    if (fill) {
      context.globalAlpha = alpha;
      context.fillStyle = colors[fill] ?? fill;
      context.fillRect(x, y, width, height);
      context.globalAlpha = 1;
    }
    if (stroke) {
      context.strokeStyle = colors[stroke] ?? stroke;
      context.lineWidth = weight;
      context.strokeRect(x + weight / 2, y + weight / 2, width - weight, height - weight);
    }
  },

  /* One pixel per cell, then enlarged: 16,384 rectangles would take too long. */
  grid(context, { x, y, size, cols, cells, palette }, colors) {
    const rows = cells.length / cols;
    const sheet = document.createElement("canvas");
    sheet.width = Math.max(cols, palette.length);
    sheet.height = rows + 1;
    const pixels = sheet.getContext("2d", { willReadFrequently: true });
    palette.forEach(([color, alpha], i) => {
      pixels.globalAlpha = alpha;
      pixels.fillStyle = colors[color];
      pixels.fillRect(i, rows, 1, 1);
    });
    const known = new Uint32Array(pixels.getImageData(0, rows, palette.length, 1).data.buffer);
    const image = pixels.createImageData(cols, rows);
    const to = new Uint32Array(image.data.buffer);
    for (let i = 0; i < cells.length; i++) to[i] = known[cells[i]];
    pixels.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(sheet, 0, 0, cols, rows, x, y, cols * size, rows * size);
  },
};

/* The text of each kind of shape in an SVG. */
const SVG = {
  text({ x, y, text, size, anchor, color: name }, color) {
    const style = `font-size="${size}" text-anchor="${anchor}" dominant-baseline="central"`;
    return `<text x="${x}" y="${y}" ${style} fill="${color(name)}">${escape(text)}</text>`;
  },

  line({ x, y, toX, toY, stroke }, color) {
    return `<line x1="${x}" y1="${y}" x2="${toX}" y2="${toY}" stroke="${color(stroke)}"/>`;
  },

  rect({ x, y, width, height, fill, stroke, alpha, weight }, color) {
    const half = stroke ? weight / 2 : 0;
    const outline = stroke ? ` stroke="${color(stroke)}" stroke-width="${weight}"` : "";
    const place = `x="${x + half}" y="${y + half}" width="${width - 2 * half}" height="${height - 2 * half}"`;
    return `<rect ${place} fill="${fill ? color(fill) : "none"}"${opacity(alpha)}${outline}/>`;
  },

  grid({ x, y, size, cols, cells, palette }, color) {
    const rects = runsOf(cells, cols).map(([first, end]) => {
      const [fill, alpha] = palette[cells[first]];
      const place = `x="${x + (first % cols) * size}" y="${y + Math.floor(first / cols) * size}"`;
      const shape = `width="${(end - first) * size}" height="${size}"`;
      return `<rect ${place} ${shape} fill="${color(fill)}"${opacity(alpha)}/>`;
    });
    return rects.join("");
  },
};

const opacity = (alpha) => (alpha < 1 ? ` fill-opacity="${alpha}"` : "");

/* Text for XML, with a question mark for each character that XML does not allow. */
function escape(text) {
  const marked = text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
  return marked.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "?");
}

/* Runs of equal cells within a row: [first, end]. */
export function runsOf(cells, cols) {
  const found = [];
  for (let first = 0, i = 1; i <= cells.length; i++) {
    if (i % cols !== 0 && cells[i] === cells[first]) continue;
    found.push([first, i]);
    first = i;
  }
  return found;
}

/* The colours of the style sheet, which owns those of both themes. */
export function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "ink", "muted", "line", "accent", "bad", "good"];
  const colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  BANK_COLORS.forEach((color, bank) => (colors[`bank${bank}`] = color));
  return colors;
}
