// How the two ends of a line get to know each other: each proves that it knows the token of the
// leader's beats, for a number that the other has just drawn. The token itself is never sent.
//
//   gateway ─ Hello ─▶ door      door ─ Answer ─▶ gateway      gateway ─ Confirmation ─▶ door

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where a leader's door is; told in its beats. */
export interface LinkAddress {
  readonly host: string;
  readonly port: number;
  /** Only who can hear the bus knows it. */
  readonly token: string;
}

/** The subject whose messages the gateway would like to have on this line. */
export type Hello = { readonly subject: string; readonly nonce: string };
export type Answer = { readonly nonce: string; readonly proof: string };
export type Confirmation = { readonly proof: string };

const NONCE_BYTES = 16;
const TOKEN_BYTES = 32;
const HANDSHAKE_TEXT_MAX = 200;
/** Of one who has shown no proof yet: so much is heard, and for so long. */
export const HANDSHAKE_BYTES_MAX = 1_024;
export const HANDSHAKE_WITHIN_MS = 5_000;

export function drawNonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

export function proofBy(role: 'door' | 'gateway', token: string, nonce: string): string {
  return createHmac('sha256', token).update(`${role} ${nonce}`).digest('hex');
}

export function isProof(proof: string, expected: string): boolean {
  const [one, other] = [Buffer.from(proof), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function encodeWord(word: Hello | Answer | Confirmation): Uint8Array {
  return Buffer.from(JSON.stringify(word));
}

/** Undefined unless it has all of these as texts. */
export function decodeWord<Name extends string>(
  message: Uint8Array,
  names: readonly Name[],
): Record<Name, string> | undefined {
  try {
    const word = JSON.parse(Buffer.from(message).toString());
    return names.every((name) => isText(word?.[name])) ? word : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= HANDSHAKE_TEXT_MAX;
}

/** Undefined when a beat has none, or one that can not be dialled. */
export function decodeDoorAddress(value: unknown): LinkAddress | undefined {
  const { host, port, token } = (value ?? {}) as Record<string, unknown>;
  if (typeof host !== 'string' || host === '' || typeof token !== 'string') return undefined;
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  return isPort ? { host, port: Number(port), token } : undefined;
}
