// Larger memory for records that keep their slots. It copies: `ArrayBuffer.transfer` would detach
// the old memory, and after one detached buffer V8 checks every access to every typed array.

/** A copy of the first `used` bytes at the start of `size` bytes; the rest is zero. */
export function grownMemory(memory: ArrayBufferLike, size: number, used: number): ArrayBuffer {
  const grown = new ArrayBuffer(size);
  new Uint8Array(grown).set(new Uint8Array(memory, 0, used));
  return grown;
}
