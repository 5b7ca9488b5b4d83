// CRC-32 (the zlib polynomial) of UTF-8 text, because browsers do not provide one.

const POLYNOMIAL = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? POLYNOMIAL : 0);
  return value;
});

const encoder = new TextEncoder();

/** `before` is the checksum of the preceding text, for running checksums. */
export function crc32(text: string, before = 0): number {
  let value = ~before;
  for (const byte of encoder.encode(text)) value = (value >>> 8) ^ table[(value ^ byte) & 0xff];
  return ~value >>> 0;
}
