// Session tokens: `header.claims.MAC`, in the form of a JSON Web Token, because web clients read
// the claims. The exchange itself never reads the claims: the MAC proves that it issued the token,
// and the session's row, found by the token's hash, has everything else.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import type { Clock } from '../../../infra/process/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import type { SessionKind } from './sessions.ts';

/** Claims for clients. */
export interface TokenClaims {
  readonly user: UserId;
  readonly email: string;
  readonly language: string;
  /** Null for an ordinary user. */
  readonly role: string | null;
  readonly scopes: readonly string[];
  readonly kind: SessionKind;
  readonly ip: string;
  readonly exchangeName: string;
  readonly nowMs: number;
  readonly expiresAtMs: number;
}

const KEY_LABEL = 'session token';
const ID_BYTES = 32;
const HEADER = base64url({ alg: 'HS256', typ: 'JWT' });
const PARTS = /^([\w-]+\.[\w-]+)\.([\w-]{43})$/;
const READ_KEYS_EVERY_MS = 1_000;

export function makeToken(vault: Vault, claims: TokenClaims): string {
  const { email, exchangeName, expiresAtMs, ip, kind, language, nowMs, scopes, user } = claims;
  const body = base64url({
    sub: { id: user, email, networkId: user, lang: language, role: claims.role ?? 'user' },
    scopes,
    ip,
    ...(kind === 'sub' && { is_subaccount: true }),
    ...(kind === 'shared' && { is_sharedaccount: true }),
    iss: exchangeName,
    iat: Math.floor(nowMs / 1_000),
    exp: Math.floor(expiresAtMs / 1_000),
    jti: randomBytes(ID_BYTES).toString('base64url'),
  });
  const signed = `${HEADER}.${body}`;
  return `${signed}.${macOf(vault.deriveKeys(KEY_LABEL)[0], signed).toString('base64url')}`;
}

/** Recognizes tokens issued by this exchange without a query. */
export class SessionTokens {
  readonly #vault: Vault;
  readonly #clock: Clock;
  #keys: readonly Uint8Array[];
  #keysReadAtMs: number;

  constructor(vault: Vault, clock: Clock) {
    this.#vault = vault;
    this.#clock = clock;
    this.#keys = vault.deriveKeys(KEY_LABEL);
    this.#keysReadAtMs = clock.nowMs();
  }

  /** The session might still have ended. */
  isOwn(token: string): boolean {
    const [, signed, text] = PARTS.exec(token) ?? [];
    if (signed === undefined) return false;
    const mac = Buffer.from(text, 'base64url');
    if (this.#matches(signed, mac)) return true;
    // Another process might have issued the token with a new key.
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#keysReadAtMs < READ_KEYS_EVERY_MS) return false;
    this.#keysReadAtMs = nowMs;
    this.#keys = this.#vault.deriveKeys(KEY_LABEL);
    return this.#matches(signed, mac);
  }

  #matches(signed: string, mac: Uint8Array): boolean {
    return this.#keys.some((key) => timingSafeEqual(macOf(key, signed), mac));
  }
}

function macOf(key: Uint8Array, signed: string): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
