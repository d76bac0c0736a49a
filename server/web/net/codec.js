// @ts-check
/** Turns messages into WebSocket frames and back, in the subprotocol that the server chose. */

/** @typedef {{ encode(value: unknown): Uint8Array, decode(bytes: Uint8Array): unknown }} MessagePack */

export const SUBPROTOCOLS = ["fairdeal.v1.msgpack", "fairdeal.v1.json"];

/**
 * @param {string} subprotocol the one that the server chose
 * @param {object} message
 * @returns {string | Uint8Array<ArrayBuffer>}
 */
export function encode(subprotocol, message) {
  if (subprotocol === "fairdeal.v1.json") return JSON.stringify(message);
  return /** @type {Uint8Array<ArrayBuffer>} */ (messagePack().encode(message));
}

/**
 * @param {string | ArrayBuffer} frame
 * @returns {any} a message: a map with `t`
 */
export function decode(frame) {
  return typeof frame === "string" ? JSON.parse(frame) : messagePack().decode(new Uint8Array(frame));
}

/** The vendored library is published as one classic script, which index.html loads before the modules. */
function messagePack() {
  return /** @type {{ MessagePack: MessagePack }} */ (/** @type {unknown} */ (globalThis)).MessagePack;
}
