// Identifies a socket's user: turns credentials from the URL, headers, a cookie or a message into a
// caller with an expiry, or a refusal. A signature covers `CONNECT/stream` and its expiry, and can
// be reused. A cookie counts only from one of the exchange's own pages.

import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../../features/auth/index.ts';
import type {
  Access,
  BrowserCookies,
  Identified,
  SessionCookie,
} from '../../infra/access/index.ts';
import { type ErrorKey, STREAM_PATH } from '../../protocol/index.ts';

export interface Credentials {
  readonly key?: string | undefined;
  readonly signature?: string | undefined;
  readonly expires?: string | undefined;
  readonly authorization?: string | undefined;
  readonly sessionCookie?: SessionCookie | undefined;
}

/** `untilMs` is when the key or session expires, in milliseconds since 1970. */
export interface SocketCaller {
  readonly caller: Caller;
  readonly untilMs: number;
}

export type SocketIdentity = SocketCaller | { readonly refused: ErrorKey };

/** Returns undefined for a public socket, which has no credentials. */
export function credentialsOfRequest(
  target: string,
  headers: IncomingHttpHeaders,
  cookies: BrowserCookies,
): Credentials | undefined {
  const at = target.indexOf('?');
  const query = new URLSearchParams(at < 0 ? '' : target.slice(at + 1));
  const text = (name: string) => query.get(name) || undefined;
  const credentials = {
    key: text('api-key'),
    signature: text('api-signature'),
    expires: text('api-expires'),
    authorization: text('authorization') ?? headers.authorization,
    sessionCookie: cookies.sessionOfHandshake(headers),
  };
  return Object.values(credentials).some((one) => one !== undefined) ? credentials : undefined;
}

/** Reads the argument of `auth`. Returns undefined if it is not an object. */
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

/** Rejects with an AccessFault if the database is needed and unreachable. */
export function identifySocket(
  access: Pick<Access<Caller>, 'identify'>,
  credentials: Credentials,
  address: string,
): SocketIdentity | Promise<SocketIdentity> {
  const { authorization, expires, key, signature } = credentials;
  const isSigned = key !== undefined || signature !== undefined || expires !== undefined;
  if (isSigned && authorization !== undefined) return { refused: 'several_credentials' };
  const identified = access.identify({
    method: 'CONNECT',
    target: STREAM_PATH,
    headers: credentials,
    address,
    bodyIsExpected: false,
    isWrite: false,
  });
  return identified instanceof Promise ? identified.then(permitted) : permitted(identified);
}

function permitted(identified: Identified<Caller>): SocketIdentity {
  if ('refused' in identified) return identified;
  const { caller, untilMs } = identified;
  return caller.canRead ? { caller, untilMs } : { refused: 'scope_missing' };
}
