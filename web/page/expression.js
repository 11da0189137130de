/* Addresses as an expression in lane, with the operators and the integers of Python, as the command line takes them. */

const TOKEN = /\s*(0x[\da-f]+|\d+|lane|<<|>>|\/\/|[-+*%&|^~()])/iy;
const MAX_SHIFT = 64n;

/* From the loosest to the tightest. */
const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "//", "%"]];

const ACT = {
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "&": (a, b) => a & b,
  "<<": (a, b) => (b < 0n || b > MAX_SHIFT ? fail() : a << b),
  ">>": (a, b) => (b < 0n ? fail() : a >> b),
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "//": floor,
  "%": (a, b) => a - floor(a, b) * b,
};

const SIGNS = { "-": (a) => -a, "+": (a) => a, "~": (a) => ~a };

function floor(a, b) {
  const whole = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? whole - 1n : whole;
}

/* The addresses of `lanes` lanes, between spaces; a text without lane, or that is not an expression, as it is. */
export function expand(text, lanes) {
  if (!/\blane\b/.test(text)) return text;
  try {
    const words = tokens(text);
    return Array.from({ length: lanes }, (_, lane) => evaluate(words, BigInt(lane))).join(" ");
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError) return text;
    throw error;
  }
}

function tokens(text) {
  const found = [];
  for (let at = 0; text.slice(at).trim() !== ""; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const [, word] = TOKEN.exec(text) ?? fail();
    found.push(word);
  }
  return found;
}

function evaluate(words, lane) {
  let at = 0;
  const operand = () => {
    const word = words[at++] ?? "";
    if (word in SIGNS) return SIGNS[word](operand());
    if (word === "lane") return lane;
    if (word !== "(") return /^\d/.test(word) ? BigInt(word) : fail();
    const value = level(0);
    return words[at++] === ")" ? value : fail();
  };
  const level = (n) => {
    if (n === LEVELS.length) return operand();
    let value = level(n + 1);
    while (LEVELS[n].includes(words[at])) value = ACT[words[at++]](value, level(n + 1));
    return value;
  };
  const value = level(0);
  return at === words.length ? value : fail();
}

function fail() {
  throw new SyntaxError("not an expression in lane");
}
