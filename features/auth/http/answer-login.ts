// Response to a login by password or passkey: the token for all clients, and cookies for the
// exchange's own web apps.

import type { SetCookie } from '../../../infra/access/index.ts';
import {
  type ClientContext,
  type Dependencies,
  JsonAnswer,
  sessionCookie,
} from '../../../platform/http/index.ts';
import type { SessionToken } from '../../../protocol/index.ts';
import type { OpenedLogin } from '../login/open-session.ts';

/** Browsers keep no cookie longer than 400 days. */
const DEVICE_COOKIE_S = 400 * 86_400;

/** Call it after the commit. */
export function answerLogin(
  dependencies: Pick<Dependencies, 'changes'>,
  { app }: Pick<ClientContext, 'app'>,
  { deviceToken, ended, lifeMs, token, user }: OpenedLogin,
): JsonAnswer<SessionToken> {
  announceEnded(dependencies, user, ended);
  const cookies: SetCookie[] = [];
  if (app !== undefined) {
    cookies.push(sessionCookie(app, token, lifeMs));
    if (deviceToken !== undefined) {
      cookies.push({ name: 'device', value: deviceToken, maxAgeS: DEVICE_COOKIE_S });
    }
  }
  return new JsonAnswer({ token }, { cookies });
}

/** Makes gateways drop the sessions. Call it after the commit. */
export function announceEnded(
  { changes }: Pick<Dependencies, 'changes'>,
  user: OpenedLogin['user'],
  sessions: readonly number[],
): void {
  for (const session of sessions) changes.announce({ user, key: 0, session, isRevoked: true });
}
