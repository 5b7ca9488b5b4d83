// The session of a request: whether it is valid, and its end.

import { endSessionCookie, type HandlersOf, JsonAnswer } from '../../../platform/http/index.ts';
import { revokeSession } from '../credentials/issue-sessions.ts';

export const sessionsRoutes: HandlersOf<'sessions'> = {
  verifyToken: () => ({ message: 'Valid Token' }),

  /** The session ends on every gateway; browsers drop their cookie. */
  async logout({ caller, client }, { changes, registry }) {
    const session = { user: caller.user, id: caller.session, reason: 'logout' };
    await revokeSession(registry, session, changes);
    const cookies = client.app === undefined ? [] : [endSessionCookie(client.app)];
    return new JsonAnswer({ message: 'Logged out' }, { cookies });
  },
};
