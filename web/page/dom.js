/* Elements of the page: found, made, filled. */

export const $ = (id) => document.getElementById(id);

/* The section around an element; null outside of the views. */
export const sectionOf = (id) => $(id).closest("section");

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/* The options of a select or a datalist. */
export function setOptions(id, values, words = (value) => value) {
  $(id).replaceChildren(...values.map((value) => element("option", words(value), { value })));
}

export function say(words) {
  $("status").textContent = words;
}
