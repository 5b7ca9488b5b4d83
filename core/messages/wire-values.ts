// Wire types of fixed width, written and read at an offset, little-endian. Every value has exactly
// one encoding; anything else is a CodecFault. The caller checks that the bytes exist.

import { CodecFault } from './codec-fault.ts';

/** A safe integer from 0 as a 64-bit float: V8's fastest encoding for 53 bits. */
export function putSafe(view: DataView, at: number, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) refuseValue(value, 'a safe integer from 0');
  // Adding 0 turns -0 into 0.
  view.setFloat64(at, value + 0, true);
}

export function getSafe(view: DataView, at: number): number {
  const value = view.getFloat64(at, true);
  if (!Number.isSafeInteger(value) || value < 0) refuseValue(value, 'a safe integer from 0');
  if (value === 0 && view.getInt32(at + 4, true) !== 0) {
    throw new CodecFault('not_canonical', 'zero has a sign');
  }
  return value;
}

export function putU32(view: DataView, at: number, value: number): void {
  if (value >>> 0 !== value) refuseValue(value, 'an integer of 32 bits');
  view.setUint32(at, value, true);
}

export function getU32(view: DataView, at: number): number {
  return view.getUint32(at, true);
}

/** A signed integer of 64 bits. */
export function putAtoms(view: DataView, at: number, value: bigint): void {
  if (BigInt.asIntN(64, value) !== value) refuseValue(value, 'an integer of 64 bits');
  view.setBigInt64(at, value, true);
}

export function getAtoms(view: DataView, at: number): bigint {
  return view.getBigInt64(at, true);
}

export function putBool(view: DataView, at: number, value: boolean): void {
  view.setUint8(at, value ? 1 : 0);
}

export function getBool(view: DataView, at: number): boolean {
  const value = view.getUint8(at);
  if (value > 1) throw new CodecFault('not_canonical', `${value} is not a boolean`);
  return value === 1;
}

/** The index of a word in its list. */
export function putWord<Value extends string>(
  view: DataView,
  at: number,
  list: readonly Value[],
  value: Value,
): void {
  for (let code = 0; code < list.length; code++) {
    if (list[code] === value) {
      view.setUint8(at, code);
      return;
    }
  }
  throw new CodecFault('unknown_word', `'${value}' is not one of ${list.join(', ')}`);
}

export function getWord<Value extends string>(
  view: DataView,
  at: number,
  list: readonly Value[],
): Value {
  const code = view.getUint8(at);
  if (code >= list.length) {
    throw new CodecFault('unknown_word', `${code} is beyond a list of ${list.length}`);
  }
  return list[code];
}

function refuseValue(value: number | bigint, wanted: string): never {
  throw new CodecFault('out_of_range', `${value} is not ${wanted}`);
}
