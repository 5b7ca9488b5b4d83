// Who a socket belongs to: credentials from its address, its headers or a message become a caller,
// for as long as they last, or a refusal. A signature is of `CONNECT/stream` and its expiry, and
// may be used again.

import type { Access, Caller, Identified } from '../../infra/access/index.ts';
import { type ErrorKey, STREAM_PATH } from '../../protocol/index.ts';

export interface Credentials {
  readonly key?: string | undefined;
  readonly signature?: string | undefined;
  readonly expires?: string | undefined;
  readonly authorization?: string | undefined;
}

/** `untilMs` is when a session ends, in milliseconds since 1970; a key has no such time here. */
export interface SocketCaller {
  readonly caller: Caller;
  readonly untilMs?: number | undefined;
}

export type SocketIdentity = SocketCaller | { readonly refused: ErrorKey };

export interface Identifying {
  readonly access: Pick<Access, 'identify'>;
  /** When the session ends; undefined when there is none. Rejects as access does. */
  sessionEndMs(authorization: string): Promise<number | undefined>;
}

/** Undefined when there are none: a public socket. */
export function credentialsOfRequest(
  target: string,
  headers: { readonly authorization?: string | undefined },
): Credentials | undefined {
  const at = target.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
  const text = (name: string) => query.get(name) || undefined;
  const credentials = {
    key: text('api-key'),
    signature: text('api-signature'),
    expires: text('api-expires'),
    authorization: text('authorization') ?? headers.authorization,
  };
  return Object.values(credentials).some((one) => one !== undefined) ? credentials : undefined;
}

/** Of the argument of `auth`; undefined when it is none. */
export function credentialsOfMessage(argument: unknown): Credentials | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const given = argument as Record<string, unknown>;
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  return {
    key: text('api-key'),
    signature: text('api-signature'),
    expires: text('api-expires'),
    authorization: text('authorization'),
  };
}

/** Rejects with an AccessFault when the database would have to be asked and does not answer. */
export function identifySocket(
  identifying: Identifying,
  credentials: Credentials,
  address: string,
): SocketIdentity | Promise<SocketIdentity> {
  const { authorization, expires, key, signature } = credentials;
  const isSigned = key !== undefined || signature !== undefined || expires !== undefined;
  if (isSigned && authorization !== undefined) return { refused: 'several_credentials' };
  const judge = () => {
    const identified = identifying.access.identify({
      ...{ method: 'CONNECT', target: STREAM_PATH, headers: credentials, address },
      ...{ bodyIsExpected: false, isWrite: false },
    });
    return identified instanceof Promise ? identified.then(permitted) : permitted(identified);
  };
  if (authorization === undefined) return judge();
  return judgeSession(judge, () => identifying.sessionEndMs(authorization));
}

async function judgeSession(
  judge: () => SocketIdentity | Promise<SocketIdentity>,
  endMs: () => Promise<number | undefined>,
): Promise<SocketIdentity> {
  // First, so that only who has a session makes the database look for its end.
  const before = await judge();
  if ('refused' in before) return before;
  const untilMs = await endMs();
  if (untilMs === undefined) return { refused: 'session_unknown' };
  // Whoever closes the sockets of a session that is revoked does not know of this one yet.
  const now = await judge();
  return 'refused' in now ? now : { ...now, untilMs };
}

function permitted(identified: Identified): SocketIdentity {
  if ('refused' in identified) return identified;
  const { caller } = identified;
  return caller.canRead ? { caller } : { refused: 'scope_missing' };
}
