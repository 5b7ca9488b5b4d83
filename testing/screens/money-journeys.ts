// Money journeys: a credited deposit, and a withdrawal with a second factor, an emailed code and
// two operators; a deposit on a local chain. The screens update without a reload.

import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { describePolicySettings } from '../../features/payments/index.ts';
import { PersonOverHttp } from '../identity/person-over-http.ts';
import type { Check } from './check.ts';
import { depositFor, ledgerBalances, rowEquals } from './ledger.ts';
import { mailedCode } from './mailed-code.ts';
import { type Stage, visit } from './stage.ts';

/** Valid address that belongs to no user of this exchange. */
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

const depositAndWithdraw: Check = {
  name: 'journey: a deposit is credited; a withdrawal is approved by two and completed',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const person = await PersonOverHttp.make(stage.sandbox);
    const { user } = person;
    const page = await stage.openPage({ user });
    await visit(page, stage.url, '/wallet');
    await depositFor(stage, { user, currency: 'btc', network: 'btc', amount: 2 });
    const row = page.getByRole('row').filter({ hasText: 'BTC' });
    await rowEquals(stage, row, { user, coin: 'btc' });
    await page.getByRole('tab', { name: 'Deposits' }).click();
    const deposit = page.getByRole('table', { name: 'Deposits' }).getByRole('row');
    await deposit.filter({ hasText: '2 BTC' }).filter({ hasText: 'Completed' }).waitFor();
    await page.getByRole('tab', { name: 'Assets' }).click();

    // Every withdrawal worth at least a dollar needs two reviews.
    await describePolicySettings(stage.sandbox.admin.registry, {
      oneReviewFrom: '1',
      twoReviewsFrom: '1',
    });
    const transactionId = await withdraw(stage, page, person);
    await approveByTwo(stage, transactionId);
    await page.getByRole('status').filter({ hasText: 'Completed' }).waitFor();
    const { available, held, total } = (await ledgerBalances(stage, user)).btc;
    // Minus 0.5 and the fee of 0.0005.
    assert.deepEqual([total, available, held], ['1.4995', '1.4995', '0']);
    await page.keyboard.press('Escape');
    await rowEquals(stage, row, { user, coin: 'btc' });
    await page.context().close();
    return undefined;
  },
};

const depositOnChain: Check = {
  name: 'journey: coins on a chain are confirmed, credited and shown with their transaction',
  from: 'quick',
  lane: 'people',
  isJourney: true,
  async run(stage) {
    const { chain } = stage.sandbox;
    assert.ok(chain !== undefined, 'the sandbox has no local chain');
    const { user } = await PersonOverHttp.make(stage.sandbox);
    const page = await stage.openPage({ user });
    await visit(page, stage.url, '/wallet');
    await page.getByRole('button', { name: 'Deposit ETH' }).click();
    const drawer = page.getByRole('dialog', { name: 'Deposit ETH' });
    await drawer.getByRole('button', { name: 'I understand, show the address' }).click();
    const shown = drawer.locator('bdi').filter({ hasText: /^0x/ });
    const address = ((await shown.textContent()) ?? '').replace(/\s/g, '');
    assert.match(address, /^0x[0-9a-fA-F]{40}$/);
    await drawer.getByText('Minimum deposit').waitFor();
    await drawer.getByText('0.01 ETH').waitFor();

    const hash = await chain.send('eth', '1.5', address);
    await drawer.getByText(/[1-5]\/[1-9] confirmations/).waitFor();
    const row = drawer.getByRole('row').filter({ hasText: '1.5 ETH' });
    await row.filter({ hasText: 'Completed' }).waitFor();
    const { available, total } = (await ledgerBalances(stage, user)).eth;
    assert.deepEqual([total, available], ['1.5', '1.5']);

    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Deposits' }).click();
    const table = page.getByRole('table', { name: 'Deposits' });
    await table.getByRole('button', { name: 'Details' }).click();
    await page.getByRole('dialog').getByText(hash.slice(2)).waitFor();
    await page.context().close();
    return undefined;
  },
};

/** Requests and confirms a withdrawal on the screen. Returns its transaction ID. */
async function withdraw(stage: Stage, page: Page, person: PersonOverHttp): Promise<string> {
  await page.getByRole('button', { name: 'Withdraw BTC' }).click();
  const drawer = page.getByRole('dialog', { name: 'Withdraw BTC' });
  await drawer.getByLabel('Address', { exact: true }).fill(ADDRESS);
  await drawer.getByLabel('Amount', { exact: true }).fill('0.5');
  await drawer.getByLabel('One-time code').fill(await person.otp());
  await drawer.getByRole('button', { name: 'Withdraw 0.5 BTC' }).click();
  const code = drawer.getByLabel('Email code');
  await code.waitFor();
  await code.fill(await mailedCode(stage, await emailOf(stage, person), 'confirm_withdrawal'));
  await drawer.getByRole('button', { name: 'Confirm withdrawal' }).click();
  await drawer.getByRole('status').filter({ hasText: 'In review' }).waitFor();
  const { body } = await person.send('GET', '/user/withdrawals');
  return body.data[0].transaction_id;
}

async function approveByTwo(stage: Stage, transactionId: string): Promise<void> {
  const [ann, ben] = [
    await PersonOverHttp.operator(stage.sandbox),
    await PersonOverHttp.operator(stage.sandbox),
  ];
  const first = await ann.approveWithdrawal(transactionId);
  assert.deepEqual([first.status, first.body.waiting], [200, true], first.text);
  const second = await ben.approveWithdrawal(transactionId, { processing: true });
  assert.deepEqual([second.status, second.body.waiting], [200, false], second.text);
  const done = { transaction_id: transactionId, status: true };
  const paid = await stage.clientOf('admin').put('/admin/burn', done);
  assert.equal(paid.status, 200, paid.text);
}

async function emailOf({ sandbox }: Stage, { user }: PersonOverHttp): Promise<string> {
  const text = 'select email from users where id = $1';
  const { rows } = await sandbox.admin.registry.query(text, [user]);
  return rows[0].email;
}

export const moneyJourneys: readonly Check[] = [depositAndWithdraw, depositOnChain];
