// The flow in which a person without a session requests and uses a code. A browser is identified by
// a cookie, so that a short code counts only there; other clients are known by their network.

import { createHash, randomBytes } from 'node:crypto';
import type { Flow } from './codes.ts';
import type { IdentityClient } from './person-context.ts';

const TOKEN_BYTES = 32;

export function flowOf({
  flowToken,
  network,
}: Pick<IdentityClient, 'flowToken' | 'network'>): Flow {
  const cookieHash =
    flowToken === undefined ? undefined : createHash('sha256').update(flowToken).digest();
  return { cookieHash, network, session: 0 };
}

/** The flow of a request for a code. The token is for the cookie of a browser. */
export function newFlow({
  flowToken: sent,
  isBrowserApp,
  network,
}: Pick<IdentityClient, 'flowToken' | 'isBrowserApp' | 'network'>): {
  readonly flow: Flow;
  readonly flowToken: string | undefined;
} {
  if (!isBrowserApp) return { flow: flowOf({ flowToken: sent, network }), flowToken: undefined };
  const flowToken = sent ?? randomBytes(TOKEN_BYTES).toString('base64url');
  return { flow: flowOf({ flowToken, network }), flowToken };
}
