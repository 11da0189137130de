"use strict";

/* A picture as a list of rectangles and texts, which a canvas shows and an SVG holds. */
class Picture {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.shapes = [];
  }

  rect(x, y, width, height, fill, stroke) {
    this.shapes.push({ x, y, width, height, fill, stroke });
  }

  text(x, y, text, { size = 11, anchor = "middle", color = "ink" } = {}) {
    this.shapes.push({ x, y, text: String(text), size, anchor, color });
  }

  /* Onto a canvas, in the colours of the theme. */
  show(canvas, colors) {
    const ratio = Math.max(1, Math.round(window.devicePixelRatio || 1));
    canvas.width = this.width * ratio;
    canvas.height = this.height * ratio;
    canvas.style.width = `${this.width}px`;
    canvas.style.height = `${this.height}px`;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.fillStyle = colors.paper;
    context.fillRect(0, 0, this.width, this.height);
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
    if (shape.fill) {
      context.fillStyle = colors[shape.fill] ?? shape.fill;
      context.fillRect(shape.x, shape.y, shape.width, shape.height);
    }
    if (shape.stroke) {
      context.strokeStyle = colors[shape.stroke] ?? shape.stroke;
      context.lineWidth = 1.5;
      context.strokeRect(shape.x + 0.75, shape.y + 0.75, shape.width - 1.5, shape.height - 1.5);
    }
  }

  svg(colors, title) {
    const escape = (text) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
    const parts = this.shapes.map((shape) => {
      if (shape.text !== undefined) {
        const fill = colors[shape.color] ?? shape.color;
        return `<text x="${shape.x}" y="${shape.y}" font-size="${shape.size}" text-anchor="${shape.anchor}" dominant-baseline="central" fill="${fill}">${escape(shape.text)}</text>`;
      }
      const fill = shape.fill ? colors[shape.fill] ?? shape.fill : "none";
      const stroke = shape.stroke ? ` stroke="${colors[shape.stroke] ?? shape.stroke}" stroke-width="1.5"` : "";
      return `<rect x="${shape.x}" y="${shape.y}" width="${shape.width}" height="${shape.height}" fill="${fill}"${stroke}/>`;
    });
    const size = `width="${this.width}" height="${this.height}" viewBox="0 0 ${this.width} ${this.height}"`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif"><title>${escape(title)}</title><rect width="100%" height="100%" fill="${colors.paper}"/>${parts.join("")}</svg>`;
  }
}

/* The colours of the style sheet: one owner for both themes. */
function themeColors() {
  const style = getComputedStyle(document.documentElement);
  const names = ["paper", "ink", "muted", "line", "accent", "bad", "good"];
  const colors = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  const light = style.getPropertyValue("--bank-light").trim();
  for (let bank = 0; bank < 32; bank++) colors[`bank${bank}`] = `hsl(${Math.round(bank * 11.25)} 55% ${light})`;
  return colors;
}
