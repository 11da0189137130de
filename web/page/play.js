/* Plays through the passes of an access, one after the other. */
import { $ } from "./dom.js";
import { passesOf } from "./places.js";
import { accessShown, passShown, session } from "./session.js";
import { showPictures } from "./show.js";

const STEP_MILLISECONDS = 600;
let timer = null;

function choose(pass) {
  session.state.pass = pass;
  $("pass").value = pass;
  showPictures();
}

export function stop() {
  clearInterval(timer);
  timer = null;
  $("play").textContent = "Play";
}

/* The pass after the one that is shown; all of them after the last. */
function step() {
  const access = accessShown();
  const next = (passShown() ?? -1) + 1;
  const isOver = !access || next >= passesOf(access).length;
  choose(isOver ? "" : String(next));
  if (isOver) stop();
}

export function togglePlay() {
  if (timer !== null) return stop();
  timer = setInterval(step, STEP_MILLISECONDS);
  $("play").textContent = "Pause";
  return step();
}
