"use strict";

/* Lanes down, banks across: in which pass a bank serves a lane. */
const banksView = {
  left: 46, top: 36, cell: 16,

  /* `undefined_`: the lanes that have a finding, which are marked. */
  picture(shown, onlyPass, lane, undefined_) {
    const { left, top, cell } = banksView, picture = new Picture(left + BANKS * cell + 110, top + LANES * cell + 4);
    picture.text(left, 10, "bank", { anchor: "start", color: "muted" });
    picture.text(left - 6, 26, "lane", { anchor: "end", color: "muted" });
    picture.text(left + BANKS * cell + 8, 26, "pass of its group", { anchor: "start", color: "muted" });
    for (let bank = 0; bank < BANKS; bank += 2) picture.text(left + (bank + 0.5) * cell, 26, bank, { size: 10, color: "muted" });
    for (let one = 0; one < LANES; one++) {
      picture.rect(left, top + one * cell, BANKS * cell, cell - 1, "line");
      const color = undefined_.has(one) ? "bad" : one === lane ? "accent" : "ink";
      picture.text(left - 6, top + (one + 0.5) * cell, undefined_.has(one) ? `! ${one}` : one, { size: 10, anchor: "end", color });
    }
    const words = new Array(LANES).fill("");
    for (const one of cellsOf(shown)) {
      const isOn = onlyPass === null || one.number === onlyPass, shade = Math.min(one.pass, PASS_FILL.length - 1);
      const [x, y] = [left + one.bank * cell, top + one.lane * cell];
      picture.rect(x, y, cell - 1, cell - 1, isOn ? PASS_FILL[shade] : "muted", { alpha: isOn ? 1 : 0.25 });
      if (isOn) picture.text(x + cell / 2 - 0.5, y + cell / 2, one.pass, { size: 10, color: DARK_ON.includes(shade) ? BLACK : WHITE });
      words[one.lane] = `${one.pass} of group ${one.group}`;
    }
    words.forEach((text, one) => picture.text(left + BANKS * cell + 8, top + (one + 0.5) * cell, text, { size: 10, anchor: "start" }));
    return picture;
  },

  /* What a lane asks of which banks and when, and what is undefined there. */
  words(shown, findings, lane) {
    const own = cellsOf(shown).filter((one) => one.lane === lane), banks = [...new Set(own.map((one) => one.bank))];
    const passes = [...new Set(own.map((one) => `pass ${one.pass} of group ${one.group}`))];
    const served = own.length > 0 ? `bank${banks.length > 1 ? "s" : ""} ${banks.join(", ")} in ${passes.join(", ")}` : "asks for nothing";
    return [`Lane ${lane}: ${served}.`, ...findings.map((one) => `${one.rule} ${one.message}.`)].join(" ");
  },

  laneAt(y) {
    const lane = Math.floor((y - banksView.top) / banksView.cell);
    return lane >= 0 && lane < LANES ? lane : null;
  },
};
