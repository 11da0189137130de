/* Pointing at lanes and elements, with the mouse and with the arrow keys. */
import { $ } from "./dom.js";
import { setLink } from "./form.js";
import { LANES } from "./places.js";
import { accessOf, accessShown, laneShown, session } from "./session.js";
import { showMarks, showPictures } from "./show.js";
import * as banksView from "./views/banks.js";
import * as fragmentView from "./views/fragment.js";
import * as tileView from "./views/tile.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function point(lane, cursor = null) {
  session.pointed = lane === null && cursor === null ? null : { lane: lane ?? undefined, cursor };
  showMarks();
}

/* The words of an element of the page at the pointer, which is where the eyes are. */
function showTip(event, words) {
  const tip = $("tip");
  tip.hidden = words === "";
  if (tip.hidden) return;
  tip.textContent = words;
  const left = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const isLow = event.clientY + 18 + tip.offsetHeight > innerHeight;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${isLow ? event.clientY - 10 - tip.offsetHeight : event.clientY + 18}px`;
}

function tipBeside(event) {
  const { answer, state, places } = session.beside ?? {};
  const cursor = places && tileView.elementAt(answer.tile, event.offsetX, event.offsetY);
  showTip(event, cursor ? tileView.words(answer.tile, accessOf(answer, state), places, cursor) : "");
}

/* Chooses a lane, which the link keeps. */
function keepLane(lane) {
  session.state.lane = String(lane);
  $("lane").value = session.state.lane;
  setLink();
  session.pointed = null;
  showPictures();
}

function pointInTile(cursor) {
  const holders = cursor && accessShown() ? session.places.holders(...cursor) : [];
  point(holders.length > 0 ? holders[0][0] : null, cursor);
}

/* The first lane that holds the element under the pointer, or null. */
function laneInFragment({ offsetX, offsetY }) {
  const access = accessShown() ?? session.answer;
  const at = access.fragment && fragmentView.elementAt(access, offsetX, offsetY);
  return (at && fragmentView.holders(access).get(at.join())?.[0][0]) ?? null;
}

function moveCursor(event) {
  const step = ARROWS[event.key];
  if (step === undefined || !session.places) return;
  event.preventDefault();
  const { pointed, state, answer } = session;
  const [row, col] = pointed?.cursor ?? [Number(state.row) || 0, Number(state.col) || 0];
  const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
  pointInTile([within(row + step[0], answer.tile.rows), within(col + step[1], answer.tile.cols)]);
}

function moveLane(event) {
  const step = ARROWS[event.key];
  if (step === undefined) return;
  event.preventDefault();
  keepLane((laneShown() + step[0] + step[1] + LANES) % LANES);
}

/* A view of lanes: `laneOf` gives the lane of an event, or null. */
function listenForLanes(id, laneOf) {
  $(id).addEventListener("pointermove", (event) => {
    const lane = laneOf(event);
    point(lane);
    showTip(event, lane === null ? "" : $(`${id}-place`).textContent);
  });
  $(id).addEventListener("click", (event) => {
    const lane = laneOf(event);
    if (lane !== null) keepLane(lane);
  });
  $(id).addEventListener("keydown", moveLane);
  listenForLeaving(id);
}

function listenForLeaving(id) {
  $(id).addEventListener("pointerleave", (event) => {
    point(null);
    showTip(event, "");
  });
}

export function listenForPointer() {
  listenForLanes("banks", (event) => banksView.laneAt(event.offsetY));
  listenForLanes("fragment", laneInFragment);
  $("tile").addEventListener("pointermove", (event) => {
    const cursor = session.places && tileView.elementAt(session.answer.tile, event.offsetX, event.offsetY);
    if (session.places) pointInTile(cursor);
    showTip(event, cursor ? $("tile-place").textContent : "");
  });
  $("tile").addEventListener("click", () => {
    if (session.pointed?.lane !== undefined) keepLane(session.pointed.lane);
  });
  $("tile").addEventListener("keydown", moveCursor);
  $("beside-tile").addEventListener("pointermove", tipBeside);
  for (const id of ["tile", "beside-tile"]) listenForLeaving(id);
}
