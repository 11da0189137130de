"use strict";

/* A picture as a list of rectangles, lines and texts, which a canvas shows and an SVG holds. */
class Picture {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.shapes = [];
  }

  rect(x, y, width, height, fill, { stroke = null, alpha = 1, weight = 1.5 } = {}) {
    this.shapes.push({ x, y, width, height, fill, stroke, alpha, weight });
  }

  /* Cells row after row; `palette`: [colour, alpha] of each number in `cells`. */
  grid(x, y, size, cols, cells, palette) {
    this.shapes.push({ x, y, size, cols, cells, palette });
  }

  line(x, y, toX, toY, stroke) {
    this.shapes.push({ x, y, toX, toY, stroke });
  }

  text(x, y, text, { size = 11, anchor = "middle", color = "ink" } = {}) {
    this.shapes.push({ x, y, text: String(text), size, anchor, color });
  }

  /* Onto a canvas, in the colours of the theme; what browsers cannot hold is shown smaller. */
  show(canvas, colors) {
    const ratio = Math.min(Math.max(1, window.devicePixelRatio || 1), 16000 / Math.max(this.width, this.height));
    canvas.width = Math.ceil(this.width * ratio);
    canvas.height = Math.ceil(this.height * ratio);
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    for (const shape of this.shapes) this.#paint(context, shape, colors);
  }

  #paint(context, shape, colors) {
    if (shape.text !== undefined) {
      context.font = `${shape.size}px system-ui, sans-serif`;
      context.textAlign = { start: "left", middle: "center", end: "right" }[shape.anchor];
      context.textBaseline = "middle";
      context.fillStyle = colors[shape.color] ?? shape.color;
      context.fillText(shape.text, shape.x, shape.y);
      return;
    }
    if (shape.cells) return this.#paintGrid(context, shape, colors);
    if (shape.toX !== undefined) {
      context.strokeStyle = colors[shape.stroke] ?? shape.stroke;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(shape.x, shape.y);
      context.lineTo(shape.toX, shape.toY);
      context.stroke();
      return;
    }
    if (shape.fill) {
      context.globalAlpha = shape.alpha;
      context.fillStyle = colors[shape.fill] ?? shape.fill;
      context.fillRect(shape.x, shape.y, shape.width, shape.height);
      context.globalAlpha = 1;
    }
    if (shape.stroke) {
      const half = shape.weight / 2;
      context.strokeStyle = colors[shape.stroke] ?? shape.stroke;
      context.lineWidth = shape.weight;
      context.strokeRect(shape.x + half, shape.y + half, shape.width - shape.weight, shape.height - shape.weight);
    }
  }

  /* One pixel for each cell, made larger: 16,384 rectangles take too long. */
  #paintGrid(context, { x, y, size, cols, cells, palette }, colors) {
    const own = document.createElement("canvas"), rows = cells.length / cols;
    own.width = Math.max(cols, palette.length);
    own.height = rows + 1;
    const pixels = own.getContext("2d", { willReadFrequently: true });
    palette.forEach(([color, alpha], i) => {
      pixels.globalAlpha = alpha;
      pixels.fillStyle = colors[color];
      pixels.fillRect(i, rows, 1, 1);
    });
    const known = new Uint32Array(pixels.getImageData(0, rows, palette.length, 1).data.buffer);
    const image = pixels.createImageData(cols, rows), to = new Uint32Array(image.data.buffer);
    for (let i = 0; i < cells.length; i++) to[i] = known[cells[i]];
    pixels.putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(own, 0, 0, cols, rows, x, y, cols * size, rows * size);
  }

  static #gridSvg({ x, y, size, cols, cells, palette }, color) {
    return runsOf(cells, cols).map(([first, end]) => {
      const [fill, alpha] = palette[cells[first]], at = `x="${x + (first % cols) * size}" y="${y + Math.floor(first / cols) * size}"`;
      return `<rect ${at} width="${(end - first) * size}" height="${size}" fill="${color(fill)}"${alpha < 1 ? ` fill-opacity="${alpha}"` : ""}/>`;
    }).join("");
  }

  svg(colors, title) {
    const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "?");
    const color = (name) => colors[name] ?? name;
    const parts = this.shapes.map((shape) => {
      if (shape.cells) return Picture.#gridSvg(shape, color);
      if (shape.text !== undefined) {
        return `<text x="${shape.x}" y="${shape.y}" font-size="${shape.size}" text-anchor="${shape.anchor}" dominant-baseline="central" fill="${color(shape.color)}">${escape(shape.text)}</text>`;
      }
      if (shape.toX !== undefined) return `<line x1="${shape.x}" y1="${shape.y}" x2="${shape.toX}" y2="${shape.toY}" stroke="${color(shape.stroke)}"/>`;
      const half = shape.stroke ? shape.weight / 2 : 0, fill = shape.fill ? color(shape.fill) : "none";
      const stroke = shape.stroke ? ` stroke="${color(shape.stroke)}" stroke-width="${shape.weight}"` : "";
      const alpha = shape.alpha < 1 ? ` fill-opacity="${shape.alpha}"` : "";
      return `<rect x="${shape.x + half}" y="${shape.y + half}" width="${shape.width - 2 * half}" height="${shape.height - 2 * half}" fill="${fill}"${alpha}${stroke}/>`;
    });
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif"><title>${escape(title)}</title><rect width="100%" height="100%" fill="${colors.paper}"/>${parts.join("")}</svg>`;
  }
}

/* Runs of one value inside rows: [first, end]. */
function runsOf(cells, cols) {
  const found = [];
  for (let first = 0, i = 1; i <= cells.length; i++) {
    if (i % cols !== 0 && cells[i] === cells[first]) continue;
    found.push([first, i]);
    first = i;
  }
  return found;
}

/* The colours of the style sheet: one owner for both themes. */
function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "ink", "muted", "line", "accent", "bad", "good"];
  const colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const light = style.getPropertyValue("--bank-light").trim();
  for (let bank = 0; bank < 32; bank++) colors[`bank${bank}`] = `hsl(${Math.round(bank * 11.25)} 60% ${light})`;
  return colors;
}
