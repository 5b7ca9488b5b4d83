// The flow in which a code is requested and used. A browser gets a cookie that identifies it, so
// that a short code counts only there; other clients are known by their network.

import { randomBytes } from 'node:crypto';
import { type Flow, flowOf } from '../../../domain/identity/index.ts';
import type { SetCookie } from '../../../infra/access/index.ts';
import type { ClientContext } from '../client-context.ts';

/** A code may be requested again some time after it has expired. */
const COOKIE_LIFE_S = 3_600;
const TOKEN_BYTES = 32;

/** The flow of a request for a code, and the cookies of its answer. */
export function newFlow(client: ClientContext): {
  readonly flow: Flow;
  readonly cookies: readonly SetCookie[];
} {
  const { flowToken: sent, isBrowserApp, network } = client;
  if (!isBrowserApp) return { flow: flowOf({ network }), cookies: [] };
  const flowToken = sent ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const cookie = { name: 'flow', value: flowToken, maxAgeS: COOKIE_LIFE_S } as const;
  return { flow: flowOf({ network, flowToken }), cookies: [cookie] };
}
