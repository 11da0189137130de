/* Lanes down, banks across: the pass in which a bank serves a lane. */
import { BLACK, DARK_ON, PASS_FILL, WHITE } from "../facts.js";
import { Picture } from "../picture.js";
import { BANKS, cellsOf, LANES } from "../places.js";

const LEFT = 46;
const TOP = 36;
const CELL = 16;
const RIGHT = LEFT + BANKS * CELL;

const middle = (index) => (index + 0.5) * CELL;

/* `wrong`: the lanes that have a finding, which are marked. */
export function draw(access, onlyPass, lane, wrong) {
  const picture = new Picture(RIGHT + 110, TOP + LANES * CELL + 4);
  drawAxes(picture, lane, wrong);
  const served = new Array(LANES).fill(""); // in words
  for (const cell of cellsOf(access)) {
    drawCell(picture, cell, onlyPass === null || cell.number === onlyPass);
    served[cell.lane] = `${cell.pass} of group ${cell.group}`;
  }
  served.forEach((text, i) => picture.text(RIGHT + 8, TOP + middle(i), text, { size: 10, anchor: "start" }));
  return picture;
}

function drawAxes(picture, lane, wrong) {
  picture.text(LEFT, 10, "bank", { anchor: "start", color: "muted" });
  picture.text(LEFT - 6, 26, "lane", { anchor: "end", color: "muted" });
  picture.text(RIGHT + 8, 26, "pass of its group", { anchor: "start", color: "muted" });
  for (let bank = 0; bank < BANKS; bank += 2) {
    picture.text(LEFT + middle(bank), 26, bank, { size: 10, color: "muted" });
  }
  for (let i = 0; i < LANES; i++) {
    picture.rect(LEFT, TOP + i * CELL, BANKS * CELL, CELL - 1, "line");
    const color = wrong.has(i) ? "bad" : i === lane ? "accent" : "ink";
    picture.text(LEFT - 6, TOP + middle(i), wrong.has(i) ? `! ${i}` : i, { size: 10, anchor: "end", color });
  }
}

function drawCell(picture, { lane, bank, pass }, isOn) {
  const shade = Math.min(pass, PASS_FILL.length - 1);
  const [x, y] = [LEFT + bank * CELL, TOP + lane * CELL];
  picture.rect(x, y, CELL - 1, CELL - 1, isOn ? PASS_FILL[shade] : "muted", { alpha: isOn ? 1 : 0.25 });
  const color = DARK_ON.includes(shade) ? BLACK : WHITE;
  if (isOn) picture.text(x + CELL / 2 - 0.5, y + CELL / 2, pass, { size: 10, color });
}

/* Which banks serve a lane and when, and what is undefined there. */
export function words(access, findings, lane) {
  const own = cellsOf(access).filter((cell) => cell.lane === lane);
  const banks = [...new Set(own.map((cell) => cell.bank))];
  const passes = [...new Set(own.map((cell) => `pass ${cell.pass} of group ${cell.group}`))];
  const served = `bank${banks.length > 1 ? "s" : ""} ${banks.join(", ")} in ${passes.join(", ")}`;
  const said = `Lane ${lane}: ${own.length > 0 ? served : "asks for nothing"}.`;
  return [said, ...findings.map((one) => `${one.rule} ${one.message}.`)].join(" ");
}

/* The lane at a height of the picture, or null. */
export function laneAt(y) {
  const lane = Math.floor((y - TOP) / CELL);
  return lane >= 0 && lane < LANES ? lane : null;
}
