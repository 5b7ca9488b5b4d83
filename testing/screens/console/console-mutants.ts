// Deliberate faults of the console: one wrong change each, and the check or test that catches it.

import type { Mutant } from '../mutants.ts';

const APP = 'apps/console';
const HEALTH = `${APP}/health/health-view.ts`;
const HEALTH_TEST = `${APP}/health/health-view.test.ts`;
const WITHDRAWAL = `${APP}/withdrawals/withdrawal-view.ts`;
const WITHDRAWAL_TEST = `${APP}/withdrawals/withdrawal-view.test.ts`;
const ROLES = 'every role sees exactly';

export const CONSOLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'stale health is shown as fresh',
    file: HEALTH,
    find: "if (answerAgeMs > FRESH_MS) return { kind: 'lost', sinceMs: heardAtMs };",
    replace: '',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'a silent monitor is shown as fresh',
    file: HEALTH,
    find: 'if (health.age_ms + answerAgeMs > FRESH_MS)',
    replace: 'if (answerAgeMs > FRESH_MS)',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'one alarm is hidden',
    file: HEALTH,
    find: 'return alarms.toSorted((one, other) => rank(one)',
    replace: 'return alarms.slice(0, -1).toSorted((one, other) => rank(one)',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'two leaders look like one',
    file: HEALTH,
    find: "if (leaders.length > 1) return { kind: 'several', count: leaders.length };",
    replace: '',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'a ledger that lacks money looks balanced',
    file: HEALTH,
    find: '!/^-?0+$/.test(sum)',
    replace: '/^[1-9]/.test(sum)',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'a button is shown without its power',
    file: `${APP}/access.ts`,
    find: '&& (power === undefined || operator.powers.includes(power))',
    replace: '',
    caughtBy: `${APP}/access.test.ts`,
  },
  {
    name: 'the console opens without a second factor',
    file: `${APP}/access.ts`,
    find: "if (passkeys === 0) return { kind: 'no-factor', email };",
    replace: '',
    caughtBy: `${APP}/access.test.ts`,
  },
  {
    name: 'an own request has a button to approve it',
    file: `${APP}/approvals/approval-view.ts`,
    find: "return may(operator, 'takeBack') ? 'take-back' : 'none';",
    replace: "return 'vote';",
    caughtBy: `${APP}/approvals/approval-view.test.ts`,
  },
  {
    name: 'one person approves a withdrawal twice',
    file: WITHDRAWAL,
    find: "if (approvals?.by.includes(operator.id) !== true) acts.push('approve');",
    replace: "acts.push('approve');",
    caughtBy: WITHDRAWAL_TEST,
  },
  {
    name: 'a refusal of the policy is below the lines that pass',
    file: WITHDRAWAL,
    find: 'const rank = { refuse: 0, review: 1, pass: 2 } as const;',
    replace: 'const rank = { refuse: 2, review: 1, pass: 0 } as const;',
    caughtBy: WITHDRAWAL_TEST,
  },
  {
    name: 'the value of a credit is its amount: the wrong unit',
    file: `${APP}/deposits/credit-view.ts`,
    find: "isPriced ? multiply(amount, input.price ?? '0') : undefined",
    replace: 'isPriced ? amount : undefined',
    caughtBy: `${APP}/deposits/credit-view.test.ts`,
  },
  {
    name: 'the issuance cap forgets the coins that are there',
    file: `${APP}/deposits/credit-view.ts`,
    find: "const after = add(holdings ?? '0', amount);",
    replace: 'const after = amount;',
    caughtBy: `${APP}/deposits/credit-view.test.ts`,
  },
  {
    name: 'the stop of one coin looks like the stop of all',
    file: `${APP}/switches/switch-view.ts`,
    find: 'one.name === other.name && one.symbol === other.symbol',
    replace: 'one.name === other.name',
    caughtBy: `${APP}/switches/switch-view.test.ts`,
  },
  {
    name: 'money that is missing outside looks like a surplus',
    file: `${APP}/reconciliation/holdings.ts`,
    find: 'subtract(outside, ledger)',
    replace: 'subtract(ledger, outside)',
    caughtBy: `${APP}/reconciliation/holdings.test.ts`,
  },
  {
    name: 'every role finds every screen',
    file: `${APP}/shell.tsx`,
    find: 'screens.filter(({ name }) => own.includes(name))',
    replace: 'screens.filter(() => own.length > 0)',
    caughtBy: ROLES,
  },
  {
    name: 'every role is offered a credit by hand',
    file: `${APP}/screens/deposits.tsx`,
    find: "{operator.may('credit') && (",
    replace: "{operator.role !== '' && (",
    caughtBy: ROLES,
  },
  {
    name: 'a reveal shows nothing',
    file: `${APP}/users/reveal-dialog.tsx`,
    find: '        setRevealed(answer);\n',
    replace: '',
    caughtBy: 'personal data are revealed',
  },
  {
    name: 'an approval claims where it should approve',
    file: `${APP}/withdrawals/withdrawal-dialog.tsx`,
    find: 'reviewWithdrawal({ ...named, waiting: false, otp_code: otpCode })',
    replace: 'reviewWithdrawal({ ...named, processing: otpCode !== undefined })',
    caughtBy: 'approve a withdrawal',
  },
];
