// XRP Ledger addresses: the classic form with a separate tag, and X-addresses, which include the
// tag and the network (XLS-5). Both are converted to the classic form and a tag.

import { decodeChecked, encodeChecked, isZero } from './checked-base58.ts';
import type { Destination } from './destination.ts';

const CLASSIC_PREFIX = 0x00;
const X_PREFIXES = { main: [0x05, 0x44], test: [0x04, 0x93] } as const;
const TAG = /^(?:0|[1-9][0-9]{0,9})$/;
const TAG_MAX = 2 ** 32 - 1;

export function parseXrp(
  given: Destination | undefined,
  network: keyof typeof X_PREFIXES,
): Destination | undefined {
  if (given === undefined) return undefined;
  const { address, tag } = given;
  if (tag !== '' && !(TAG.test(tag) && Number(tag) <= TAG_MAX)) return undefined;
  const bytes = decodeChecked('xrp', address);
  if (bytes === undefined) return undefined;
  if (bytes.length === 21) {
    const isAccount = bytes[0] === CLASSIC_PREFIX && !isZero(bytes);
    return isAccount ? given : undefined;
  }
  const inside = parseX(bytes, network);
  // A separate tag must equal the one inside the X-address. Otherwise it is ambiguous.
  return inside !== undefined && (tag === '' || tag === inside.tag) ? inside : undefined;
}

/** Prefix (2), account (20), whether it has a tag (1), tag (8, little endian). */
function parseX(bytes: Uint8Array, network: keyof typeof X_PREFIXES): Destination | undefined {
  const [first, second] = X_PREFIXES[network];
  if (bytes.length !== 31 || bytes[0] !== first || bytes[1] !== second) return undefined;
  const account = bytes.subarray(2, 22);
  const hasTag = bytes[22];
  const tag = Buffer.from(bytes.subarray(23)).readBigUInt64LE();
  const isForm = hasTag === 1 ? tag <= BigInt(TAG_MAX) : hasTag === 0 && tag === 0n;
  if (!isForm || isZero(account)) return undefined;
  const address = encodeChecked('xrp', Uint8Array.of(CLASSIC_PREFIX, ...account));
  return { address, tag: hasTag === 1 ? `${tag}` : '' };
}
