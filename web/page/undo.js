/* States to go back to, as links. Edits of one field, one after the other, are one change. */

const MAX_PAST = 200;

const past = [];
const future = [];
let field = null; // the field of the last change

/* Before a change: `link` is the state that it ends, `key` the field or null. Whether it is a change of its own. */
export function remember(key, link) {
  const isNew = key === null || key !== field;
  if (isNew) past.push(link);
  if (past.length > MAX_PAST) past.shift();
  field = key;
  future.length = 0;
  return isNew;
}

/* The next edit of the same field is a change of its own. */
export function settle() {
  field = null;
}

/* The state before the last change, or null; `link` is the one shown now. */
export const back = (link) => move(past, future, link);

/* The state that back() left. */
export const forward = (link) => move(future, past, link);

export const canGo = () => ({ undo: past.length > 0, redo: future.length > 0 });

function move(from, to, link) {
  if (from.length === 0) return null;
  to.push(link);
  field = null;
  return from.pop();
}
