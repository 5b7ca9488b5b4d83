// Short ASCII texts from their bytes, as one flat string: joined character by character, V8 would
// keep a chain of pieces and flatten it at the first look.

export function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode.apply(undefined, bytes as unknown as number[]);
}
