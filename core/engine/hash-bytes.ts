// A 128-bit hash of bytes for comparing states. Fast and identical on every machine, but not
// cryptographic: against forgery the journal chains frames with a cryptographic hash.

const LANES = 4;
const BLOCK_BYTES = LANES * 4;
const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

export function hashBytes(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [a, b, c, d] = PRIMES as readonly number[];
  const blocks = bytes.length - (bytes.length % BLOCK_BYTES);
  for (let at = 0; at < blocks; at += BLOCK_BYTES) {
    a = round(a, view.getInt32(at, true)) ^ d;
    b = round(b, view.getInt32(at + 4, true)) ^ a;
    c = round(c, view.getInt32(at + 8, true)) ^ b;
    d = round(d, view.getInt32(at + 12, true)) ^ c;
  }
  for (let at = blocks; at < bytes.length; at++) a = round(a ^ d, bytes[at]);
  a ^= bytes.length;
  // Three final rounds spread the last block to every lane.
  for (let turn = 0; turn < 3; turn++) {
    a = round(a, d);
    b = round(b, a);
    c = round(c, b);
    d = round(d, c);
  }
  return [a, b, c, d].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
}

function round(lane: number, word: number): number {
  const mixed = (lane + Math.imul(word, 0xc2b2ae3d)) | 0;
  return Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1);
}
