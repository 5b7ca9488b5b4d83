// Captchas: when one is required, and which kind verifies it. Failed logins from an address, or
// many failures everywhere, require one; a known device needs none. Verification by an external
// provider is a port, which the gateway implements.

import { MINUTE_MS } from '../../../core/market-data/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import type { IdentityClient } from '../person-context.ts';
import { addressFailures } from '../throttles.ts';
import { type Challenge, makeChallenge, spendSolution } from './proof-of-work.ts';

export const CAPTCHA_KINDS = ['proof_of_work', 'turnstile', 'none'] as const;
export type CaptchaKind = (typeof CAPTCHA_KINDS)[number];

/**
 * Verifies a token with an external provider. Fails closed: returns false if the provider does not
 * respond.
 */
export interface CaptchaVerifier {
  verify(token: string, address: string): Promise<boolean>;
}

export interface CaptchaOptions {
  readonly kind: CaptchaKind;
  readonly vault: Vault;
  /** Required for the kind `turnstile`. */
  readonly verifier?: CaptchaVerifier | undefined;
  /** Difficulty of the first challenge, in bits. */
  readonly difficulty?: number;
}

export interface CaptchaSent {
  /** As sent; '' without one. */
  readonly captcha: string;
  readonly client: Pick<IdentityClient, 'address' | 'network'>;
  readonly nowMs: number;
  /** Require one even without failures, for example at sign-up if configured. */
  readonly isAlways?: boolean;
}

/** Failures of an address within an hour that require a captcha. */
export const FAILURES_BEFORE_CAPTCHA = 3;
/** About 65,000 hashes: a fraction of a second on a phone. */
const FIRST_DIFFICULTY = 16;
const DIFFICULTY_MAX = 22;
/** Additional failures after which the work doubles. */
const FAILURES_PER_BIT = 5;
/** Failures within a minute from all addresses that count as one more failure for each address. */
const FAILURES_EVERYWHERE = 100;

export class Captcha {
  readonly kind: CaptchaKind;
  readonly #vault: Vault;
  readonly #verifier: CaptchaVerifier | undefined;
  readonly #firstDifficulty: number;
  #minute = 0;
  #failures = 0;

  constructor({ difficulty = FIRST_DIFFICULTY, kind, vault, verifier }: CaptchaOptions) {
    if (kind === 'turnstile' && verifier === undefined) {
      throw new RangeError('a turnstile captcha needs a verifier');
    }
    this.kind = kind;
    this.#vault = vault;
    this.#verifier = verifier;
    this.#firstDifficulty = difficulty;
  }

  /**
   * Returns a challenge that is harder after failures of the address, or undefined for other kinds.
   */
  async challenge(
    statements: Statements,
    client: Pick<IdentityClient, 'network'>,
    nowMs: number,
  ): Promise<Challenge | undefined> {
    if (this.kind !== 'proof_of_work') return undefined;
    const failures = await this.#failuresOf(statements, client, nowMs);
    return makeChallenge(this.#vault, this.#difficultyAfter(failures), nowMs);
  }

  /**
   * Returns undefined if no captcha is required or the sent one is accepted; otherwise why it is
   * rejected.
   */
  async refuse(statements: Statements, sent: CaptchaSent): Promise<string | undefined> {
    const { captcha, client, isAlways = false, nowMs } = sent;
    if (this.kind === 'none') return undefined;
    const failures = await this.#failuresOf(statements, client, nowMs);
    if (!isAlways && failures < FAILURES_BEFORE_CAPTCHA) return undefined;
    if (this.kind === 'turnstile') {
      if (captcha === '') return 'missing';
      const isGood = await this.#verifier?.verify(captcha, client.address);
      return isGood === true ? undefined : 'not accepted';
    }
    return spendSolution(statements, this.#vault, {
      solution: captcha,
      // Another attempt might have failed while the client solved its challenge.
      difficultyMin: this.#difficultyAfter(failures) - 1,
      nowMs,
    });
  }

  /** Records a failed login in the count for all addresses. */
  failed(nowMs: number): void {
    this.#failures = this.#failuresNow(nowMs) + 1;
    this.#minute = Math.floor(nowMs / MINUTE_MS);
  }

  #failuresNow(nowMs: number): number {
    return this.#minute === Math.floor(nowMs / MINUTE_MS) ? this.#failures : 0;
  }

  #difficultyAfter(failures: number): number {
    const more = Math.max(0, failures - FAILURES_BEFORE_CAPTCHA);
    const max = Math.max(DIFFICULTY_MAX, this.#firstDifficulty);
    return Math.min(max, this.#firstDifficulty + Math.floor(more / FAILURES_PER_BIT));
  }

  async #failuresOf(
    statements: Statements,
    { network }: Pick<IdentityClient, 'network'>,
    nowMs: number,
  ): Promise<number> {
    const own = await addressFailures(statements, this.#vault, { network, nowMs });
    return own + Math.floor(this.#failuresNow(nowMs) / FAILURES_EVERYWHERE);
  }
}
