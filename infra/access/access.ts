// Identifies the sender of a request: credentials become a caller or a refusal. Returns immediately
// if the key or session is cached, otherwise after one shared read. Never logs a secret, a token or
// a signature. Everything but the proof can be checked before a body is read; a body is hashed only
// for a key that exists.

import { hash } from 'node:crypto';
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

/** The part of a request that is there before its body. */
export interface CredentialRequest {
  readonly headers: {
    readonly key?: string | undefined;
    readonly signature?: string | undefined;
    readonly expires?: string | undefined;
    readonly authorization?: string | undefined;
    readonly sessionCookie?: Pick<SessionCookie, 'token' | 'isFromOwnPage'> | undefined;
  };
  /** The client's address, behind the trusted proxies. */
  readonly address: string;
}

/** Credentials that passed `precheck`. Only this module reads them. */
export interface PrecheckedCredentials {
  readonly claim: Claim;
}

export interface SignedRequest<
  Caller extends CallerIdentity = CallerIdentity,
  Reason extends object = never,
> extends CredentialRequest {
  /** Result of `precheck` for the same request, so its headers are not parsed again. */
  readonly prechecked?: PrecheckedCredentials | undefined;
  /** In upper case. */
  readonly method: string;
  /** Path and query, byte for byte as received. */
  readonly target: string;
  /** The raw text; undefined if the route has no body. */
  readonly body?: string | undefined;
  readonly bodyIsExpected: boolean;
  /** The signature of a write counts once. */
  readonly isWrite: boolean;
  /** Equal requests that arrive within two seconds of the first are separate ones. */
  readonly mayRepeat?: boolean | undefined;
  /**
   * Called with the caller before the signature counts as used. If it returns a reason, the request
   * is not admitted: it can be sent again, and its signature is not remembered.
   */
  admit?(caller: Caller): Reason | undefined;
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
  /** Normalized to lower-case hex. '' for a session. */
  readonly signature: string;
  /** When the key or session ends if it is not used again, in milliseconds since 1970. */
  readonly untilMs: number;
}

export type Identified<Caller extends CallerIdentity> = Accepted<Caller> | Refused;

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
  /** How far ahead a request can expire, in seconds. */
  readonly expiresAheadSMax: number;
}

const PUBLIC_KEY = /^[0-9a-f]{40}$/;
const WHOLE_SECONDS = /^[1-9]\d{0,14}$/;
const BEARER = /^Bearer ([\w.-]+)$/i;
const TOKEN_CHARACTERS_MAX = 2_048;
const READ_AGAIN_EVERY_MS = 60_000;

// new ──start──▶ listening ──stop──▶ stopped
export class Access<Caller extends CallerIdentity> {
  readonly #options: AccessOptions<Caller>;
  readonly #keys: CredentialCache<KnownKey<Caller>>;
  readonly #sessions: CredentialCache<KnownSession<Caller>>;
  readonly #replays: ReplaySet;
  readonly #listeners = new Set<(revocation: Revocation) => void>();
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
   * Rejects with AccessFault if a read is needed and the database does not respond; returns the
   * reason of `admit` if it has one. NOTE: it is on the path of every request, so it has no promise
   * where none is needed.
   */
  identify<Reason extends object = never>(
    request: SignedRequest<Caller, Reason>,
  ): Identified<Caller> | Reason | Promise<Identified<Caller> | Reason> {
    const claim = this.#currentClaimOf(request);
    if ('refused' in claim) return claim;
    if (claim.kind === 'key') {
      const known = this.#keys.get(claim.name);
      if (known !== undefined) return this.#judgeKey(known, claim, request);
      return this.#keys.load(claim.name).then((read) => this.#judgeKey(read, claim, request));
    }
    const known = this.#sessions.get(claim.name);
    if (known !== undefined) return this.#judgeSession(known, claim, request);
    return this.#sessions.load(claim.name).then((read) => this.#judgeSession(read, claim, request));
  }

  /**
   * Every check of `identify` that needs neither the body nor the signature's proof: who fails here
   * is refused before the body is read. Pass the result to `identify`.
   */
  precheck(
    request: CredentialRequest,
  ): PrecheckedCredentials | Refused | Promise<PrecheckedCredentials | Refused> {
    const claim = this.#claimOf(request);
    if ('refused' in claim) return claim;
    if (claim.kind === 'session') return this.#precheckSession(claim);
    const check = (known: KnownKey<Caller> | null | undefined) => {
      const refusal = this.#refusalOfKey(known ?? undefined, request.address);
      return refusal === undefined ? { claim } : this.#refuse(refusal);
    };
    const known = this.#keys.get(claim.name);
    return known !== undefined ? check(known) : this.#keys.load(claim.name).then(check);
  }

  /** Whether the key exists and is cached here. */
  knowsKey(publicKey: string): boolean {
    return this.#keys.get(publicKey) != null;
  }

  /** Returns whether the request has a session token from this exchange; it might have expired. */
  hasOwnToken({ authorization, sessionCookie }: CredentialRequest['headers']): boolean {
    const token = sessionCookie?.token ?? BEARER.exec(authorization ?? '')?.[1] ?? '';
    return token.length <= TOKEN_CHARACTERS_MAX && this.#options.isOwnToken(token);
  }

  /** Called within a second of a revocation, or within a minute if its message was lost. */
  watchRevocations(listener: (revocation: Revocation) => void): Watch {
    const own = (revocation: Revocation) => listener(revocation);
    this.#listeners.add(own);
    return { stop: () => this.#listeners.delete(own) };
  }

  /** Call after the bus has reconnected: messages might have been lost. */
  async readAgain(): Promise<void> {
    this.#replays.ask();
    await this.#keys.refresh();
    await this.#sessions.refresh();
  }

  /** A prechecked key might have expired while the body was read. */
  #currentClaimOf(request: SignedRequest<Caller, object>): Claim | Refused {
    const claim = request.prechecked?.claim;
    if (claim === undefined) return this.#claimOf(request);
    const isExpired = claim.kind === 'key' && this.#nowS() > claim.expiresS;
    return isExpired ? this.#refuse('request_expired') : claim;
  }

  #nowS(): number {
    return Math.floor(this.#options.clock.nowMs() / 1_000);
  }

  /** The credential that the request names, from its headers alone. */
  #claimOf({ headers }: CredentialRequest): Claim | Refused {
    const { authorization, key, sessionCookie, signature } = headers;
    if (sessionCookie !== undefined) {
      const others = authorization ?? key ?? signature;
      if (others !== undefined) return this.#refuse('several_credentials');
      if (!sessionCookie.isFromOwnPage) return this.#refuse('cookie_from_other_page');
      return this.#claimOfToken(sessionCookie.token);
    }
    if (authorization !== undefined) {
      if (key !== undefined) return this.#refuse('several_credentials');
      return this.#claimOfToken(BEARER.exec(authorization)?.[1] ?? '');
    }
    if (key === undefined) {
      return this.#refuse(signature === undefined ? 'credentials_missing' : 'key_missing');
    }
    if (signature === undefined) return this.#refuse('signature_missing');
    return this.#claimOfKey(key, signature, headers.expires ?? '');
  }

  #claimOfKey(name: string, signature: string, expires: string): KeyClaim | Refused {
    if (!WHOLE_SECONDS.test(expires)) return this.#refuse('expires_invalid');
    const expiresS = Number(expires);
    const nowS = this.#nowS();
    if (nowS > expiresS) return this.#refuse('request_expired');
    if (expiresS > nowS + this.#options.expiresAheadSMax) return this.#refuse('expires_too_far');
    if (!PUBLIC_KEY.test(name)) return this.#refuse('key_unknown');
    return { kind: 'key', name, signature, expires, expiresS };
  }

  #claimOfToken(token: string): SessionClaim | Refused {
    if (token.length > TOKEN_CHARACTERS_MAX || !this.#options.isOwnToken(token)) {
      return this.#refuse('session_unknown');
    }
    return { kind: 'session', name: tokenHash(token) };
  }

  #refusalOfKey(known: KnownKey<Caller> | undefined, address: string): AccessRefusal | undefined {
    if (known === undefined) return 'key_unknown';
    const { addresses, expiresAtMs, isActive } = known;
    if (addresses !== undefined && !addresses.has(address)) return 'address_not_allowed';
    if (this.#options.clock.nowMs() >= expiresAtMs) return 'key_expired';
    return isActive ? undefined : 'key_inactive';
  }

  #judgeKey<Reason extends object>(
    known: KnownKey<Caller> | null | undefined,
    claim: KeyClaim,
    request: SignedRequest<Caller, Reason>,
  ): Identified<Caller> | Reason {
    const refusal = this.#refusalOfKey(known ?? undefined, request.address);
    if (refusal !== undefined || known == null) return this.#refuse(refusal ?? 'key_unknown');
    const { caller, expiresAtMs: untilMs } = known;
    const verified = verifySignature(known, claim, request);
    if (verified === undefined) return this.#refuse('signature_wrong');
    const { bytes, signedBody } = verified;
    const reason = request.admit?.(caller);
    if (reason !== undefined) return reason;
    const { isWrite, mayRepeat } = request;
    const taken = { key: caller.key, signature: bytes, expiresS: claim.expiresS, mayRepeat };
    const isNew = !isWrite || this.#replays.take(taken);
    if (!isNew) return this.#refuse('signature_replayed');
    if (!caller.isActivated) return this.#refuse('account_deactivated');
    this.#keys.use(claim.name, this.#options.clock.nowMs());
    return { caller, signedBody, signature: bytes.toString('hex'), untilMs };
  }

  #precheckSession(
    claim: SessionClaim,
  ): PrecheckedCredentials | Refused | Promise<PrecheckedCredentials | Refused> {
    const check = (known: KnownSession<Caller> | null | undefined) => {
      const refusal = this.#refusalOfSession(known ?? undefined, claim.name);
      return refusal === undefined ? { claim } : this.#refuse(refusal);
    };
    const known = this.#sessions.get(claim.name);
    return known !== undefined ? check(known) : this.#sessions.load(claim.name).then(check);
  }

  #refusalOfSession(
    known: KnownSession<Caller> | undefined,
    name: string,
  ): AccessRefusal | undefined {
    if (known === undefined) return 'session_unknown';
    const { caller, expiresAtMs, idleMs = Number.POSITIVE_INFINITY, isRevoked } = known;
    if (isRevoked || this.#options.hasEnded(caller)) return 'session_revoked';
    const nowMs = this.#options.clock.nowMs();
    const usedAtMs = Math.max(known.usedAtMs, this.#sessions.usedAtMs(name));
    if (nowMs >= expiresAtMs || nowMs - usedAtMs >= idleMs) return 'session_expired';
    return caller.isActivated ? undefined : 'account_deactivated';
  }

  #judgeSession<Reason extends object>(
    known: KnownSession<Caller> | null | undefined,
    { name }: SessionClaim,
    request: SignedRequest<Caller, Reason>,
  ): Identified<Caller> | Reason {
    const refusal = this.#refusalOfSession(known ?? undefined, name);
    if (refusal !== undefined || known == null) return this.#refuse(refusal ?? 'session_unknown');
    const { caller, expiresAtMs, idleMs = Number.POSITIVE_INFINITY } = known;
    const reason = request.admit?.(caller);
    if (reason !== undefined) return reason;
    const nowMs = this.#options.clock.nowMs();
    this.#sessions.use(name, nowMs);
    const untilMs = Math.min(expiresAtMs, nowMs + idleMs);
    return { caller, signedBody: request.body ?? '', signature: '', untilMs };
  }

  #refuse(refused: AccessRefusal): Refused {
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

type Refused = { readonly refused: AccessRefusal };

interface KeyClaim {
  readonly kind: 'key';
  /** The public key. */
  readonly name: string;
  readonly signature: string;
  readonly expires: string;
  readonly expiresS: number;
}

interface SessionClaim {
  readonly kind: 'session';
  /** The hash of the token. */
  readonly name: string;
}

type Claim = KeyClaim | SessionClaim;

/** The bytes of the signature and the body that it covers; undefined if it covers none. */
function verifySignature(
  { kind, verifying }: KnownKey<CallerIdentity>,
  { expires, signature }: KeyClaim,
  request: Pick<SignedRequest, 'body' | 'bodyIsExpected' | 'method' | 'target'>,
): { readonly bytes: Buffer; readonly signedBody: string } | undefined {
  const { body, bodyIsExpected, method, target } = request;
  const isEd25519 = kind === 'ed25519';
  const bytes = isEd25519 ? readEd25519Signature(signature) : readHmacSignature(signature);
  if (bytes === undefined || verifying === undefined) return undefined;
  const verifies = isEd25519 ? ed25519Verifier(verifying, bytes) : hmacVerifier(verifying, bytes);
  const signedBody = findSignedBody({ method, target, expires, body, bodyIsExpected }, verifies);
  return signedBody === undefined ? undefined : { bytes, signedBody };
}

function isUsable({ caller, isActive }: KnownKey<CallerIdentity>): boolean {
  return isActive && caller.isActivated;
}

/** The name under which a session is stored. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
