// Every name that the exchange can send to the console has a label, so operators never see wire
// names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { words } from '../../apps/console/words/en/words.ts';
import { CLOSE_REASONS, MARKET_STATUSES } from '../../core/messages/index.ts';
import { POWERS } from '../../features/approvals/powers.ts';
import type { LoginOutcome } from '../../features/auth/login/logins.ts';
import { ALARM_SEVERITIES } from '../../features/health/alarms.ts';
import { MAIL_KINDS } from '../../features/messages/mail/mail-kinds.ts';
import { DEPOSITS } from '../../features/payments/deposits/states.ts';
import { WITHDRAWALS } from '../../features/payments/withdrawals/states.ts';
import { RULES } from '../../features/surveillance/surveillance.ts';
import { DEFAULT_ROLES } from '../../protocol/wire/index.ts';
import { ACTS } from '../../services/gateway-http/acts.ts';

/** A missing outcome is a compile error. */
const OUTCOMES: Readonly<Record<LoginOutcome, true>> = {
  success: true,
  password_wrong: true,
  blocked: true,
  email_not_verified: true,
  not_verified: true,
  not_activated: true,
  factor_missing: true,
  factor_wrong: true,
  suspicious: true,
};

const NAMES: Readonly<Record<string, Iterable<string>>> = {
  act: ACTS.keys(),
  alarm: ALARM_SEVERITIES.keys(),
  closeReason: CLOSE_REASONS,
  'event.deposit': Object.keys(DEPOSITS.states),
  'event.login': Object.keys(OUTCOMES),
  'event.mail': MAIL_KINDS,
  'event.withdrawal': Object.keys(WITHDRAWALS.states),
  marketStatus: MARKET_STATUSES,
  power: POWERS,
  role: ['admin', ...DEFAULT_ROLES],
  'watch.parameter': RULES.flatMap(({ parameters }) => Object.keys(parameters)),
  'watch.rule': RULES.map(({ name }) => name),
};

for (const [area, names] of Object.entries(NAMES)) {
  test(`every name of ${area} has a label`, () => {
    const all = [...names];
    assert.ok(all.length > 0);
    assert.deepEqual(
      all.filter((name) => !Object.hasOwn(words, `${area}.${name}`)),
      [],
    );
  });
}

test('no label is a wire name', () => {
  assert.deepEqual(
    Object.entries(words).filter(([, text]) =>
      /\b[a-z]+_[a-z]+\b/.test(text.replaceAll(/\{.*?\}/g, '')),
    ),
    [],
  );
});
