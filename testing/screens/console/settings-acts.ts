// Journeys over what an operator owns: the withdrawal policy, sign-up, name and links, tiers and
// limits, email texts, roles. Each change is read back from the exchange.

import assert from 'node:assert/strict';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const IMMEDIATE = 'Takes effect immediately. No approval needed.';
const ONE_OTHER = 'Requires approval from one other operator.';

function panelButton(one: OperatorAtWork, panel: string, name: string) {
  const region = one.page.getByRole('region', { name: panel });
  return region.getByRole('button', { name, exact: true });
}

async function becomes(
  stage: ConsoleStage,
  subject: string,
  question: () => Promise<boolean>,
): Promise<void> {
  await waitUntil({ what: subject, timeoutMs: stage.patienceMs, question });
}

const policy: ConsoleCheck = {
  name: 'journey: a tighter withdrawal policy applies immediately, a looser one after an approval',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'manager');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    const openMax = async () =>
      (await ann.call('GET', '/admin/withdrawal-policy')).body.open_max as number;
    await ann.go('/settings');
    await panelButton(ann, 'Withdrawal policy', 'Edit').click();
    await ann.fillIn({
      button: '',
      fields: { 'Open withdrawals per user': '7' },
      says: [IMMEDIATE],
      submit: 'Save',
    });
    assert.equal(await openMax(), 7);
    await panelButton(ann, 'Withdrawal policy', 'Edit').click();
    await ann.fillIn({
      button: '',
      fields: { 'Open withdrawals per user': '9' },
      says: [ONE_OTHER],
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    assert.equal(await openMax(), 7);
    await ben.approve('Change withdrawal policy');
    await becomes(stage, 'the policy is looser', async () => (await openMax()) === 9);
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

const signUp: ConsoleCheck = {
  name: 'journey: sign-up is closed and opened, and the exchange has a name and a support link',
  isJourney: true,
  async run(stage) {
    const one = await OperatorAtWork.seated(stage, 'admin');
    const kit = async () => (await stage.clientOf('alice').get('/kit')).body;
    await one.go('/settings');
    for (const [choice, isOpen] of [
      ['closed', false],
      ['open', true],
    ] as const) {
      await panelButton(one, 'Sign-up', 'Edit').click();
      await one.fillIn({
        button: '',
        choices: { 'Open to': choice },
        says: [IMMEDIATE],
        submit: 'Save',
      });
      await becomes(stage, `sign-up is ${choice}`, async () => {
        const { new_user_is_activated: isActivated } = await kit();
        return isActivated === isOpen;
      });
    }
    await panelButton(one, 'Name and links', 'Edit').click();
    await one.fillIn({
      button: '',
      fields: { 'Name of the exchange': 'Acme', Support: 'https://help.acme.example' },
      submit: 'Save',
    });
    await becomes(stage, 'the kit has the name', async () => (await kit()).title === 'Acme');
    assert.deepEqual((await kit()).links, { support: 'https://help.acme.example' });
    await one.go('/settings');
    await one.page.getByRole('link', { name: 'Acme Console' }).waitFor();
    await panelButton(one, 'Name and links', 'Edit').click();
    await one.fillIn({
      button: '',
      fields: { 'Name of the exchange': 'Rialto', Support: '' },
      submit: 'Save',
    });
    await one.close();
    return undefined;
  },
};

const referral: ConsoleCheck = {
  name: 'journey: the referral program starts after an approval and stops immediately',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'admin');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    const program = async () =>
      (await stage.clientOf('alice').get('/kit')).body.referral_history_config;
    await ann.go('/settings');
    const dialog = ann.page.getByRole('dialog').and(ann.page.locator('dialog'));
    await panelButton(ann, 'Referral program', 'Edit').click();
    await dialog.getByRole('switch', { name: 'On' }).check();
    await ann.fillIn({
      button: '',
      fields: {
        'Share of fees': '30',
        'Paying account': String(stage.sandbox.seeded.users.alice.user),
      },
      says: [ONE_OTHER],
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    assert.equal((await program()).active, false);
    await ben.approve('Change referral program');
    await becomes(stage, 'the program runs', async () => (await program()).active);
    assert.equal((await program()).earning_rate, 30);
    await ann.go('/settings');
    await panelButton(ann, 'Referral program', 'Edit').click();
    await dialog.getByRole('switch', { name: 'On' }).uncheck();
    await ann.fillIn({ button: '', says: [IMMEDIATE], submit: 'Save' });
    await becomes(stage, 'the program stops', async () => !(await program()).active);
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

const tiers: ConsoleCheck = {
  name: 'journey: a tier and its withdrawal limit are created by two operators',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'manager');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/fees');
    await ann.act({
      button: 'New tier',
      fields: { Name: 'Institutions' },
      says: [ONE_OTHER],
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    await ben.approve('Create tier');
    const row = ann.page.getByRole('table', { name: 'Tiers' }).getByRole('row');
    await row.filter({ hasText: 'Institutions' }).waitFor();
    await ann.act({
      button: 'New limit',
      fields: { 'In 24 hours': '50000', 'In 30 days': '500000' },
      choices: { Asset: 'btc' },
      says: [ONE_OTHER],
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    await ben.approve('Set limit');
    const limits = ann.page.getByRole('table', { name: 'Deposit and withdrawal limits' });
    await limits.getByRole('row').filter({ hasText: '50,000' }).waitFor();
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

const mailText: ConsoleCheck = {
  name: 'journey: an email text is previewed, changed by two operators, and restored',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'admin');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/mails?type=welcome&language=en');
    await ann.act({
      button: 'Edit',
      fields: { Subject: 'Welcome to {exchange}', Text: 'Glad that you are here.' },
      says: ['Welcome to Rialto', ONE_OTHER],
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    await ben.approve('Change email text');
    await ann.page.getByRole('article').getByText('Glad that you are here.').waitFor();
    await ann.page.getByText('Your text').waitFor();
    await ann.close();
    await ben.close();
    return undefined;
  },
};

const roles: ConsoleCheck = {
  name: 'journey: a role with chosen calls is created, and given to a user by email address',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'admin');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/roles');
    await ann.button('New role').click();
    const dialog = ann.page.getByRole('dialog').and(ann.page.locator('dialog'));
    await dialog.getByLabel('Role name').fill('desk');
    await dialog.getByLabel('Filter endpoints').fill('/admin/work');
    await dialog.getByLabel('/admin/work:get').check();
    await ann.fillIn({
      button: '',
      says: ['New calls and permissions: 1', ONE_OTHER],
      needsCode: true,
      submit: 'Save',
      outcome: 'Sent for approval',
    });
    await ben.approve('Create role');
    const role = async () => {
      const { body } = await ann.call('GET', '/admin/role');
      const all = body.data as { name: string; permissions: string[] }[];
      return all.find(({ name }) => name === 'desk')?.permissions.join();
    };
    await becomes(stage, 'the role exists', async () => (await role()) === '/admin/work:get');
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

export const settingsActs = [policy, signUp, referral, tiers, mailText, roles] as const;
