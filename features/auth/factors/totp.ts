// One-time passwords from an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds). The secret
// is sealed. Each code is valid once across all gateways, because its time step is stored in the
// transaction that uses it.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';

/** A code that a user sends, and when. */
export interface SentCode {
  readonly user: UserId;
  readonly code: string;
  readonly nowMs: number;
}

export type TotpRefusal = 'otp_not_requested' | 'otp_already_enabled' | 'factor_wrong';

const SECRET_BYTES = 20;
const STEP_MS = 30_000;
/** Phone clocks differ, so codes of the adjacent steps are valid too. */
const STEPS_APART_MAX = 1;
const DIGITS = 6;
const CODE = /^\d{6}$/;
/** How long a secret can wait for its first code. */
const PENDING_MS = 600_000;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Creates a secret, which replaces one that was not activated. */
export async function requestTotp(
  statements: Statements,
  vault: Vault,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<{ readonly secret: string } | Refused<'otp_already_enabled'>> {
  const secret = randomBytes(SECRET_BYTES);
  const { kekId, sealed } = vault.seal(totpBound(user), secret);
  const { rowCount } = await statements.query(
    `insert into totp_secrets (user_id, kek_id, sealed_secret, state, created_at)
     values ($1, $2, $3, 'pending', to_timestamp($4 / 1000.0))
     on conflict (user_id) do update set kek_id = excluded.kek_id,
       sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
     where totp_secrets.state = 'pending'`,
    [user, kekId, sealed, nowMs],
  );
  return rowCount === 1 ? { secret: base32(secret) } : new Refused('otp_already_enabled');
}

/** Activates the secret with its first code, which counts as used. */
export async function activateTotp(
  statements: Statements,
  vault: Vault,
  sent: SentCode,
): Promise<'activated' | Refused<TotpRefusal>> {
  const row = await lockTotp(statements, vault, sent.user);
  if (row?.state === 'active') return new Refused('otp_already_enabled');
  if (row === undefined || sent.nowMs >= row.createdMs + PENDING_MS) {
    return new Refused('otp_not_requested');
  }
  return (await spendStep(statements, row.secret, sent))
    ? 'activated'
    : new Refused('factor_wrong');
}

/**
 * Accepts a code of the active secret once. Call it in the transaction of the action that it
 * permits. Attempts of one user wait for each other until their transactions end.
 */
export async function useTotp(
  statements: Statements,
  vault: Vault,
  sent: SentCode,
): Promise<boolean> {
  const row = await lockTotp(statements, vault, sent.user);
  return row?.state === 'active' && spendStep(statements, row.secret, sent);
}

export async function removeTotp(statements: Statements, user: UserId): Promise<boolean> {
  const { rowCount } = await statements.query('delete from totp_secrets where user_id = $1', [
    user,
  ]);
  return rowCount === 1;
}

/** Returns the text of the QR code for authenticator apps. */
export function totpUri(of: {
  readonly secret: string;
  readonly account: string;
  readonly exchange: string;
}): string {
  const [exchange, account] = [of.exchange, of.account].map(encodeURIComponent);
  return `otpauth://totp/${exchange}:${account}?secret=${of.secret}&issuer=${exchange}`;
}

/** Returns the code for a point in time; the secret is in base32, as apps show it. */
export function totpCode(secret: string, atMs: number): string {
  return codeOfStep(base32Bytes(secret), stepAt(atMs));
}

/** Returns the text that a sealed secret is bound to. */
export function totpBound(user: UserId): string {
  return `totp ${user}`;
}

interface TotpRow {
  readonly state: 'pending' | 'active';
  readonly secret: Uint8Array;
  readonly createdMs: number;
}

async function lockTotp(
  statements: Statements,
  vault: Vault,
  user: UserId,
): Promise<TotpRow | undefined> {
  const { rows } = await statements.query(
    `select state, kek_id, sealed_secret, created_at from totp_secrets
     where user_id = $1 for no key update`,
    [user],
  );
  return rows.map(({ created_at, kek_id, sealed_secret, state }) => ({
    state,
    secret: vault.open(totpBound(user), { kekId: idOf(kek_id), sealed: sealed_secret }),
    createdMs: created_at.getTime(),
  }))[0];
}

// The statement contains the condition, so the second of two transactions with the same code finds
// it spent.
async function spendStep(
  statements: Statements,
  secret: Uint8Array,
  { code, nowMs, user }: SentCode,
): Promise<boolean> {
  for (const step of matchingSteps(secret, code, nowMs)) {
    const { rowCount } = await statements.query(
      `update totp_secrets set state = 'active', last_step = $2
       where user_id = $1 and last_step < $2`,
      [user, step],
    );
    if (rowCount === 1) return true;
  }
  return false;
}

function matchingSteps(secret: Uint8Array, code: string, nowMs: number): number[] {
  const digits = code.replaceAll(' ', '');
  if (!CODE.test(digits)) return [];
  const steps = [];
  for (let apart = -STEPS_APART_MAX; apart <= STEPS_APART_MAX; apart++) {
    const step = stepAt(nowMs) + apart;
    const expected = codeOfStep(secret, step);
    if (timingSafeEqual(Buffer.from(expected), Buffer.from(digits))) steps.push(step);
  }
  return steps;
}

function stepAt(ms: number): number {
  return Math.floor(ms / STEP_MS);
}

function codeOfStep(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return `${number % 10 ** DIGITS}`.padStart(DIGITS, '0');
}

function base32(bytes: Uint8Array): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return bits.replace(/.{5}/g, (five) => BASE32[Number.parseInt(five, 2)]);
}

function base32Bytes(text: string): Uint8Array {
  let bits = '';
  for (const character of text) bits += BASE32.indexOf(character).toString(2).padStart(5, '0');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2));
}
