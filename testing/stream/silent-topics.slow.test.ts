// No topic is silent: a topic that accepts a subscription sends a first message, even to a new user
// and for a new market, or a message for each announced action. All others are errors.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { Atoms } from '../../core/money/index.ts';
import { insertPool } from '../../features/staking/pools.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { type StreamMessage, streamServerMessages } from '../../protocol/index.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { StreamProbe, signedUrl } from './stream-probe.ts';

/** Topics whose first message is a snapshot. */
const WITH_SNAPSHOT = [
  'orderbook',
  'auction',
  'trade',
  'price',
  'orderbook_l2',
  'orders_l3',
  'order',
  'usertrade',
  'wallet',
  'private',
];
const OF_ACTS = ['deposit', 'withdrawal', 'stake', 'admin'];

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({ streams: 1 });
});
after(() => sandbox.stop());

async function open(user: { readonly key: string; readonly secret: string }): Promise<StreamProbe> {
  const probe = await StreamProbe.open(signedUrl(sandbox.streamUrls[0], user));
  await probe.until('it is authenticated', () => probe.received.length === 2);
  return probe;
}

const topicsOf = ({ received }: StreamProbe): string[] =>
  received.flatMap(({ topic }) => topic ?? []);

test('every documented topic is tested here', () => {
  const topics = Object.values<StreamMessage>(streamServerMessages).flatMap(({ schema }) => {
    const { properties } = schema as unknown as {
      properties?: { topic?: { const?: string; enum?: string[]; anyOf?: { const: string }[] } };
    };
    const { topic } = properties ?? {};
    return topic?.enum ?? topic?.anyOf?.map((one) => one.const) ?? topic?.const ?? [];
  });
  const operators = ['health', 'reconciliation'];
  const expected = [...WITH_SNAPSHOT, ...OF_ACTS.slice(0, 3), ...operators];
  assert.deepEqual([...new Set(topics)].sort(), expected.sort());
});

test('a new user and a new market get a first message on every topic', async () => {
  const [nobody] = await sandbox.createTraders({ count: 1, funds: {} });
  for (const topic of WITH_SNAPSHOT) {
    const probe = await open(nobody);
    probe.subscribe(topic.startsWith('or') || topic === 'trade' ? `${topic}:btc-eur` : topic);
    await probe.until(`${topic} speaks`, () => topicsOf(probe).includes(topic));
    const { action } = probe.received.at(-1);
    assert.equal(action, topic === 'private' ? 'snapshot' : 'partial', topic);
    probe.close();
  }
});

test('deposits, withdrawals and stakes are announced to their user and to operators', async () => {
  const { admin, alice } = sandbox.seeded.users;
  const [user, operator] = [await open(alice), await open(admin)];
  user.subscribe('deposit', 'withdrawal', 'stake');
  operator.subscribe('admin');
  operator.send({ op: 'ping' });
  user.send({ op: 'ping' });
  for (const probe of [user, operator]) {
    await probe.until('it is subscribed', () => probe.received.at(-1).message === 'pong');
  }
  const rest = new RestClient({ url: sandbox.url, ...admin });
  const transfer = { user_id: alice.user, currency: 'usdt', amount: 20 };
  for (const call of ['mint', 'burn']) {
    const act = { ...transfer, transaction_id: randomUUID(), status: true, network: 'eth' };
    const { status, text } = await rest.post(`/admin/${call}`, act);
    assert.ok(status < 300, text);
  }
  const pool = await makePool();
  const own = new RestClient({ url: sandbox.url, ...alice });
  const staked = await own.post('/stake', { stake_id: pool, amount: 0.1 });
  assert.equal(staked.status, 200, staked.text);
  for (const probe of [user, operator]) {
    await probe.until('all three topics have sent a message', () =>
      ['deposit', 'withdrawal', 'stake'].every((topic) => topicsOf(probe).includes(topic)),
    );
    probe.close();
  }
});

test('unknown topic names and unknown symbols are errors', async () => {
  const probe = await StreamProbe.open(sandbox.streamUrls[0]);
  const names = ['chat', 'announcement', 'ticker', 'orderbook:none-none', 'deposit'];
  probe.subscribe(...names, 'trade:btc-usdt');
  await probe.until('the valid one is served', () => topicsOf(probe).includes('trade'));
  const errors = probe.received.flatMap(({ error }) => error ?? []);
  assert.deepEqual(errors, [
    'Topic chat is not supported',
    'Topic announcement is not supported',
    'Topic ticker is not supported',
    'Invalid symbol',
    'Bearer or HMAC authentication required',
  ]);
  probe.close();
});

async function makePool(): Promise<number> {
  const { admin, seeded } = sandbox;
  const btc = seeded.assets.get('btc')!;
  const funder = seeded.users.bob.user;
  const made = await withConnection(admin.registry, (connection) =>
    insertPool(connection, {
      user: funder,
      today: new Date().toISOString().slice(0, 10),
      nowMs: Date.now(),
      terms: {
        name: 'bitcoin 30',
        category: null,
        disclaimer: null,
        account: funder,
        asset: btc,
        rewardAsset: btc,
        apyMicro: 36_000_000n,
        durationDays: 30,
        minAtoms: 1_000n as Atoms,
        maxAtoms: 1_000_000_000n as Atoms,
        earlyUnstake: true,
        principalSlashPpm: 0n,
        rewardSlashPpm: 0n,
        isAutomatic: true,
        onboarding: true,
        state: 'active',
      },
    }),
  );
  assert.ok(made !== undefined);
  return made;
}
