// Staking pool journey: created, started, staked in, closed to new stakes, paused and ended.

import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { accrueRewards } from '../../../features/staking/accrue.ts';
import { advanceStakes } from '../../../features/staking/advance.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { depositFor, ledgerBalances } from '../ledger.ts';
import { personWith } from './a-withdrawal.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { type DialogWork, OperatorAtWork } from './operator-at-work.ts';

const POOL = 'Bitcoin for 30 days';
const DAY_MS = 86_400_000;
const DAYS = 10;
/** 0.5 BTC × 36% × 10 / 360. */
const REWARD = '0.005';

const poolLife: ConsoleCheck = {
  name: 'journey: a staking pool goes through its full lifecycle',
  isJourney: true,
  async run(stage) {
    const person = await personWith(stage, 1);
    const ann = await OperatorAtWork.seated(stage, 'admin');
    const ben = await OperatorAtWork.seated(stage, 'admin');
    const { user: account } = ann.operator;
    await depositFor(stage, { user: account, currency: 'btc', network: 'btc', amount: 1 });
    await make(ann);
    const row = ann.page.getByRole('row').filter({ hasText: POOL });
    await row.getByText('Not started').waitFor();
    await step(ann, row, 'Start', 'Sent for approval');
    await ben.approve('Change staking pool');
    await row.getByText('Active · open to new stakes').waitFor();

    const stake_id = await idOf(ann);
    const order = { stake_id, amount: 0.5 };
    const staked = await person.send('POST', '/stake', { body: order });
    assert.equal(staked.status, 200, staked.text);
    await daysPass(stage);
    await ann.go('/staking');
    const stakes = ann.page.getByRole('table', { name: 'Stakes' }).getByRole('row');
    const stake = stakes.filter({ hasText: String(person.user) });
    await stake.getByText(REWARD).waitFor();

    await step(ann, row, 'Close to new stakes', 'Done');
    await row.getByText('Active · closed to new stakes').waitFor();
    const late = await person.send('POST', '/stake', { body: order });
    assert.notEqual(late.status, 200, 'a closed pool accepts stakes');
    await step(ann, row, 'Pause', 'Done');
    await row.getByText('Paused').waitFor();
    await step(ann, row, 'End pool', 'Sent for approval');
    await ben.approve('End staking pool');
    await row.getByText('Ended').waitFor();
    assert.equal(await row.getByRole('button').count(), 0, 'an ended pool has buttons');
    await paid(stage, person.user);
    await ann.go('/staking');
    await stake.getByText('Closed').waitFor();
    await Promise.all([ann.close(), ben.close()]);
    return undefined;
  },
};

async function make(ann: OperatorAtWork): Promise<void> {
  await ann.go('/staking');
  await ann.act({
    button: 'Create pool',
    submit: 'Create pool',
    choices: { Asset: 'btc' },
    fields: {
      Name: POOL,
      'Annual rate': '36',
      'Term (days)': '30',
      'Min. stake': '0.1',
      'Max. stake': '5',
    },
    says: ["The pool isn't started yet"],
  });
}

async function step(
  ann: OperatorAtWork,
  row: Locator,
  name: string,
  outcome: NonNullable<DialogWork['outcome']>,
): Promise<void> {
  await row.getByRole('button', { name, exact: true }).click();
  await ann.fillIn({ button: '', submit: name, outcome });
}

async function idOf(ann: OperatorAtWork): Promise<number> {
  const { body } = await ann.call('GET', '/admin/stakes');
  const pools = body.data as { readonly id: number; readonly name: string }[];
  return pools.find(({ name }) => name === POOL)!.id;
}

/** Adds several days of rewards, like the dispatcher does each night. */
function daysPass({ sandbox }: ConsoleStage): Promise<unknown> {
  const nowMs = Date.now() + DAYS * DAY_MS;
  const work = { nowMs, batch: 100, priceAt: async () => undefined };
  return withConnection(sandbox.admin.registry, (connection) => accrueRewards(connection, work));
}

/** Runs the payout that the dispatcher runs every minute. */
async function paid(stage: ConsoleStage, user: number): Promise<void> {
  const { registry } = stage.sandbox.admin;
  let seen = '';
  await waitUntil({
    what: 'the ledger has paid the stake with its reward',
    timeoutMs: stage.patienceMs,
    question: async () => {
      const work = { nowMs: Date.now(), limit: 100 };
      await withConnection(registry, (connection) => advanceStakes(connection, work));
      const { held, total } = (await ledgerBalances(stage, user)).btc;
      const { rows } = await registry.query('select state from stakes where user_id = $1', [user]);
      seen = `total ${total}, held ${held}, stake ${rows[0].state}`;
      return total === '1.005' && held === '0' && rows[0].state === 'closed';
    },
  }).catch((cause) => {
    throw new Error(seen, { cause });
  });
}

export const stakingActs = [poolLife] as const;
