// Market journeys: an asset and a market created with the wizard, the first auction, a stop and
// resumption, and a market frozen by a failed command.

import assert from 'node:assert/strict';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { POISON_ORDER } from '../../operators/failing-engine.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const PAIR = 'sol-usdt';
const FROZEN = 'btc-eur';
const AUCTION_SECONDS = '2';

const listing: ConsoleCheck = {
  name: 'journey: the wizard lists an asset and a market, then an auction, a stop and a resumption',
  isJourney: true,
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'manager');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await list(ann, ben);
    await ann.go('/markets');
    const row = ann.page.getByRole('row').filter({ hasText: 'SOL/USDT' });
    await row.getByText('Pre-launch').waitFor();
    await row.getByRole('button', { name: 'Change status' }).click();
    await ann.fillIn({
      button: '',
      choices: { Status: 'auction' },
      fields: { 'Auction length (seconds)': AUCTION_SECONDS },
      submit: 'Set to Auction',
      says: ['Requires approval from one other operator.'],
      outcome: 'Sent for approval',
    });
    await ben.approve('Change market');
    await hasStatus(stage, PAIR, 'full');
    await row.getByText('Trading').waitFor();
    await stopAndResume(stage, ann, ben);
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

async function list(ann: OperatorAtWork, ben: OperatorAtWork): Promise<void> {
  await ann.go('/markets');
  await ann.act({
    button: 'List asset',
    submit: 'Submit request',
    fields: { Symbol: 'sol', Name: 'Solana', Networks: 'sol', 'Reference price': '150' },
    says: ['Requires approval from one other operator.'],
    outcome: 'Sent for approval',
  });
  await ben.approve('List asset');
  await ann.page.getByRole('row').filter({ hasText: 'Solana' }).waitFor();
  await ann.act({
    button: 'List market',
    submit: 'Submit request',
    choices: { Base: 'sol', Quote: 'usdt' },
    fields: { 'Reference price': '150' },
    outcome: 'Sent for approval',
  });
  await ben.approve('List market');
}

async function hasStatus(stage: ConsoleStage, pair: string, wanted: string): Promise<void> {
  let seen = '';
  await waitUntil({
    what: `the market is ${wanted}`,
    timeoutMs: stage.patienceMs,
    question: async () => {
      const { body } = await stage.clientOf('alice').get('/constants');
      seen = body.pairs[pair]?.status ?? '';
      return seen === wanted;
    },
  }).catch((cause) => {
    throw new Error(`the market is '${seen}'`, { cause });
  });
}

async function stopAndResume(
  stage: ConsoleStage,
  ann: OperatorAtWork,
  ben: OperatorAtWork,
): Promise<void> {
  const { size, price } = { size: 1, price: 149 };
  const order = { symbol: PAIR, type: 'limit', side: 'buy', size, price };
  const placed = await stage.clientOf('alice').post('/order', order);
  assert.equal(placed.status, 200, placed.text);
  await ann.go('/switches');
  await ann.act({
    button: 'Stop: Trading (SOL/USDT)',
    submit: 'Stop',
    reason: 'end-to-end check',
    shows: /Open orders\s+1\s+Users\s+1/,
  });
  await hasStatus(stage, PAIR, 'cancel-only');
  const refused = await stage.clientOf('alice').post('/order', order);
  assert.notEqual(refused.status, 200, 'a stopped market accepts orders');
  const cid = await OperatorAtWork.seated(stage, 'supervisor');
  await cid.go('/switches');
  await cid.page.getByText('end-to-end check').first().waitFor();
  await cid.act({
    button: 'Resume',
    submit: 'Resume',
    says: ['Trading'],
    outcome: 'Sent for approval',
  });
  await ben.approve('Resume');
  await hasStatus(stage, PAIR, 'full');
  await cid.page.getByText('Nothing is stopped.').waitFor();
  await cid.close();
}

const voided: ConsoleCheck = {
  name: 'journey: a poison command is voided by two operators',
  isJourney: true,
  async run(stage) {
    const order = { symbol: FROZEN, type: 'limit', side: 'sell', size: 0.01, price: 59_000 };
    const resting = await stage.clientOf('alice').post('/order', order);
    assert.equal(resting.status, 200, resting.text);
    const poison = { ...order, side: 'buy', client_order_id: POISON_ORDER };
    const failed = await stage.clientOf('bob').post('/order', poison);
    assert.ok(failed.status >= 400, failed.text);
    const ann = await OperatorAtWork.seated(stage, 'admin');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/markets');
    await ann.page.getByText(/The engine failed on command \d+\./).waitFor();
    await ann.act({
      button: 'Void command',
      submit: 'Void command',
      says: ['Requires approval from one other operator.'],
      outcome: 'Sent for approval',
    });
    await ben.approve('Void command');
    await ann.page.getByText('The engine failed on command').waitFor({ state: 'detached' });
    await hasStatus(stage, FROZEN, 'cancel-only');
    await ann.go('/markets');
    const row = ann.page
      .getByRole('row')
      .filter({ hasText: FROZEN.toUpperCase().replace('-', '/') });
    await row.getByText('Cancel only').waitFor();
    await row.getByRole('button', { name: 'Change status' }).click();
    await ann.fillIn({
      button: '',
      choices: { Status: 'full' },
      submit: 'Set to Trading',
      outcome: 'Sent for approval',
    });
    await ben.approve('Change market');
    await hasStatus(stage, FROZEN, 'full');
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

export const marketActs = [listing, voided] as const;
