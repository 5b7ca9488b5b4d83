// Flow in which a user without a session requests and uses a code. A cookie identifies a browser,
// so a short code is valid only there; other clients are identified by their network.

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

/** Creates the flow for a code request. The token is for a browser's cookie. */
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
