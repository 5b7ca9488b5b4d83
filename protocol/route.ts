// A route: everything that is promised about one call of the interface, as data. The gateway serves
// it, the OpenAPI document describes it, and tests are generated from it. It knows no handler.

import { type Static, type TObject, type TSchema, Type } from 'typebox';

/** What a key must be allowed to do. `any` is every key that is valid. */
export const SCOPES = ['any', 'can_read', 'can_trade', 'can_withdraw'] as const;
export type Scope = (typeof SCOPES)[number];

/**
 * anyone:   no credentials; those sent are not looked at, except where `mayIdentify` says so.
 * user:     a key with the scope, or a session where `sessions` allows one.
 * operator: the same, of somebody whose role permits this path and method.
 */
export type Permission =
  | { readonly who: 'anyone'; readonly mayIdentify?: true }
  | { readonly who: 'user'; readonly scope: Scope; readonly sessions: boolean }
  | { readonly who: 'operator'; readonly scope: Scope; readonly sessions: boolean };

/**
 * read:   changes nothing; may be sent again.
 * write:  a signature counts once; limited first when there is too much.
 * cancel: takes risk away; has a budget of its own, so that it is the last to be refused.
 */
export type Effect = 'read' | 'write' | 'cancel';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Route {
  readonly method: Method;
  /** From the prefix on: `/v2/order`. */
  readonly path: string;
  readonly summary: string;
  readonly tag: string;
  readonly permission: Permission;
  readonly effect: Effect;
  /** What the call costs of its caller's budget. */
  readonly weight: number;
  readonly query: TObject;
  /** Absent for calls without a body, whatever they send: then none is read or signed. */
  readonly body?: TObject;
  /** The status of success, and what is in its body. */
  readonly status: number;
  readonly response: TSchema;
  /** `format=csv` is answered with a file, status 202. */
  readonly csv?: true;
  /** Only where the exchange runs for development. */
  readonly onlyInDevelopment?: true;
  /** Other exchanges with this interface lack it; docs/api/compatibility.md does not list it. */
  readonly isRialtoOnly?: true;
}

/** A route whose fields keep their exact types, so that its handler is typed by it. */
export function defineRoute<const Defined extends Route>(route: Defined): Defined {
  return route;
}

export const NO_QUERY = Type.Object({});

export type QueryOf<R extends Route> = Static<R['query']>;
export type BodyOf<R extends Route> = R['body'] extends TObject ? Static<R['body']> : undefined;
export type ResponseOf<R extends Route> = Static<R['response']>;
