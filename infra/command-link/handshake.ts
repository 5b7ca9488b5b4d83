// The handshake of a link connection. Each end proves that it knows the token from the leader's
// heartbeats, for a nonce of the other end. The token itself is never sent. The gateway also signs
// both nonces with the key of its identity.
//   gateway ─ Hello ─▶ server    server ─ Answer ─▶ gateway    gateway ─ Confirmation ─▶ server

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where a leader's link server listens; published in its heartbeats. */
export interface LinkAddress {
  readonly host: string;
  readonly port: number;
  /** Known only to processes that can read the bus. */
  readonly token: string;
}

/** `subject` is the subject whose messages the gateway wants on this connection. */
export type Hello = { readonly subject: string; readonly nonce: string };
export type Answer = { readonly nonce: string; readonly proof: string };
/** `signature` is '' from a process without a key, which only development accepts. */
export type Confirmation = { readonly proof: string; readonly signature: string };

const NONCE_BYTES = 16;
const TOKEN_BYTES = 32;
const HANDSHAKE_TEXT_MAX = 200;
/** Limits for a peer that has not proved anything yet. */
export const HANDSHAKE_BYTES_MAX = 1_024;
export const HANDSHAKE_WITHIN_MS = 5_000;

export function drawNonce(): string {
  return randomBytes(NONCE_BYTES).toString('hex');
}

export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString('hex');
}

export function proofBy(role: 'server' | 'gateway', token: string, nonce: string): string {
  return createHmac('sha256', token).update(`${role} ${nonce}`).digest('hex');
}

/**
 * The text that a gateway signs. Its beginning keeps it apart from everything else that the same
 * key signs, and the token binds it to this server.
 */
export function textToSign(
  subject: string,
  token: string,
  nonces: { readonly server: string; readonly gateway: string },
): string {
  return `rialto link ${subject} ${token} ${nonces.server} ${nonces.gateway}`;
}

export function isProof(proof: string, expected: string): boolean {
  const [one, other] = [Buffer.from(proof), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

export function encodeHandshake(message: Hello | Answer | Confirmation): Uint8Array {
  return Buffer.from(JSON.stringify(message));
}

/** Undefined unless the message has all of these fields, as short strings. */
export function decodeHandshake<Name extends string>(
  message: Uint8Array,
  names: readonly Name[],
): Record<Name, string> | undefined {
  try {
    const fields = JSON.parse(Buffer.from(message).toString());
    return names.every((name) => isText(fields?.[name])) ? fields : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.length <= HANDSHAKE_TEXT_MAX;
}

/** Undefined when a heartbeat has no address, or one that cannot be connected to. */
export function decodeLinkAddress(value: unknown): LinkAddress | undefined {
  const { host, port, token } = (value ?? {}) as Record<string, unknown>;
  if (typeof host !== 'string' || host === '' || typeof token !== 'string') return undefined;
  const isPort = Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536;
  return isPort ? { host, port: Number(port), token } : undefined;
}
