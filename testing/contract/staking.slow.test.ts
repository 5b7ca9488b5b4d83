// Staking over HTTP, on two gateways and the real engine: a stake, its rewards, its end, and the
// notices to its user and to operators.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms } from '../../core/money/index.ts';
import { accrueRewards } from '../../features/staking/accrue.ts';
import { advanceStakes } from '../../features/staking/advance.ts';
import { insertPool } from '../../features/staking/pools.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { noticeSubject } from '../../platform/outbox/index.ts';
import type { StakeMessage } from '../../protocol/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { EXCHANGE } from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { type StageTrader, TradingStage, taken } from './trading-stage.ts';

const DAY_MS = 86_400_000;
const TEN = 10n * 10n ** 8n;

let stage: TradingStage;
let staker: StageTrader;
let other: StageTrader;
let funder: StageTrader;

describe('staking', () => {
  before(async () => {
    stage = await TradingStage.open();
    [staker, other, funder] = await Promise.all((await stage.traders(3)).map(withAllScopes));
  });
  after(() => stage?.sandbox.stop());

  const registry = () => stage.sandbox.admin.registry;

  /** The stage's keys can only trade. */
  async function withAllScopes({ user }: StageTrader): Promise<StageTrader> {
    const whitelistedIps = ['127.0.0.1'];
    const key = await stage.sandbox.admin.issueKey({ user, canWithdraw: true, whitelistedIps });
    return stage.clientsOf({ ...key, user });
  }

  function end({ here }: StageTrader, id: number) {
    return here.send({ method: 'DELETE', target: '/v2/stake', body: { id } });
  }

  async function makePool(name: string): Promise<number> {
    const btc = stage.sandbox.seeded.assets.get('btc')!;
    const made = await withConnection(registry(), (connection) =>
      insertPool(connection, {
        user: funder.user,
        today: new Date().toISOString().slice(0, 10),
        nowMs: Date.now(),
        terms: {
          name,
          category: null,
          disclaimer: 'Coins can be lost.',
          account: funder.user,
          asset: btc,
          rewardAsset: btc,
          apyMicro: 36_000_000n,
          durationDays: 30,
          minAtoms: (TEN / 100n) as Atoms,
          maxAtoms: TEN as Atoms,
          earlyUnstake: true,
          principalSlashPpm: 10_000n,
          rewardSlashPpm: 500_000n,
          isAutomatic: true,
          onboarding: true,
          state: 'active',
        },
      }),
    );
    assert.ok(made !== undefined);
    return made;
  }

  /** Runs the jobs as if this many days had passed. */
  async function work(days: number): Promise<void> {
    const nowMs = Date.now() + days * DAY_MS;
    await withConnection(registry(), async (connection) => {
      await accrueRewards(connection, { nowMs, batch: 100, priceAt: async () => undefined });
      await advanceStakes(connection, { nowMs, limit: 100 });
    });
  }

  async function btcOf({ there }: StageTrader): Promise<number> {
    return taken(await there.get('/user/balance')).btc_balance;
  }

  test('an operator ends a paused pool by changing its status', async () => {
    const { key, secret, user } = stage.sandbox.seeded.users.admin;
    const operator = new RestClient({ url: stage.sandbox.url, key, secret });
    const { id } = taken(
      await operator.post('/admin/stake', {
        name: 'ended by its status',
        user_id: user,
        currency: 'btc',
        account_id: user,
        apy: 0,
        min_amount: 1,
        max_amount: 1,
        early_unstake: true,
        status: 'active',
        onboarding: true,
      }),
    );
    const early = await operator.put('/admin/stake', { id, status: 'terminated' });
    assert.deepEqual([early.status, early.body.code], [400, 195]);
    taken(await operator.put('/admin/stake', { id, status: 'paused' }));
    const { message, onboarding, status } = taken(
      await operator.put('/admin/stake', { id, status: 'terminated' }),
    );
    assert.deepEqual([message, status, onboarding], ['Success', 'terminated', false]);
  });

  test('abuse 56: a stake from start to payout, accessible only to its owner', async () => {
    const heard: StakeMessage[] = [];
    stage.sandbox.admin.bus.subscribe(noticeSubject(EXCHANGE, '*', 'stake'), (message) => {
      heard.push(JSON.parse(Buffer.from(message).toString()));
    });
    const pool = await makePool('bitcoin 30');
    const pools = taken(await staker.there.get('/stakes'));
    const [shown] = pools.data;
    assert.deepEqual(
      [shown.id, shown.apy, shown.duration, shown.min_amount, shown.slashing, shown.status],
      [pool, 36, 30, 0.1, true, 'active'],
    );
    assert.equal('account_id' in shown, false);
    const before = await btcOf(staker);
    const made = taken(await staker.here.post('/stake', { stake_id: pool, amount: 2 }));
    assert.deepEqual(
      [made.status, made.amount, made.nav, made.reward, made.currency, made.user_id],
      ['staking', 2, 2, 0, 'btc', staker.user],
    );
    assert.equal(await btcOf(staker), before - 2);
    await work(10);
    const [listed] = taken(await staker.there.get('/stake', { stake_id: pool })).data;
    assert.deepEqual([listed.id, listed.reward], [made.id, 0.02]);
    assert.deepEqual(taken(await staker.here.get('/stake/slash-estimate', { id: made.id })), {
      slashingPrinciple: 0.02,
      slashingEarning: 0.01,
    });
    const foreign = await other.here.get('/stake/slash-estimate', { id: made.id });
    assert.deepEqual([foreign.status, foreign.body.code], [404, 203]);
    assert.equal((await end(other, made.id)).status, 404);
    const ended = taken(await end(staker, made.id));
    assert.deepEqual(
      [ended.status, ended.amount, ended.reward, ended.slashed],
      ['unstaking', 1.98, 0.02, 0.01],
    );
    await waitUntil({
      what: 'the stake is paid',
      timeoutMs: 30_000,
      question: async () => {
        await work(10);
        return taken(await staker.there.get('/stake', { id: made.id })).data[0].status === 'closed';
      },
    });
    assert.equal((await btcOf(staker)).toFixed(8), (before - 0.02 + 0.01).toFixed(8));
    await waitUntil({
      what: 'all notices have arrived',
      timeoutMs: 30_000,
      question: () => heard.length >= 3,
    });
    assert.deepEqual(
      heard.map(({ action, data, user_id }) => [action, data.id, user_id]),
      ['insert', 'delete', 'update'].map((action) => [action, made.id, staker.user]),
    );
    const again = await end(staker, made.id);
    assert.deepEqual([again.status, again.body.code], [400, 2790]);
  });

  test('an amount above the balance starts no stake', async () => {
    const pool = await makePool('bitcoin without funds');
    const [poor] = await Promise.all((await stage.traders(1)).map(withAllScopes));
    taken(await poor.here.post('/stake', { stake_id: pool, amount: 9 }));
    const refused = await poor.here.post('/stake', { stake_id: pool, amount: 2 });
    assert.deepEqual([refused.status, refused.body.message], [400, 'Insufficient balance']);
    assert.equal(taken(await poor.there.get('/stake')).count, 1);
    assert.equal(await btcOf(poor), 1);
  });
});
