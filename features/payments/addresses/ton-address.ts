// TON addresses in their friendly form: flags, workchain, 32 bytes and a CRC, in Base64. The bounce
// flag is the sender's choice, not part of the address, so the canonical spelling is the
// non-bounceable form. The raw form has no checksum and is rejected.

import { base64urlnopad } from '@scure/base';
import { decodeOrUndefined, isZero } from './checked-base58.ts';
import type { Destination } from './destination.ts';

const BOUNCES = 0x11;
const BOUNCES_NOT = 0x51;
const TEST = 0x80;
const WORKCHAINS = [0x00, 0xff];
/** Bytes before the checksum. */
const BODY_LENGTH = 34;
/** Comment length that every wallet can show. */
const COMMENT_LENGTH_MAX = 120;

export function parseTon(
  given: Destination | undefined,
  network: 'main' | 'test',
): Destination | undefined {
  if (given === undefined || given.tag.length > COMMENT_LENGTH_MAX) return undefined;
  const text = given.address.replaceAll('+', '-').replaceAll('/', '_');
  const bytes = decodeOrUndefined(base64urlnopad, text);
  if (bytes?.length !== BODY_LENGTH + 2) return undefined;
  const body = bytes.subarray(0, BODY_LENGTH);
  if (crc16(body) !== Buffer.from(bytes).readUInt16BE(BODY_LENGTH)) return undefined;
  const networkFlag = network === 'test' ? TEST : 0;
  const isForm = [BOUNCES, BOUNCES_NOT].some((flag) => body[0] === (flag | networkFlag));
  if (!isForm || !WORKCHAINS.includes(body[1]) || isZero(body.subarray(2))) return undefined;
  return { address: encode(BOUNCES_NOT | networkFlag, body), tag: given.tag };
}

function encode(flags: number, body: Uint8Array): string {
  const bytes = Buffer.alloc(BODY_LENGTH + 2);
  bytes.set(body);
  bytes[0] = flags;
  bytes.writeUInt16BE(crc16(bytes.subarray(0, BODY_LENGTH)), BODY_LENGTH);
  return base64urlnopad.encode(bytes);
}

/** CRC-16/XMODEM. Node has no 16-bit CRC. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : ((crc << 1) ^ 0x1021) & 0xffff;
    }
  }
  return crc;
}
