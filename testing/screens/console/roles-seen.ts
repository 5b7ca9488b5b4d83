// Every default role in a browser sees exactly the screens and buttons whose API calls it is
// allowed, and none of its screens receives a rejection.

import assert from 'node:assert/strict';
import { permissionOf, SCREENS, type ScreenEntry } from '../../../apps/console/access.ts';
import { DEFAULT_ROLES } from '../../../protocol/wire/index.ts';
import { personWith, requestWithdrawal, reviewEverything } from './a-withdrawal.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { OperatorAtWork, settled } from './operator-at-work.ts';

interface Rights {
  readonly permissions: readonly string[];
  readonly powers: readonly string[];
}

interface ButtonToSee {
  readonly path: string;
  readonly button: string | RegExp;
  readonly call: string;
  readonly power?: string;
}

const NAMES: Readonly<Record<string, string>> = {
  overview: 'Overview',
  health: 'Health',
  incident: 'Incidents',
  withdrawals: 'Withdrawals',
  deposits: 'Deposits',
  ledger: 'Ledger',
  reconciliation: 'Reconciliation',
  staking: 'Staking',
  people: 'Users',
  surveillance: 'Surveillance',
  roles: 'Roles',
  markets: 'Markets and assets',
  activity: 'Orders and trades',
  switches: 'Kill switches',
  fees: 'Fees and tiers',
  setup: 'Setup',
  settings: 'Settings',
  control: 'Control mode',
  approvals: 'Approvals',
  audit: 'Audit log',
  announcements: 'Announcements',
  mails: 'Email texts',
  reports: 'Reports',
};

const REFUSED = 403;

/** Lists buttons and their API calls independently of the app's own table. */
function buttonsOf(user: number, withdrawal: number): readonly ButtonToSee[] {
  const person = `/people?id=${user}`;
  const review = `/withdrawals?id=${withdrawal}`;
  return [
    { path: review, button: /^Approve/, call: '/admin/burn:put', power: 'approve.money' },
    { path: review, button: 'Reject', call: '/admin/burn:put' },
    { path: '/deposits', button: 'Credit deposit', call: '/admin/mint:post' },
    { path: '/markets', button: 'List asset', call: '/admin/coin:post' },
    { path: '/markets', button: 'List market', call: '/admin/pair:post' },
    {
      path: '/switches',
      button: 'Stop: Withdrawals (all)',
      call: '/admin/switches/stop:post',
      power: 'switch.stop',
    },
    { path: '/fees', button: 'Settle fees', call: '/admin/fees/settle:get' },
    { path: person, button: 'Freeze account', call: '/admin/user/activate:post' },
    { path: person, button: 'Change role', call: '/admin/user/role:put' },
    {
      path: person,
      button: 'Reveal personal data',
      call: '/admin/reveal:post',
      power: 'break_glass',
    },
    { path: '/fees', button: 'New limit', call: '/admin/transaction/limit:put' },
    { path: '/announcements', button: 'New announcement', call: '/admin/announcements:post' },
  ];
}

function has({ permissions, powers }: Rights, call: string, power?: string): boolean {
  const isCallable = permissions.includes('*') || permissions.includes(call);
  return isCallable && (power === undefined || powers.includes(power));
}

async function differencesOf(
  stage: ConsoleStage,
  role: string,
  buttons: readonly ButtonToSee[],
): Promise<string[]> {
  const one = await OperatorAtWork.seated(stage, role);
  const found: string[] = [];
  one.page.on('response', (answer) => {
    if (answer.status() === REFUSED) found.push(`${role}: ${answer.url()} is refused`);
  });
  await one.go('/');
  const { body } = await one.call('GET', '/user');
  const rights = body as unknown as Rights;
  const own = SCREENS.filter(({ calls, power }: ScreenEntry) =>
    calls.every((call) => has(rights, permissionOf(call), power)),
  );
  const links = one.page.getByRole('navigation').getByRole('link');
  const shown = await links.allInnerTexts();
  const expected = own.map(({ name }) => NAMES[name]);
  if (shown.join() !== expected.join()) {
    found.push(`${role}: sees ${shown.join()} and not ${expected.join()}`);
  }
  for (const name of expected) {
    await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await settled(one.page);
  }
  const [closed] = SCREENS.filter(({ name }) => !expected.includes(NAMES[name]));
  if (closed !== undefined) {
    await one.go(closed.path);
    await one.page.getByText("Your role doesn't have access to this page.").waitFor();
  }
  for (const wanted of buttons) found.push(...(await buttonDifference(one, wanted, own, rights)));
  await one.close();
  return found;
}

async function buttonDifference(
  one: OperatorAtWork,
  { button, call, path, power }: ButtonToSee,
  own: readonly { readonly path: string }[],
  rights: Rights,
): Promise<string[]> {
  const [screen] = path.split('?');
  if (!own.some((entry) => entry.path === screen)) return [];
  await one.go(path);
  await settled(one.page);
  const isShown = (await one.button(button).count()) > 0;
  if (isShown === has(rights, call, power)) return [];
  const { role } = one.operator;
  return [`${role}: ${button} is ${isShown ? 'shown' : 'missing'} on ${path}`];
}

const matrix: ConsoleCheck = {
  name: 'console: every role sees exactly its screens and buttons',
  async run(stage) {
    await reviewEverything(stage);
    const person = await personWith(stage, 3);
    const withdrawal = await requestWithdrawal(stage, person, 0.5);
    const buttons = buttonsOf(person.user, withdrawal);
    const found: string[] = [];
    for (const role of ['admin', ...DEFAULT_ROLES]) {
      found.push(...(await differencesOf(stage, role, buttons)));
    }
    assert.deepEqual(found, []);
    return { roles: DEFAULT_ROLES.length + 1, buttonsByRole: buttons.length };
  },
};

export const rolesSeen = [matrix] as const;
