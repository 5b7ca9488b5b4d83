// Challenges that a passkey signs. A challenge carries its own proof: a keyed hash binds it to its
// purpose, user, flow and expiry, so nothing is stored when it is issued. Only spent challenges are
// stored, so each is accepted once.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';

export type ChallengePurpose = 'register_passkey' | 'passkey_login' | 'prove_passkey';

export interface ChallengeUse {
  readonly purpose: ChallengePurpose;
  /** 0 until the user is known. */
  readonly user: UserId | 0;
  /** Texts that identify the flow, strongest first: a session, a cookie, a network. */
  readonly flows: readonly string[];
  readonly nowMs: number;
}

export const CHALLENGE_LIFE_MS = 300_000;

const NONCE_BYTES = 16;
const EXPIRY_BYTES = 6;
const MAC_BYTES = 32;
const HEAD_BYTES = NONCE_BYTES + EXPIRY_BYTES;
const MAC_LABEL = 'challenge';

export function issueChallenge(vault: Vault, use: ChallengeUse): Uint8Array<ArrayBuffer> {
  const [flow] = use.flows;
  const head = Buffer.alloc(HEAD_BYTES);
  randomBytes(NONCE_BYTES).copy(head);
  head.writeUIntBE(use.nowMs + CHALLENGE_LIFE_MS, NONCE_BYTES, EXPIRY_BYTES);
  const mac = vault.mac(MAC_LABEL, boundText(use, flow, head));
  return Uint8Array.from([...head, ...mac]);
}

/**
 * Returns true if the challenge was issued for this use, is not expired and was not spent. Call it
 * outside any transaction and before the signature is checked, so a challenge is spent even if the
 * check fails.
 */
export async function spendChallenge(
  statements: Statements,
  vault: Vault,
  { challenge, ...use }: ChallengeUse & { readonly challenge: string },
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const isCanonical = bytes.toString('base64url') === challenge;
  if (!isCanonical || bytes.length !== HEAD_BYTES + MAC_BYTES) return false;
  const head = bytes.subarray(0, HEAD_BYTES);
  const expiresMs = head.readUIntBE(NONCE_BYTES, EXPIRY_BYTES);
  if (use.nowMs >= expiresMs) return false;
  const sent = bytes.subarray(HEAD_BYTES);
  const isIssued = use.flows.some((flow) =>
    vault.macs(MAC_LABEL, boundText(use, flow, head)).some((mac) => timingSafeEqual(mac, sent)),
  );
  if (!isIssued) return false;
  const { rowCount } = await statements.query(
    `insert into spent_challenges (hash, expires_at) values ($1, to_timestamp($2 / 1000.0))
     on conflict (hash) do nothing`,
    [createHash('sha256').update(bytes).digest(), expiresMs],
  );
  return rowCount === 1;
}

function boundText(use: ChallengeUse, flow: string, head: Uint8Array): string {
  return `${use.purpose} ${use.user} ${Buffer.from(head).toString('hex')} ${flow}`;
}
