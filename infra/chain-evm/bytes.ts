// Reads the values of JSON-RPC: bytes and quantities in hexadecimal. Nodes can answer anything, so
// every value is checked; a wrong one throws a NodeFault.

import { keccak_256 } from '@noble/hashes/sha3.js';
import { NodeFault } from './faults.ts';

const BYTES = /^0x(?:[0-9a-f]{2})*$/i;
const QUANTITY = /^0x[0-9a-f]{1,64}$/i;

export function bytesIn(value: unknown, length?: number): Uint8Array {
  if (typeof value !== 'string' || !BYTES.test(value)) {
    throw new NodeFault(`expected bytes in hexadecimal, received ${shown(value)}`);
  }
  const bytes = Buffer.from(value.slice(2), 'hex');
  if (length !== undefined && bytes.length !== length) {
    throw new NodeFault(`expected ${length} bytes, received ${bytes.length}`);
  }
  return bytes;
}

export function quantityIn(value: unknown): bigint {
  if (typeof value !== 'string' || !QUANTITY.test(value)) {
    throw new NodeFault(`expected a quantity in hexadecimal, received ${shown(value)}`);
  }
  return BigInt(value);
}

export function numberIn(value: unknown): number {
  const number = Number(quantityIn(value));
  if (!Number.isSafeInteger(number))
    throw new NodeFault(`expected a safe integer, received ${number}`);
  return number;
}

export function addressIn(value: unknown): string {
  return hexOf(bytesIn(value, 20));
}

export function hashIn(value: unknown): string {
  return hexOf(bytesIn(value, 32));
}

export function recordIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw new NodeFault(`expected an object, received ${shown(value)}`);
}

export function listIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new NodeFault(`expected a list, received ${shown(value)}`);
}

/** The shortest big-endian bytes, as RLP wants them; none for 0. */
export function quantityBytes(value: unknown): Uint8Array {
  const digits = quantityIn(value).toString(16);
  if (digits === '0') return new Uint8Array();
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

/** With `0x`, in lower case. */
export function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

export function quantityText(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak_256(bytes);
}

export function keccakHex(bytes: Uint8Array): string {
  return hexOf(keccak(bytes));
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
}
