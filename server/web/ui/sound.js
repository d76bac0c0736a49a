// @ts-check
/** Short sounds, made on the spot: nothing is loaded. Silent until the reader has touched the page, as browsers want it. */

import { on } from "../store/settings.js";

/** What is heard: notes one after the other, Hz. */
const NOTES = {
  tick: [660],
  go: [990],
  card: [240],
  refused: [150, 120],
  won: [523, 659, 784, 1047],
  over: [392, 330],
};
const NOTE_S = 0.09;
const LOUD = 0.06;

/** @type {AudioContext | undefined} */
let audio;

/** @param {keyof typeof NOTES} name */
export function sound(name) {
  if (!on("sound") || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") void audio.resume();
  NOTES[name].forEach((pitch, index) => note(/** @type {AudioContext} */ (audio), pitch, index * NOTE_S));
}

/**
 * @param {AudioContext} context
 * @param {number} pitch Hz
 * @param {number} after s
 */
function note(context, pitch, after) {
  const [begin, tone, volume] = [context.currentTime + after, context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, begin);
  volume.gain.exponentialRampToValueAtTime(0.001, begin + NOTE_S);
  tone.connect(volume).connect(context.destination);
  tone.start(begin);
  tone.stop(begin + NOTE_S);
}
