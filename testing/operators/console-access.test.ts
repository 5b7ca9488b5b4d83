// The console's screens and buttons match the API: every call is an operator route, every
// permission exists, and each default role sees exactly these screens and buttons.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  ACTS,
  type ActEntry,
  type ActName,
  may,
  permissionOf,
  SCREENS,
  screensOf,
} from '../../apps/console/access.ts';
import { words } from '../../apps/console/words/en/words.ts';
import { POWERS } from '../../features/approvals/powers.ts';
import { type Route, routes } from '../../protocol/index.ts';
import { DEFAULT_ROLES, type DefaultRole, operatorCall } from '../../protocol/wire/index.ts';
import { callsOf, POWERS_OF } from './default-roles.ts';

const CALLS = new Set(
  Object.values<Route>(routes)
    .filter(({ permission }) => permission.who === 'operator')
    .map(operatorCall),
);

test('every call of a screen or button is an operator call', () => {
  const named = [
    ...SCREENS.flatMap(({ calls }) => [...calls]),
    ...Object.values(ACTS).map(({ call }) => call),
  ];
  assert.deepEqual(
    named.map(permissionOf).filter((call) => !CALLS.has(call)),
    [],
  );
});

test('every permission of a button exists on the exchange', () => {
  const powers = Object.values<ActEntry>(ACTS).flatMap(({ power }) => power ?? []);
  assert.deepEqual(
    powers.filter((power) => !(POWERS as readonly string[]).includes(power)),
    [],
  );
});

test('every screen file of the console is in the table and has a label', () => {
  const folder = join(import.meta.dirname, '../../apps/console/screens');
  const names = SCREENS.map(({ name }) => name as string);
  for (const file of readdirSync(folder).filter((one) => one.endsWith('.tsx'))) {
    assert.ok(names.includes(file.replace('.tsx', '')), file);
  }
  for (const name of names) assert.ok(Object.hasOwn(words, `screen.${name}`), name);
});

/** Screens of each default role in addition to the overview, in navigation order. */
const EXPECTED: Readonly<Record<DefaultRole, string>> = {
  supervisor:
    'health incident withdrawals deposits ledger reconciliation staking people ' +
    'surveillance activity switches settings control approvals audit announcements mails reports',
  manager:
    'health incident withdrawals deposits ledger reconciliation staking people ' +
    'surveillance markets activity switches fees settings control approvals',
  support: 'health people settings approvals',
  kyc: 'people surveillance settings approvals',
  communicator: 'settings approvals announcements mails',
  announcer: 'approvals announcements mails',
  auditor:
    'health withdrawals deposits ledger reconciliation staking people surveillance ' +
    'roles markets activity switches fees settings control approvals audit announcements ' +
    'mails reports',
};

/** Buttons that change something, with every permission. */
const BUTTONS: Readonly<Record<DefaultRole, string>> = {
  supervisor:
    'dismissProcess approveWithdrawal settleWithdrawal holdUser vote takeBack stop resume ' +
    'setBanner removeBanner freezeUser flagUser writeNote setLevel verifyEmail ' +
    'resetFactors reveal judgeReveal endSession verifyBank revokeBank cancelOrder reviewDeposit ' +
    'announce changeAnnouncement removeAnnouncement workFinding setRule tryRule',
  manager:
    'setPolicy dismissProcess holdUser takeBack stop setBanner removeBanner listCoin changeCoin ' +
    'listPair changePair setBand setFees addTier changeTier setLimit settleFees freezeUser ' +
    'flagUser writeNote endSession cancelOrder credit',
  support: 'takeBack flagUser writeNote resetFactors',
  kyc: 'takeBack flagUser writeNote setLevel verifyEmail verifyBank revokeBank workFinding',
  communicator:
    'changeKit takeBack setBanner removeBanner announce changeAnnouncement removeAnnouncement',
  announcer: 'takeBack announce changeAnnouncement removeAnnouncement',
  auditor: 'takeBack tryRule',
};

for (const role of DEFAULT_ROLES) {
  test(`${role} sees exactly its screens and buttons`, () => {
    const permissions = callsOf(role);
    const screens = screensOf({ permissions, powers: POWERS_OF[role] }).map(({ name }) => name);
    assert.equal(screens.slice(1).join(' '), EXPECTED[role]);
    const isChange = (act: ActName) => !/^(?:read|search)/.test(act);
    const buttons = (Object.keys(ACTS) as ActName[])
      .filter(isChange)
      .filter((act) => may({ permissions, powers: [...POWERS] }, act));
    assert.equal(buttons.join(' '), BUTTONS[role]);
  });
}
