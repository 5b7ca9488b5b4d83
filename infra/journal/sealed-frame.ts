// A message of the COMMANDS log: a command frame followed by the SHA-256 of its bytes. The same
// hash chains the next frame to it. It detects a torn message immediately and not one frame
// later.

import { hash } from 'node:crypto';

export const HASH_BYTES = 32;

/** The previous hash of the first frame. */
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

export function hashFrame(frame: Uint8Array): Uint8Array {
  return hash('sha256', frame, 'buffer');
}

export function sealFrame(frame: Uint8Array, frameHash: Uint8Array): Uint8Array {
  const message = new Uint8Array(frame.length + HASH_BYTES);
  message.set(frame);
  message.set(frameHash, frame.length);
  return message;
}

export interface SealedFrame {
  readonly frame: Uint8Array;
  readonly frameHash: Uint8Array;
}

/** Undefined when the message does not match its hash. */
export function openSealedFrame(message: Uint8Array): SealedFrame | undefined {
  if (message.length < HASH_BYTES) return undefined;
  const frame = message.subarray(0, message.length - HASH_BYTES);
  const frameHash = hashFrame(frame);
  return equalBytes(frameHash, message.subarray(frame.length)) ? { frame, frameHash } : undefined;
}

export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
