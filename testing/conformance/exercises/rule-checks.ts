// Checks for rules that apply to every endpoint: credentials, permissions and errors.

import type { Checks } from '../list-checks.ts';
import { expect, type Stage } from '../stage.ts';
import { Caller, type Sent } from '../target.ts';

const READ: Sent = { method: 'GET', path: '/v2/user/balance' };

async function answers(by: Caller, sent: Sent, status: number): Promise<void> {
  const answer = await by.send(sent);
  expect(answer.status === status, `${status} for ${sent.method} ${sent.path}`, answer.status);
  const { code, message } = answer.body ?? {};
  expect(typeof message === 'string' && message !== '', 'a message', answer.text);
  expect(Number.isInteger(code), 'an error code', answer.text);
}

const wrong = ({ target: { maker, url } }: Stage) =>
  new Caller(url, { key: maker.key, secret: 'not the secret' });

export const RULE_CHECKS: Checks = {
  'no credentials': (stage) => answers(stage.nobody, READ, 401),
  'wrong signature': (stage) => answers(wrong(stage), READ, 401),
  'unknown key': ({ target: { url } }) =>
    answers(new Caller(url, { key: 'f'.repeat(40), secret: 'f'.repeat(50) }), READ, 401),
  'no permission': ({ maker }) =>
    answers(maker.caller, { method: 'GET', path: '/v2/admin/users' }, 403),
  'unknown path': ({ nobody }) => answers(nobody, { method: 'GET', path: '/v2/nowhere' }, 404),
  'wrong method': ({ nobody }) => answers(nobody, { method: 'PUT', path: '/v2/ticker' }, 405),
};
