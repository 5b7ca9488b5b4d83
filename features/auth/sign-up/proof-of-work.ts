// Puzzles that cost the sender processor time and the exchange nothing. A challenge carries its own
// proof, so only solved ones are stored, and each is accepted once. The difficulty is the number of
// leading zero bits in the hash of challenge and answer.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';

export interface Challenge {
  readonly challenge: string;
  /** Bits. */
  readonly difficulty: number;
  readonly expiresAtMs: number;
}

export interface SentSolution {
  /** The challenge, a colon, and the answer. */
  readonly solution: string;
  /** A challenge with fewer bits is rejected. */
  readonly difficultyMin: number;
  readonly nowMs: number;
}

/** Why a solution is rejected; the client fetches a new challenge. */
export type SolutionRefusal = 'missing' | 'malformed' | 'expired' | 'too easy' | 'wrong' | 'used';

const LABEL = 'proof of work';
const CHALLENGE_LIFE_MS = 300_000;
const RANDOM_BYTES = 12;
const SOLUTION = /^((\d{13})\.(\d{1,2})\.[\w-]{16})\.([\w-]{43}):([\w-]{1,32})$/;

export function makeChallenge(vault: Vault, difficulty: number, nowMs: number): Challenge {
  const expiresAtMs = nowMs + CHALLENGE_LIFE_MS;
  const text = `${expiresAtMs}.${difficulty}.${randomBytes(RANDOM_BYTES).toString('base64url')}`;
  const mac = vault.mac(LABEL, text).toString('base64url');
  return { challenge: `${text}.${mac}`, difficulty, expiresAtMs };
}

/** Returns undefined if the solution is accepted and spent. */
export async function spendSolution(
  statements: Statements,
  vault: Vault,
  { difficultyMin, nowMs, solution }: SentSolution,
): Promise<SolutionRefusal | undefined> {
  if (solution === '') return 'missing';
  const [, text, expiresAt, difficulty, mac] = SOLUTION.exec(solution) ?? [];
  if (text === undefined) return 'malformed';
  const sent = Buffer.from(mac, 'base64url');
  if (!vault.macs(LABEL, text).some((own) => timingSafeEqual(own, sent))) return 'malformed';
  if (Number(expiresAt) <= nowMs) return 'expired';
  if (Number(difficulty) < difficultyMin) return 'too easy';
  const hash = createHash('sha256').update(solution).digest();
  if (zeroBits(hash) < Number(difficulty)) return 'wrong';
  const { rowCount } = await statements.query(
    `insert into spent_challenges (hash, expires_at) values ($1, $2)
     on conflict (hash) do nothing`,
    [createHash('sha256').update(`${LABEL} ${text}`).digest(), new Date(Number(expiresAt))],
  );
  return rowCount === 1 ? undefined : 'used';
}

/** Solves it like a client, by trying numbers until one fits. */
export function solveChallenge({ challenge, difficulty }: Challenge): string {
  for (let answer = 0; ; answer++) {
    const solution = `${challenge}:${answer}`;
    if (zeroBits(createHash('sha256').update(solution).digest()) >= difficulty) return solution;
  }
}

function zeroBits(hash: Uint8Array): number {
  let bits = 0;
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24;
    bits += 8;
  }
  return bits;
}
