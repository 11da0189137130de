/* Pointing at lanes and elements, with the mouse and with the arrow keys. */
import { $ } from "./dom.js";
import { setLink } from "./form.js";
import { LANES } from "./places.js";
import { accessShown, laneShown, session } from "./session.js";
import { showMarks, showPictures } from "./show.js";
import * as banksView from "./views/banks.js";
import * as fragmentView from "./views/fragment.js";
import * as tileView from "./views/tile.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function point(lane, cursor = null) {
  session.pointed = lane === null && cursor === null ? null : { lane: lane ?? undefined, cursor };
  showMarks();
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
  $(id).addEventListener("pointermove", (event) => point(laneOf(event)));
  $(id).addEventListener("click", (event) => {
    const lane = laneOf(event);
    if (lane !== null) keepLane(lane);
  });
  $(id).addEventListener("keydown", moveLane);
  $(id).addEventListener("pointerleave", () => point(null));
}

export function listenForPointer() {
  listenForLanes("banks", (event) => banksView.laneAt(event.offsetY));
  listenForLanes("fragment", laneInFragment);
  $("tile").addEventListener("pointermove", ({ offsetX, offsetY }) => {
    if (session.places) pointInTile(tileView.elementAt(session.answer.tile, offsetX, offsetY));
  });
  $("tile").addEventListener("click", () => {
    if (session.pointed?.lane !== undefined) keepLane(session.pointed.lane);
  });
  $("tile").addEventListener("keydown", moveCursor);
  $("tile").addEventListener("pointerleave", () => point(null));
}
