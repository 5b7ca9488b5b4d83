// Deliberate console faults: one wrong change each, and the check or test that must catch it.

import type { Mutant } from '../mutants.ts';

const APP = 'apps/console';
const HEALTH = `${APP}/health/health-view.ts`;
const HEALTH_TEST = `${APP}/health/health-view.test.ts`;
const WITHDRAWAL = `${APP}/withdrawals/withdrawal-view.ts`;
const WITHDRAWAL_TEST = `${APP}/withdrawals/withdrawal-view.test.ts`;
const ROLES = 'every role sees exactly';

export const CONSOLE_MUTANTS: readonly Mutant[] = [
  {
    name: 'stale health is shown as current',
    file: HEALTH,
    in: 'freshnessOf',
    drop: 'lost',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'an unresponsive monitor is shown as current',
    file: HEALTH,
    in: 'freshnessOf',
    remove: 'health.age_ms +',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'one alarm is hidden',
    file: HEALTH,
    in: 'sortedAlarms',
    replace: ['toSorted', 'slice(0, -1).toSorted'],
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'two leaders look like one',
    file: HEALTH,
    in: 'leaderOf',
    drop: '> 1',
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'a ledger with missing money looks balanced',
    file: HEALTH,
    in: 'ledgerOf',
    replace: ['!/^-?0+$', '/^[1-9]'],
    caughtBy: HEALTH_TEST,
  },
  {
    name: 'a button is shown without its permission',
    file: `${APP}/access.ts`,
    in: 'may',
    returns: 'mayCall(operator, call)',
    caughtBy: `${APP}/access.test.ts`,
  },
  {
    name: 'the console opens without a second factor',
    file: `${APP}/access.ts`,
    in: 'standingOf',
    drop: 'factor',
    caughtBy: `${APP}/access.test.ts`,
  },
  {
    name: 'operators get an approve button on their own requests',
    file: `${APP}/approvals/approval-view.ts`,
    in: 'actOn',
    replace: ["may(operator, 'takeBack') ? 'take-back' : 'none'", "'vote'"],
    caughtBy: `${APP}/approvals/approval-view.test.ts`,
  },
  {
    name: 'one operator approves a withdrawal twice',
    file: WITHDRAWAL,
    in: 'actsOn',
    remove: 'if (approvals?.by.includes(operator.id) !== true)',
    caughtBy: WITHDRAWAL_TEST,
  },
  {
    name: 'a policy rejection is listed below passed rules',
    file: WITHDRAWAL,
    in: 'verdictOf',
    replace: ['0, review: 1, pass: 2', '2, review: 1, pass: 0'],
    caughtBy: WITHDRAWAL_TEST,
  },
  {
    name: 'the value of a credit is its amount (wrong unit)',
    file: `${APP}/deposits/credit-view.ts`,
    in: 'creditEffect.value',
    value: 'isPriced ? amount : undefined',
    caughtBy: `${APP}/deposits/credit-view.test.ts`,
  },
  {
    name: 'the issuance cap ignores the existing supply',
    file: `${APP}/deposits/credit-view.ts`,
    in: 'creditEffect.after',
    value: 'amount',
    caughtBy: `${APP}/deposits/credit-view.test.ts`,
  },
  {
    name: 'stopping one asset looks like stopping all',
    file: `${APP}/switches/switch-view.ts`,
    in: 'isSame',
    remove: 'one.symbol === other.symbol &&',
    caughtBy: `${APP}/switches/switch-view.test.ts`,
  },
  {
    name: 'missing external funds look like a surplus',
    file: `${APP}/reconciliation/holdings.ts`,
    in: 'holdingRows',
    replace: ['outside, ledger', 'ledger, outside'],
    caughtBy: `${APP}/reconciliation/holdings.test.ts`,
  },
  {
    name: 'every role sees every screen',
    file: `${APP}/shell.tsx`,
    in: 'Shell.offered',
    value: 'screens.filter(() => own.length > 0)',
    caughtBy: ROLES,
  },
  {
    name: 'every role is offered a manual credit',
    file: `${APP}/screens/deposits.tsx`,
    in: 'Screen',
    replace: ["may('credit')", "role !== ''"],
    caughtBy: ROLES,
  },
  {
    name: 'a reveal shows nothing',
    file: `${APP}/users/reveal-dialog.tsx`,
    in: 'RevealDialog',
    drop: '(answer)',
    caughtBy: 'personal data is revealed',
  },
  {
    name: 'an approval claims where it should approve',
    file: `${APP}/withdrawals/withdrawal-dialog.tsx`,
    in: 'WithdrawalDialog',
    replace: ['waiting: false, otp_code: otpCode', 'processing: otpCode !== undefined'],
    caughtBy: 'approve a withdrawal',
  },
];
