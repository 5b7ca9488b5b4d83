// Money journeys: a withdrawal approved by two operators, a request that its author cannot
// approve, a manual credit, fee settlement.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setThresholds } from '../../../features/approvals/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { ledgerBalances } from '../ledger.ts';
import { ADDRESS, personWith, requestWithdrawal, reviewEverything } from './a-withdrawal.ts';
import { type ConsoleCheck, type ConsoleStage, NO_APPROVALS } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const withdrawalByTwo: ConsoleCheck = {
  name: 'journey: two operators sign in and approve a withdrawal, which is paid',
  isJourney: true,
  async run(stage) {
    await reviewEverything(stage);
    const person = await personWith(stage, 2);
    const id = await requestWithdrawal(stage, person, 0.5);
    const [ann, ben] = await Promise.all([
      OperatorAtWork.signIn(stage, 'supervisor'),
      OperatorAtWork.signIn(stage, 'supervisor'),
    ]);
    const approval = { submit: 'Approve', needsCode: true, says: [ADDRESS] } as const;
    await ann.go(`/withdrawals?id=${id}`);
    await ann.page.getByText('needs 2').first().waitFor();
    await ann.act({ button: 'Approve 1 of 2', ...approval });
    await ann.page.getByText('1 of 2 approvals').waitFor();
    assert.equal(await ann.button(/^Approve/).count(), 0, 'the first operator can approve again');
    await ben.go(`/withdrawals?id=${id}`);
    await ben.act({ button: 'Approve 2 of 2', ...approval });
    await ben.act({ button: 'Claim', submit: 'Claim' });
    const paid = { 'Transaction ID': randomBytes(32).toString('hex') };
    await ben.act({ button: 'Complete', submit: 'Complete', fields: paid });
    await waitUntil({
      what: 'the ledger has paid the withdrawal',
      timeoutMs: stage.patienceMs,
      question: async () => (await ledgerBalances(stage, person.user)).btc.total === '1.4995',
    });
    assert.equal((await ledgerBalances(stage, person.user)).btc.held, '0');
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

/** The manager requests a credit of 0.25 BTC, which another operator must approve. */
async function requestCredit(stage: ConsoleStage, user: number): Promise<OperatorAtWork> {
  const { registry } = stage.sandbox.admin;
  const manager = await OperatorAtWork.seated(stage, 'admin');
  await manager.go('/deposits');
  await setThresholds(registry, { ...NO_APPROVALS, oneApprovalFrom: '1' });
  try {
    await manager.act({
      button: 'Credit deposit',
      submit: `Credit 0.25 BTC to user ${user}`,
      choices: { Asset: 'btc' },
      fields: {
        'User ID': String(user),
        Amount: '0.25',
        'Transaction ID': randomBytes(32).toString('hex'),
      },
      shows: /0\.25 BTC = [\d,.]+ USDT[\s\S]*Requires approval from at least one other operator\./,
      outcome: 'Sent for approval',
    });
    return manager;
  } finally {
    await setThresholds(registry, NO_APPROVALS);
  }
}

const selfApproval: ConsoleCheck = {
  name: 'journey: operators cannot approve their own requests',
  isJourney: true,
  async run(stage) {
    const person = await personWith(stage, 1);
    const ann = await requestCredit(stage, person.user);
    await ann.go('/approvals');
    await ann.page
      .getByRole('radio', { name: 'My requests' })
      .or(ann.page.getByRole('button', { name: 'My requests' }))
      .click();
    await ann.page.getByText('You requested this. Another operator must review it.').waitFor();
    assert.equal(await ann.button(/^Approve/).count(), 0, 'the requester has an approve button');
    const { body } = await ann.call('GET', '/admin/approvals?state=pending');
    const [own] = (
      body.data as { id: number; requester_id: number; payload_hash: string }[]
    ).filter(({ requester_id: by }) => by === ann.operator.user);
    const vote = await ann.call('POST', '/admin/approval/vote', {
      id: own.id,
      vote: 'approve',
      payload_hash: own.payload_hash,
      otp_code: await stage.codeOf(ann.operator),
    });
    assert.equal(vote.status, 403, JSON.stringify(vote.body));
    const { body: audits } = await ann.call('GET', `/admin/audits?object=approval%20${own.id}`);
    const acts = (audits.data as { act: string }[]).map(({ act }) => act);
    assert.deepEqual(acts.toSorted(), ['approval.refused', 'approval.request']);
    await ann.act({ button: 'Withdraw request', submit: 'Withdraw request' });
    assert.equal((await ledgerBalances(stage, person.user)).btc.total, '1');
    await ann.close();
    return undefined;
  },
};

const creditByHand: ConsoleCheck = {
  name: 'journey: a manual credit is approved by a second operator',
  isJourney: true,
  async run(stage) {
    const person = await personWith(stage, 1);
    const ann = await requestCredit(stage, person.user);
    assert.equal((await ledgerBalances(stage, person.user)).btc.total, '1');
    const ben = await OperatorAtWork.seated(stage, 'supervisor');
    await ben.approve('Credit deposit');
    await waitUntil({
      what: 'the credit is in the ledger',
      timeoutMs: stage.patienceMs,
      question: async () => (await ledgerBalances(stage, person.user)).btc.total === '1.25',
    });
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

const settlement: ConsoleCheck = {
  name: 'journey: a fee settlement is approved by a second operator',
  isJourney: true,
  async run(stage) {
    const order = { symbol: 'btc-usdt', type: 'market', side: 'buy', size: 0.01 };
    const bought = await stage.clientOf('alice').post('/order', order);
    assert.equal(bought.status, 200, bought.text);
    const ann = await OperatorAtWork.seated(stage, 'manager');
    const { user } = ann.operator;
    await ann.go('/fees');
    await ann.page.getByRole('table', { name: 'Unsettled fees' }).waitFor();
    await ann.act({
      button: 'Settle fees',
      submit: `Pay to user ${user}`,
      says: ['Requires approval from one other operator.'],
      outcome: 'Sent for approval',
    });
    const ben = await OperatorAtWork.seated(stage, 'supervisor');
    await ben.approve('Settle fees');
    await waitUntil({
      what: 'the account has the fees',
      timeoutMs: stage.patienceMs,
      question: async () => Object.keys(await ledgerBalances(stage, user)).length > 0,
    });
    await ann.page.getByText('No fees to settle.').waitFor();
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

export const moneyActs = [withdrawalByTwo, selfApproval, creditByHand, settlement] as const;
