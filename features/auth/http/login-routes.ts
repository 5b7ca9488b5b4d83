// Login, and an account's sessions, logins and devices. Public calls respond at fixed intervals, so
// their duration reveals nothing about accounts.

import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import {
  answerEvenly,
  endSessionCookie,
  flowCookies,
  type HandlersOf,
  JsonAnswer,
} from '../../../platform/http/index.ts';
import { timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { revokeSession } from '../credentials/issue-sessions.ts';
import { listDevices, revokeDevice } from '../login/devices.ts';
import { logIn, type PasswordLoginRefused } from '../login/login.ts';
import { confirmLogin } from '../login/suspicious-login.ts';
import { announceEnded, answerLogin } from './answer-login.ts';
import { freezeAccount } from './freeze-account.ts';
import { answerLogins, answerSessions, deviceJson } from './login-lists.ts';

export const loginRoutes: HandlersOf<'login'> = {
  logIn: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { captcha = '', email, long_term: longTerm = false, otp_code: code = '' } = body;
      const { password, version: codeForm } = body;
      const login = { email, password, code, captcha, longTerm, codeForm, client };
      const answer = await logIn(dependencies, login);
      if (answer.kind === 'refused') {
        if (answer.ended !== undefined) {
          announceEnded(dependencies, answer.ended.user, answer.ended.sessions);
        }
        return loginRefusal(answer);
      }
      return answerLogin(dependencies, client, answer);
    }),

  async getChallenge({ client }, { clock, identity, registry }) {
    const { captcha, turnstileSiteKey } = identity;
    const made = await captcha.challenge(registry, client, clock.nowMs());
    if (made === undefined) {
      const hasSiteKey = captcha.kind === 'turnstile' && turnstileSiteKey !== undefined;
      return { type: captcha.kind, ...(hasSiteKey && { site_key: turnstileSiteKey }) };
    }
    const { challenge, difficulty, expiresAtMs } = made;
    return { type: captcha.kind, challenge, difficulty, expires_at: timeText(expiresAtMs) };
  },

  confirmLogin: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const result = await withConnection(dependencies.registry, (connection) =>
        inTransaction(connection, () =>
          confirmLogin(connection, dependencies, { code: body.token, client }),
        ),
      );
      if (result instanceof Refused) return result;
      return { message: 'The login is confirmed. Log in again.' };
    }),

  freezeAccount,

  getSessions: answerSessions,

  async revokeSession({ body, caller }, { changes, registry }) {
    const session = { user: caller.user, id: body.session_id, reason: 'revoked by its user' };
    const isDone = await revokeSession(registry, session, changes);
    if (!isDone) return new Refused('session_not_found');
    return { message: 'Session revoked' };
  },

  getLogins: answerLogins,

  async getDevices({ caller }, { registry }) {
    const devices = await listDevices(registry, caller.user);
    return { count: devices.length, data: devices.map(deviceJson) };
  },

  async revokeDevice({ caller, query }, { changes, registry }) {
    const { user } = caller;
    if (!(await revokeDevice(registry, { user, id: query.id }))) {
      return new Refused('device_not_found');
    }
    changes.announce({ user, key: 0, session: 0, isRevoked: true });
    return { message: 'Device forgotten' };
  },
};

function loginRefusal({ detail, flowToken, refusal, retryAfterS }: PasswordLoginRefused) {
  const details = detail === undefined ? {} : { detail };
  const cookies = flowCookies(flowToken);
  return new JsonAnswer(new Refused(refusal, details, retryAfterS), { cookies });
}

export const sessionsRoutes: HandlersOf<'sessions'> = {
  verifyToken: () => ({ message: 'Valid Token' }),

  /** Ends the session on every gateway; browsers drop their cookie. */
  async logout({ caller, client }, { changes, registry }) {
    const session = { user: caller.user, id: caller.session, reason: 'logout' };
    await revokeSession(registry, session, changes);
    const cookies = client.app === undefined ? [] : [endSessionCookie(client.app)];
    return new JsonAnswer({ message: 'Logged out' }, { cookies });
  },
};
