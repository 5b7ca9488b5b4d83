// Identifies the sender of a request: its credentials become a caller or a refusal. Returns at once
// if the key or session is cached, otherwise after one shared read. Never logs a secret, a token or
// a signature, and takes the same time for an unknown key as for a wrong signature.

import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto';
import type { KeyId, UserId } from '../../core/money/index.ts';
import type { Bus, Subscription, Watch } from '../bus/index.ts';
import type { Clock, Timer } from '../process/index.ts';
import { accessSubjects, readAccessChange } from './access-changes.ts';
import type { SessionCookie } from './browser-cookies.ts';
import { CredentialCache } from './credential-cache.ts';
import type { CallerIdentity, CredentialStore, KnownKey, KnownSession } from './credential-port.ts';
import { ReplaySet } from './replay-set.ts';
import {
  ed25519Verifier,
  findSignedBody,
  hmacVerifier,
  readEd25519Signature,
  readHmacSignature,
} from './signature.ts';

export interface SignedRequest<Caller extends CallerIdentity = CallerIdentity> {
  /** In upper case. */
  readonly method: string;
  /** Path and query, byte for byte as received. */
  readonly target: string;
  readonly headers: {
    readonly key?: string | undefined;
    readonly signature?: string | undefined;
    readonly expires?: string | undefined;
    readonly authorization?: string | undefined;
    readonly sessionCookie?: SessionCookie | undefined;
  };
  /** The raw text; undefined if the route has no body. */
  readonly body?: string | undefined;
  readonly bodyIsExpected: boolean;
  /** The signature of a write counts once. */
  readonly isWrite: boolean;
  /** Equal requests that arrive within two seconds of the first are separate ones. */
  readonly mayRepeat?: boolean | undefined;
  /**
   * Called with the caller before the signature counts as used. If it throws, the request is not
   * admitted: it may be sent again, and its signature is not remembered.
   */
  admit?(caller: Caller): void;
  /** The client's address, behind the trusted proxies. */
  readonly address: string;
}

/** In the order of the checks. */
export const ACCESS_REFUSALS = [
  'several_credentials',
  'cookie_from_other_page',
  'credentials_missing',
  'key_missing',
  'signature_missing',
  'expires_invalid',
  'request_expired',
  'expires_too_far',
  'key_unknown',
  'address_not_allowed',
  'key_expired',
  'key_inactive',
  'signature_wrong',
  'signature_replayed',
  'session_unknown',
  'session_revoked',
  'session_expired',
  'account_deactivated',
] as const;

export type AccessRefusal = (typeof ACCESS_REFUSALS)[number];

export interface Accepted<Caller extends CallerIdentity> {
  readonly caller: Caller;
  /**
   * The signed body, '' for none: handlers read it instead of the received one. A session signs
   * nothing and has the received body.
   */
  readonly signedBody: string;
  /** Normalised to lower-case hex. '' for a session. */
  readonly signature: string;
  /** When the key or session ends if it is not used again, in milliseconds since 1970. */
  readonly untilMs: number;
}

export type Identified<Caller extends CallerIdentity> =
  | Accepted<Caller>
  | { readonly refused: AccessRefusal };

/** A key or session that must not be used any more; with neither, all of the user's. */
export interface Revocation {
  readonly user: UserId | 0;
  readonly key: KeyId | 0;
  readonly session: number;
}

export interface AccessWatcher {
  refused(refusal: AccessRefusal): void;
  readFailed(fault: unknown): void;
}

export interface AccessOptions<Caller extends CallerIdentity> {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly exchange: string;
  readonly store: CredentialStore<Caller>;
  /** Whether this exchange made the token. Forged ones cost no query. */
  isOwnToken(token: string): boolean;
  /** Whether an operator has ended the session together with many others. */
  hasEnded(caller: Caller): boolean;
  readonly watcher: AccessWatcher;
  readonly entriesMax: number;
  readonly signaturesMax: number;
  /** How far ahead a request may expire, in seconds. */
  readonly expiresAheadSMax: number;
}

const PUBLIC_KEY = /^[0-9a-f]{40}$/;
const WHOLE_SECONDS = /^[1-9]\d{0,14}$/;
const BEARER = /^Bearer ([\w.-]+)$/i;
const TOKEN_CHARACTERS_MAX = 2_048;
const READ_AGAIN_EVERY_MS = 60_000;
const NO_SIGNATURE = new Uint8Array(32);

// new ──start──▶ listening ──stop──▶ stopped
export class Access<Caller extends CallerIdentity> {
  readonly #options: AccessOptions<Caller>;
  readonly #keys: CredentialCache<KnownKey<Caller>>;
  readonly #sessions: CredentialCache<KnownSession<Caller>>;
  readonly #replays: ReplaySet;
  readonly #listeners = new Set<(revocation: Revocation) => void>();
  /** Matches nothing: an unknown key takes as long as a wrong signature. */
  readonly #dummyKey: KeyObject = createSecretKey(randomBytes(32));
  #subscription: Subscription | undefined;
  #timer: Timer | undefined;
  #isStopped = false;

  constructor(options: AccessOptions<Caller>) {
    this.#options = options;
    const { bus, clock, entriesMax, exchange, signaturesMax, store, watcher } = options;
    const kept = { clock, entriesMax, onReadFailed: watcher.readFailed };
    this.#keys = new CredentialCache<KnownKey<Caller>>({
      ...kept,
      read: (names, known) => store.readKeys(names, known),
      onReadAgain: (before, after) => {
        if (isUsable(before) && (after === undefined || !isUsable(after))) {
          this.#publishRevocation({ user: before.user, key: before.caller.key, session: 0 });
        }
      },
    });
    this.#sessions = new CredentialCache<KnownSession<Caller>>({
      ...kept,
      read: (names) => store.readSessions(names),
      onReadAgain: (before, after) => {
        const isUsableNow = after !== undefined && !after.isRevoked && after.caller.isActivated;
        if (!before.isRevoked && before.caller.isActivated && !isUsableNow) {
          this.#publishRevocation({ user: before.user, key: 0, session: before.id });
        }
      },
    });
    const subject = accessSubjects(exchange).signatures;
    this.#replays = new ReplaySet({ clock, bus, subject, signaturesMax });
  }

  /** Subscribes to changes and to the signatures that other gateways accepted. */
  start(): void {
    const { bus, exchange } = this.#options;
    const { changed } = accessSubjects(exchange);
    this.#subscription = bus.subscribe(changed, (message) => this.#onChange(message));
    this.#replays.start();
    this.#keepFresh();
  }

  /** Writes the last uses. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    this.#subscription?.stop();
    this.#replays.stop();
    await this.#writeUses();
  }

  /** The current numbers of entries. */
  get sizes(): { keys: number; sessions: number; signatures: number; forgottenEarly: number } {
    const { count: signatures, forgottenEarly } = this.#replays;
    return { keys: this.#keys.size, sessions: this.#sessions.size, signatures, forgottenEarly };
  }

  /**
   * Rejects with AccessFault if a read is needed and the database does not respond; throws or
   * rejects with the error of `admit`. NOTE: it is on the path of every request, hence no promise
   * where none is needed.
   */
  identify(request: SignedRequest<Caller>): Identified<Caller> | Promise<Identified<Caller>> {
    const { authorization, key, sessionCookie, signature } = request.headers;
    if (sessionCookie !== undefined) {
      const others = authorization ?? key ?? signature;
      if (others !== undefined) return this.#refuse('several_credentials');
      if (!sessionCookie.isFromOwnPage) return this.#refuse('cookie_from_other_page');
      return this.#identifySession(request, sessionCookie.token);
    }
    if (authorization !== undefined) {
      if (key !== undefined) return this.#refuse('several_credentials');
      return this.#identifySession(request, BEARER.exec(authorization)?.[1] ?? '');
    }
    if (key === undefined) {
      return this.#refuse(signature === undefined ? 'credentials_missing' : 'key_missing');
    }
    if (signature === undefined) return this.#refuse('signature_missing');
    return this.#identifyKey(request, key, signature);
  }

  /** Called within a second of a revocation, or within a minute if its message was lost. */
  watchRevocations(listener: (revocation: Revocation) => void): Watch {
    const own = (revocation: Revocation) => listener(revocation);
    this.#listeners.add(own);
    return { stop: () => this.#listeners.delete(own) };
  }

  /** Call after the bus has reconnected: messages may have been lost. */
  async readAgain(): Promise<void> {
    this.#replays.ask();
    await this.#keys.refresh();
    await this.#sessions.refresh();
  }

  #identifyKey(
    request: SignedRequest<Caller>,
    publicKey: string,
    signature: string,
  ): Identified<Caller> | Promise<Identified<Caller>> {
    const { expires = '' } = request.headers;
    if (!WHOLE_SECONDS.test(expires)) return this.#refuse('expires_invalid');
    const expiresS = Number(expires);
    const nowS = Math.floor(this.#options.clock.nowMs() / 1_000);
    if (nowS > expiresS) return this.#refuse('request_expired');
    if (expiresS > nowS + this.#options.expiresAheadSMax) return this.#refuse('expires_too_far');

    const claim = { request, publicKey, signature, expires, expiresS };
    const known = PUBLIC_KEY.test(publicKey) ? this.#keys.get(publicKey) : null;
    if (known !== undefined) return this.#judgeKey(known ?? undefined, claim);
    return this.#keys.load(publicKey).then((read) => this.#judgeKey(read, claim));
  }

  #judgeKey(known: KnownKey<Caller> | undefined, claim: Claim<Caller>): Identified<Caller> {
    const { expiresS, publicKey, request } = claim;
    const nowMs = this.#options.clock.nowMs();
    if (known === undefined) {
      this.#verify(undefined, claim);
      return this.#refuse('key_unknown');
    }
    const { addresses, caller } = known;
    if (addresses !== undefined && !addresses.has(request.address)) {
      return this.#refuse('address_not_allowed');
    }
    if (nowMs >= known.expiresAtMs) return this.#refuse('key_expired');
    if (!known.isActive) return this.#refuse('key_inactive');
    const verified = this.#verify(known, claim);
    if (verified === undefined) return this.#refuse('signature_wrong');
    const { bytes, signedBody } = verified;
    request.admit?.(caller);
    const { mayRepeat } = request;
    const isNew =
      !request.isWrite ||
      this.#replays.take({ key: caller.key, signature: bytes, expiresS, mayRepeat });
    if (!isNew) return this.#refuse('signature_replayed');
    if (!caller.isActivated) return this.#refuse('account_deactivated');
    this.#keys.use(publicKey, nowMs);
    const { expiresAtMs: untilMs } = known;
    return { caller, signedBody, signature: bytes.toString('hex'), untilMs };
  }

  /** A malformed signature or an unknown key is verified against a dummy all the same. */
  #verify(
    known: KnownKey<Caller> | undefined,
    { expires, request, signature }: Claim<Caller>,
  ): { readonly bytes: Buffer; readonly signedBody: string } | undefined {
    const isEd25519 = known?.kind === 'ed25519';
    const bytes = isEd25519 ? readEd25519Signature(signature) : readHmacSignature(signature);
    const key = known?.verifying;
    const isHopeless = key === undefined || bytes === undefined;
    const verifies =
      isEd25519 && !isHopeless
        ? ed25519Verifier(key, bytes)
        : hmacVerifier(key === undefined || isEd25519 ? this.#dummyKey : key, bytes32(bytes));
    const { body, bodyIsExpected, method, target } = request;
    const signedBody = findSignedBody({ method, target, expires, body, bodyIsExpected }, verifies);
    if (signedBody === undefined || isHopeless) return undefined;
    return { bytes, signedBody };
  }

  #identifySession(
    request: SignedRequest<Caller>,
    token: string,
  ): Identified<Caller> | Promise<Identified<Caller>> {
    if (token.length > TOKEN_CHARACTERS_MAX || !this.#options.isOwnToken(token)) {
      return this.#refuse('session_unknown');
    }
    const name = tokenHash(token);
    const known = this.#sessions.get(name);
    if (known !== undefined) return this.#judgeSession(known ?? undefined, name, request);
    return this.#sessions.load(name).then((read) => this.#judgeSession(read, name, request));
  }

  #judgeSession(
    known: KnownSession<Caller> | undefined,
    name: string,
    request: SignedRequest<Caller>,
  ): Identified<Caller> {
    const nowMs = this.#options.clock.nowMs();
    if (known === undefined) return this.#refuse('session_unknown');
    if (known.isRevoked || this.#options.hasEnded(known.caller)) {
      return this.#refuse('session_revoked');
    }
    if (nowMs >= known.expiresAtMs) return this.#refuse('session_expired');
    const { idleMs = Number.POSITIVE_INFINITY } = known;
    const usedAtMs = Math.max(known.usedAtMs, this.#sessions.usedAtMs(name));
    if (nowMs - usedAtMs >= idleMs) return this.#refuse('session_expired');
    const { caller } = known;
    if (!caller.isActivated) return this.#refuse('account_deactivated');
    request.admit?.(caller);
    this.#sessions.use(name, nowMs);
    const untilMs = Math.min(known.expiresAtMs, nowMs + idleMs);
    return { caller, signedBody: request.body ?? '', signature: '', untilMs };
  }

  #refuse(refused: AccessRefusal): Identified<Caller> {
    this.#options.watcher.refused(refused);
    return { refused };
  }

  #onChange(message: Uint8Array): void {
    const { isRevoked, key, session, user } = readAccessChange(message);
    this.#keys.forget(user);
    this.#sessions.forget(user);
    if (isRevoked) this.#publishRevocation({ user, key, session });
  }

  #publishRevocation(revocation: Revocation): void {
    for (const listener of [...this.#listeners]) listener(revocation);
  }

  #keepFresh(): void {
    this.#timer = this.#options.clock.after(READ_AGAIN_EVERY_MS, async () => {
      await this.#writeUses();
      await this.readAgain();
      if (!this.#isStopped) this.#keepFresh();
    });
  }

  async #writeUses(): Promise<void> {
    const { store, watcher } = this.#options;
    try {
      await this.#keys.writeUses((uses) => store.writeKeyUses(uses));
      await this.#sessions.writeUses((uses) => store.writeSessionUses(uses));
    } catch (fault) {
      watcher.readFailed(fault);
    }
  }
}

interface Claim<Caller extends CallerIdentity> {
  readonly request: SignedRequest<Caller>;
  readonly publicKey: string;
  readonly signature: string;
  readonly expires: string;
  readonly expiresS: number;
}

function isUsable({ caller, isActive }: KnownKey<CallerIdentity>): boolean {
  return isActive && caller.isActivated;
}

/** The name under which a session is stored. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

function bytes32(bytes: Uint8Array | undefined): Uint8Array {
  return bytes?.length === 32 ? bytes : NO_SIGNATURE;
}
