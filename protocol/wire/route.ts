// A route: the contract of one API endpoint, as data. The gateway serves it, the OpenAPI document
// describes it, and tests are generated from it. It knows no handler.

import type { Static, TObject, TSchema } from 'typebox';
import { Type } from './type.ts';

/** Permission that a key needs. `any` accepts every valid key. */
export const SCOPES = ['any', 'can_read', 'can_trade', 'can_withdraw'] as const;
export type Scope = (typeof SCOPES)[number];

/** Roles that migrations create in addition to the administrator's, which can call everything. */
export const DEFAULT_ROLES = [
  'supervisor',
  'manager',
  'support',
  'kyc',
  'communicator',
  'announcer',
  'auditor',
] as const;
export type DefaultRole = (typeof DEFAULT_ROLES)[number];

/**
 * anyone:   no credentials; they are ignored unless `mayIdentify` is set.
 * user:     a key with the scope, or a session if `sessions` allows one. With `noGuests`, not a
 *           guest's session in a shared account.
 * person:   the login session of the account's owner; never a key. With `anySession`, also that of
 *           a sub-account or a guest.
 * operator: like user, and the role must permit this path and method. With `personOnly`, never a
 *           key.
 */
export type Permission =
  | { readonly who: 'anyone'; readonly mayIdentify?: true }
  | {
      readonly who: 'user';
      readonly scope: Scope;
      readonly sessions: boolean;
      readonly noGuests?: true;
    }
  | { readonly who: 'person'; readonly anySession?: true }
  | {
      readonly who: 'operator';
      readonly scope: Scope;
      readonly sessions: boolean;
      readonly personOnly?: true;
    };

/**
 * read:   changes nothing; can be repeated.
 * write:  a signature counts once, unless the route can repeat; the first to be limited under load.
 * cancel: reduces risk; has its own rate limit, so it is the last to be refused.
 */
export type Effect = 'read' | 'write' | 'cancel';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A request and its response, for the API reference. */
export interface RouteExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response?: unknown;
}

export interface Route {
  readonly method: Method;
  /** Path with its version: `/v2/order`; with named parts: `/v2/codes/:code`. */
  readonly path: string;
  readonly summary: string;
  /** For the reference, beyond the summary: conditions, limits, effects. */
  readonly description: string;
  readonly tag: string;
  readonly permission: Permission;
  /**
   * Every operator route lists the default roles that have it; empty if only the administrator
   * does. A new route also needs a migration: `role-matrix.slow.test.ts` prints its SQL.
   */
  readonly roles?: readonly DefaultRole[];
  readonly effect: Effect;
  /** Weight charged to the caller's rate limit. */
  readonly weight: number;
  /** Named parts of the path. */
  readonly params?: TObject;
  readonly query: TObject;
  /** Documented parameter names can have this prefix; the plain name wins. */
  readonly queryPrefix?: string;
  /** Absent for requests without a body: then a body is neither read nor signed. */
  readonly body?: TObject;
  /** Maximum body size in bytes; `BODY_BYTES_MAX` by default. */
  readonly bodyBytesMax?: number;
  /**
   * Equal signed requests within two seconds of the first are separate requests, such as orders in
   * a row.
   */
  readonly mayRepeat?: true;
  /**
   * The write is stored together with its signature, so the database decides whether it counts: an
   * equal signed request can be sent again, to any gateway, and is executed once.
   */
  readonly isRecorded?: true;
  /** The body is an order or a list of orders: keys that would change execution are refused. */
  readonly isOrder?: true;
  /** The body can also be sent as `application/x-www-form-urlencoded`. */
  readonly isForm?: true;
  /** Status of a successful response, and the schema of its body. */
  readonly status: number;
  readonly response: TSchema;
  /** The action might need approvals: then 202 with a PendingApproval, or 409 for a key. */
  readonly mayWait?: true;
  /** `format=csv` returns a file, with status 202. */
  readonly csv?: true;
  /** `format=pdf` returns a file, with status 202. Its bytes are ASCII. */
  readonly pdf?: true;
  /** Path of a file: `format=csv` is its default. Created by `listFile`. */
  readonly isFile?: true;
  /**
   * Operators read rows about users: each request counts as a look-up of the user in `user_id`.
   * Without one, the role needs the permission to search.
   */
  readonly lookUp?: true;
  /** Operators read personal data: a file of it requires approval from other operators. */
  readonly isPersonal?: true;
  /** Gateway module that serves the route; by default, its permission and its path decide. */
  readonly module?: 'identity' | 'admin';
  /** A write that users can make while the exchange is read-only, because it only reduces risk. */
  readonly worksReadOnly?: true;
  /** Served while the gateway's intake is stopped, because operators need it to log in. */
  readonly worksStopped?: true;
  /** Served only in development mode. */
  readonly onlyInDevelopment?: true;
  /** Other exchanges with this API lack it; docs/api/calls.md does not list it. */
  readonly isRialtoOnly?: true;
  /**
   * By default, the reference builds an example from the fields. A test checks it with the schemas.
   */
  readonly example?: RouteExample;
}

/** Default body limit. */
export const BODY_BYTES_MAX = 16_384;
/** Body limit for long texts or lists. */
export const LONG_BODY_BYTES_MAX = 65_536;
/** Body limit for operator requests with pages of text or unbounded lists. */
export const OPERATOR_BODY_BYTES_MAX = 262_144;

type RolesStated<Defined extends Route> = Defined['permission'] extends { who: 'operator' }
  ? { readonly roles: readonly DefaultRole[] }
  : unknown;

/** Keeps the exact types of the fields, so the route types its handler. */
export function defineRoute<const Defined extends Route>(
  route: Defined & RolesStated<Defined>,
): Defined {
  return route;
}

/** Form in which roles hold an operator route: `/admin/users:get`; a file has its list's. */
export function operatorCall({ isFile, method, path }: Route): string {
  const base = isFile === true ? path.slice(0, -'/csv'.length) : path;
  return `${base.slice('/v2'.length)}:${method.toLowerCase()}`;
}

export const NO_QUERY = Type.Object({});

export type QueryOf<R extends Route> = Static<R['query']>;
export type ParamsOf<R extends Route> = R['params'] extends TObject
  ? Static<R['params']>
  : undefined;
export type BodyOf<R extends Route> = R['body'] extends TObject ? Static<R['body']> : undefined;
export type ResponseOf<R extends Route> = Static<R['response']>;

// All weights are listed together to show their proportions: a list page costs five orders, a file
// twenty.

/** Served from the gateway's memory, or by one command to the engine. */
export const WEIGHT_LIGHT = 1;
/** A few indexed rows, or a walk through a book. */
export const WEIGHT_ROW = 2;
/** A list page, or the candles of one market. */
export const WEIGHT_LIST = 5;
/** The candles of every market; a withdrawal, with its limits and its locks. */
export const WEIGHT_HEAVY = 10;
/** `format=csv` and `format=all`, instead of the route's own weight. */
export const WEIGHT_FILE = 20;

/** A batch costs one for each of its orders, charged once they have been counted. */
export const BATCH_ORDERS_MAX = 50;

/** Only in a login session, never with a key. */
export const person = { who: 'operator', scope: 'any', sessions: true, personOnly: true } as const;

/** Routes spread this and override what differs. */
export const act = {
  tag: 'operator',
  effect: 'write',
  weight: WEIGHT_HEAVY,
  query: NO_QUERY,
  status: 200,
} as const;
