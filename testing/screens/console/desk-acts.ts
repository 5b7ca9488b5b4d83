// Journeys over the operator's desk: the search box, the count of all queues, the control mode, an
// asset that opens, stop orders, and a withdrawal that stays on the page.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { useSolo, useTeam } from '../../../features/approvals/operators-for-test.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { personWith, requestWithdrawal, reviewEverything } from './a-withdrawal.ts';
import type { ConsoleCheck } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const searchBox: ConsoleCheck = {
  name: 'journey: the search box shows only answers to its text, told apart by number',
  isJourney: true,
  async run(stage) {
    const one = await OperatorAtWork.seated(stage, 'admin');
    await one.go('/');
    const { user } = stage.sandbox.seeded.users.alice;
    const box = one.page.getByRole('searchbox', { name: 'Search' });
    const results = one.page.getByRole('search').getByRole('listitem');
    await box.fill('btc-usdt');
    await box.press('Enter');
    await results.filter({ hasText: 'btc-usdt active' }).waitFor();
    await box.fill('btc-usdt-not-there');
    assert.equal(await results.count(), 0, 'answers to another text are shown');
    await one.page.getByText('Press Enter to search.').waitFor();
    await box.press('Enter');
    await one.page.getByText('No results.').waitFor();
    await box.fill(String(user));
    await box.press('Enter');
    await results.filter({ hasText: `User#${user}` }).waitFor();
    await one.close();
    return undefined;
  },
};

function countIn(page: Page): Promise<number> {
  return page
    .getByRole('button', { name: /^Needs review \d+$/ })
    .getAttribute('aria-label')
    .then((text) => Number(text?.split(' ').at(-1)));
}

const everyQueue: ConsoleCheck = {
  name: 'journey: the count in the header includes withdrawals in review and announced deposits',
  isJourney: true,
  async run(stage) {
    const one = await OperatorAtWork.seated(stage, 'supervisor');
    await one.go('/');
    await one.page.getByRole('button', { name: /^Needs review \d+$/ }).waitFor();
    const before = await countIn(one.page);
    await reviewEverything(stage);
    const person = await personWith(stage, 1);
    await requestWithdrawal(stage, person, 0.1);
    const announced = await person.send('POST', '/fiat/deposit', {
      body: { currency: 'eur', amount: 500, transaction_id: randomBytes(8).toString('hex') },
    });
    assert.equal(announced.status, 200, announced.text);
    await waitUntil({
      what: 'the header counts both',
      timeoutMs: stage.patienceMs,
      question: async () => (await countIn(one.page)) === before + 2,
    });
    await one.page.getByRole('button', { name: /^Needs review \d+$/ }).click();
    await one.page.getByRole('menuitem', { name: /^Deposits to review/ }).click();
    await one.page.getByRole('row').filter({ hasText: '500' }).first().waitFor();
    await one.close();
    return undefined;
  },
};

const controlMode: ConsoleCheck = {
  name: 'journey: the control mode is shown to every role, and dialogs tell who must agree',
  isJourney: true,
  async run(stage) {
    const { registry } = stage.sandbox.admin;
    const support = await OperatorAtWork.seated(stage, 'support');
    await support.go('/');
    await support.page.locator('[data-mode=team]').waitFor();
    await useSolo(registry);
    try {
      await support.go('/');
      await support.page.locator('[data-mode=solo]').waitFor();
      for (const [role, text] of [
        ['admin', 'Solo mode: takes effect immediately, without approval.'],
        ['manager', 'Solo mode: an administrator must approve it first.'],
      ]) {
        const one = await OperatorAtWork.seated(stage, role);
        await one.go('/markets');
        const row = one.page.getByRole('row').filter({ hasText: 'BTC/USDT' });
        await row.getByRole('button', { name: 'Change status' }).click();
        const dialog = one.page.getByRole('dialog').and(one.page.locator('dialog'));
        await dialog.getByLabel('Status', { exact: true }).selectOption('post-only');
        await dialog.getByText(text).waitFor();
        await one.close();
      }
    } finally {
      await useTeam(registry);
    }
    await support.close();
    return undefined;
  },
};

const assetOpens: ConsoleCheck = {
  name: 'journey: an asset is closed immediately and opened after an approval, with a new fee',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'manager');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/markets');
    const table = ann.page.getByRole('table', { name: 'Assets' });
    const row = table.getByRole('row').filter({ hasText: 'EUR' });
    const dialog = ann.page.getByRole('dialog').and(ann.page.locator('dialog'));
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Deposits enabled').uncheck();
    await ann.fillIn({
      button: '',
      submit: 'Save',
      says: ['Takes effect immediately. No approval needed.'],
    });
    const isOpen = async () =>
      (await stage.clientOf('alice').get('/constants')).body.coins.eur.allow_deposit;
    await waitUntil({
      what: 'deposits are closed',
      timeoutMs: stage.patienceMs,
      question: async () => !(await isOpen()),
    });
    await row.getByText('Disabled').waitFor();
    await row.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Deposits enabled').check();
    await ann.fillIn({
      button: '',
      fields: { 'Withdrawal fee': '2.5' },
      submit: 'Save',
      says: ['Requires approval from one other operator.'],
      outcome: 'Sent for approval',
    });
    await ben.approve('Change asset');
    await waitUntil({
      what: 'deposits are open',
      timeoutMs: stage.patienceMs,
      question: isOpen,
    });
    await row.getByText('Disabled').waitFor({ state: 'detached' });
    const { body } = await stage.clientOf('alice').get('/constants');
    assert.equal(Number(body.coins.eur.withdrawal_fee), 2.5);
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

const stopOrders: ConsoleCheck = {
  name: 'journey: a stop order shows its kind and its trigger price',
  isJourney: true,
  async run(stage) {
    const order = { symbol: 'btc-usdt', type: 'market', side: 'sell', size: 0.01, stop: 51_234 };
    const placed = await stage.clientOf('alice').post('/order', order);
    assert.equal(placed.status, 200, placed.text);
    const one = await OperatorAtWork.seated(stage, 'supervisor');
    await one.go(`/people?id=${stage.sandbox.seeded.users.alice.user}&tab=orders`);
    const row = one.page.getByRole('row').filter({ hasText: '51,234' });
    await row.getByText('Stop market').waitFor();
    await row.getByText('Trigger').waitFor();
    await stage.clientOf('alice').delete(`/order?order_id=${placed.body.id}`);
    await one.close();
    return undefined;
  },
};

const settledStays: ConsoleCheck = {
  name: 'journey: a rejected withdrawal stays on the page and is in the list of rejected ones',
  isJourney: true,
  async run(stage) {
    await reviewEverything(stage);
    const person = await personWith(stage, 1);
    const first = await requestWithdrawal(stage, person, 0.1);
    const one = await OperatorAtWork.seated(stage, 'supervisor');
    await one.go(`/withdrawals?id=${first}`);
    await one.act({ button: 'Reject', submit: 'Reject', reason: 'test' });
    const detail = one.page.getByRole('region', { name: `Withdrawal ${first}` });
    await detail.getByText('Rejected').first().waitFor();
    await one.page
      .getByRole('radio', { name: 'Rejected' })
      .or(one.page.getByRole('button', { name: 'Rejected' }))
      .click();
    await one.page.getByRole('button', { name: new RegExp(`User ${person.user}`) }).waitFor();
    await one.close();
    return undefined;
  },
};

const activity: ConsoleCheck = {
  name: 'journey: orders and trades of all users are listed and filtered',
  isJourney: true,
  async run(stage) {
    const { alice, bob } = stage.sandbox.seeded.users;
    const order = { symbol: 'btc-eur', type: 'limit', size: 0.01, price: 54_321 };
    const sold = await stage.clientOf('alice').post('/order', { ...order, side: 'sell' });
    assert.equal(sold.status, 200, sold.text);
    const bought = await stage.clientOf('bob').post('/order', { ...order, side: 'buy' });
    assert.equal(bought.status, 200, bought.text);
    const one = await OperatorAtWork.seated(stage, 'supervisor');
    await one.go('/activity');
    await one.page.getByLabel('Market', { exact: true }).selectOption('btc-eur');
    await one.page.getByLabel('User ID').fill(String(bob.user));
    const rows = one.page.getByRole('row').filter({ hasText: '54,321' });
    await rows
      .filter({ hasText: `User ${bob.user}` })
      .first()
      .waitFor();
    assert.equal(await rows.filter({ hasText: `User ${alice.user}` }).count(), 0);
    await one.page.getByRole('tab', { name: 'Trades' }).click();
    const trade = one.page.getByRole('row').filter({ hasText: '54,321' });
    await trade.getByRole('link', { name: `User ${alice.user}` }).waitFor();
    await trade.getByRole('link', { name: `User ${bob.user}` }).waitFor();
    await one.close();
    return undefined;
  },
};

export const deskActs = [
  activity,
  searchBox,
  everyQueue,
  controlMode,
  assetOpens,
  stopOrders,
  settledStays,
] as const;
