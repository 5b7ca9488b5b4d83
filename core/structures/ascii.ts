// Makes a flat string from ASCII bytes. Joining characters one by one would give V8 a chain of
// pieces that it flattens on the first read.

export function asciiOf(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes);
}
