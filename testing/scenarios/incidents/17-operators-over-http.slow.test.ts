// Incidents 16 and 17 over HTTP with operators of every role: a payout in the wrong unit, split or
// complete, a withdrawal in review, and balances below zero. Critical actions need a second
// operator, and no operator can take more than a balance.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { UserId } from '../../../core/money/index.ts';
import type { RestAnswer } from '../../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import {
  OperatorStage,
  type StagedClient,
  type StagedOperator,
} from '../../operators/operator-stage.ts';

/** The default thresholds. */
const THRESHOLDS = { oneApprovalFrom: '1000', twoApprovalsFrom: '50000' };
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const DONE = new Set([200, 201]);

let stage: OperatorStage;
let alice: UserId;
let bob: UserId;
let references = 0;

type Call = [method: 'GET' | 'POST' | 'PUT', path: string, what: Readonly<Record<string, unknown>>];

/** Every request that moves this much btc. */
function callsOf(amount: number | string): Call[] {
  const of = { currency: 'btc', amount };
  const onNetwork = { ...of, network: 'btc' };
  const order = { symbol: 'btc-usdt', side: 'sell', size: amount, price: 60_000 };
  const fees = { maker_fee: 0, taker_fee: 0 };
  return [
    ['POST', '/admin/mint', { ...onNetwork, user_id: bob, transaction_id: `r${++references}` }],
    ['POST', '/admin/burn', { ...onNetwork, user_id: bob, transaction_id: `r${++references}` }],
    ['POST', '/admin/transfer', { ...of, sender_id: alice, receiver_id: bob }],
    ['POST', '/admin/withdrawal', { ...onNetwork, user_id: bob, address: ADDRESS }],
    ['POST', '/admin/trade', { ...order, ...fees, maker_id: alice, taker_id: bob }],
    ['POST', '/admin/order', { ...order, type: 'limit', user_id: alice }],
  ];
}

async function balances(): Promise<string> {
  const { rows } = await stage.sandbox.admin.projections.query(
    `select owner, asset_id, available_atoms, held_atoms from balances
     where owner = any($1) or owner = -1 order by owner, asset_id`,
    [[alice, bob]],
  );
  return JSON.stringify(rows);
}

/** A busy exchange definitely rejects with 503, so the client sends the same request again. */
async function untilTaken(send: () => Promise<RestAnswer>): Promise<RestAnswer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    await delay(100);
  }
}

async function creditedTo(user: UserId, currency: string): Promise<number> {
  const { rows } = await stage.registry.query(
    `select coalesce(sum(amount_atoms / 10 ^ scale), 0)::float8 as sum from deposit_requests
     where user_id = $1 and currency = $2 and state in ('crediting', 'completed')
       and transaction_id like 'r%'`,
    [user, currency],
  );
  return rows[0].sum;
}

/** Simulates that 24 hours have passed. */
async function nextDay(): Promise<void> {
  await stage.registry.query(`update operator_movements set at = at - interval '25 hours'`);
}

/** Creates Alice's withdrawal on hold that needs two approvals. Returns its transaction id. */
async function inReview({ clients: [{ send }] }: StagedOperator): Promise<string> {
  const payout = { currency: 'btc', amount: 0.001, network: 'btc', address: ADDRESS };
  const held = await send('POST', '/admin/withdrawal', { ...payout, user_id: alice });
  assert.ok(DONE.has(held.status), held.text);
  const { transaction_id } = held.body;
  await stage.registry.query(
    `update withdrawal_requests set state = 'in_review', reviews_needed = 2
     where transaction_id = $1 and state = 'approved'`,
    [transaction_id],
  );
  assert.equal(await stateOf(transaction_id), 'in_review');
  return transaction_id;
}

async function stateOf(reference: string): Promise<string> {
  const { rows } = await stage.registry.query(
    'select state from withdrawal_requests where transaction_id = $1',
    [reference],
  );
  return rows[0].state;
}

async function approve(
  operator: StagedOperator,
  body: Readonly<Record<string, unknown>>,
  by: StagedClient['by'] = 'session',
): Promise<RestAnswer> {
  const client = operator.clients.find((one) => one.by === by)!;
  return client.send('PUT', '/admin/burn', { ...body, otp_code: await stage.code(operator) });
}

describe('incidents 16 and 17 with operators over HTTP', () => {
  let people: StagedOperator[];
  let admins: StagedOperator[];

  before(async () => {
    stage = await OperatorStage.start(THRESHOLDS);
    alice = stage.sandbox.seeded.users.alice.user;
    bob = stage.sandbox.seeded.users.bob.user;
    const roles = await stage.roles();
    assert.ok(roles.includes('supervisor'));
    people = [await stage.operator()];
    for (const role of roles) people.push(await stage.operator(role));
    admins = [await stage.operator('admin'), await stage.operator('admin')];
    admins.push(await stage.operator('admin'));
  });
  after(() => stage?.stop());

  test('abuse 44: a lower reference price does not exempt a mint from approvals', async () => {
    const [requester, first, second] = admins;
    const session = requester.clients.find(({ by }) => by === 'session')!;
    const key = requester.clients.find(({ by }) => by === 'key')!;
    const symbol = 'bullion';
    const listed = await session.send('POST', '/admin/coin', {
      symbol,
      fullname: 'Bullion',
      decimals: 6,
      issuance_cap: '1000000',
      estimated_price: 3_000,
      otp_code: await stage.code(requester),
    });
    assert.equal(listed.status, 202, listed.text);
    assert.equal((await stage.vote(first, listed.body.approval_id)).status, 200);
    const mint = () =>
      untilTaken(() =>
        key.send('POST', '/admin/mint', {
          user_id: bob,
          currency: symbol,
          amount: '10000',
          transaction_id: `r${++references}`,
        }),
      );
    await waitUntil({
      what: 'the coin is listed',
      timeoutMs: 40_000,
      question: async () => (await mint()).status === 409,
    });
    const lower = await session.send('PUT', '/admin/coin', {
      code: symbol,
      estimated_price: '0.00000001',
      otp_code: await stage.code(requester),
    });
    assert.equal(lower.status, 202, lower.text);
    const { approval_id } = lower.body;
    const { rows } = await stage.registry.query(
      'select needed, vote_power from approval_requests where id = $1',
      [approval_id],
    );
    assert.deepEqual(rows, [{ needed: '2', vote_power: 'approve.money' }]);
    for (const voter of [first, second]) {
      assert.equal((await stage.vote(voter, approval_id)).status, 200);
    }
    const { rows: coins } = await stage.registry.query(
      'select estimated_price::text as price from coins where symbol = $1',
      [symbol],
    );
    assert.deepEqual(coins, [{ price: '0.00000001' }]);
    const after = await mint();
    assert.equal(after.status, 409, after.text);
  });

  test('abuse 45: no role moves 620,000 BTC alone on any path', async () => {
    const before = await balances();
    for (const { clients, role } of people) {
      for (const { by, send } of clients.slice(0, 2)) {
        for (const [method, path, what] of callsOf(620_000)) {
          const { status, text } = await send(method, path, what);
          const name = `${role} by ${by}: ${method} ${path}`;
          assert.ok(!DONE.has(status) && status < 500, `${name}: ${status} ${text}`);
          if (role === undefined) assert.ok(status === 403 || status === 401, name);
        }
      }
    }
    assert.equal(await balances(), before);
  });

  test('abuse 45: two other operators who do not benefit must retype the amount', async () => {
    const [requester, second, third] = admins;
    const gainer = await stage.operator('admin');
    const [{ send }] = requester.clients;
    const payout = { user_id: gainer.user, currency: 'btc', amount: 2, network: 'btc' };
    const asked = await send('POST', '/admin/mint', { ...payout, transaction_id: 'rTwo' });
    assert.deepEqual([asked.status, asked.body.code], [409, 2610]);
    const id = asked.body.approval_id;
    const retyped = '2 btc';
    const refused: [what: string, vote: () => Promise<{ status: number }>][] = [
      ['the requester', () => stage.vote(requester, id, { retyped })],
      ['who gains', () => stage.vote(gainer, id, { retyped })],
      ['a key', () => stage.vote(second, id, { retyped, by: 'key' })],
      ['another unit', () => stage.vote(second, id, { retyped: '2 usdt' })],
      ['another amount', () => stage.vote(second, id, { retyped: '20 btc' })],
      ['nothing retyped', () => stage.vote(second, id)],
    ];
    for (const [what, vote] of refused) {
      const { status } = await vote();
      assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
    }
    assert.equal((await stage.vote(second, id, { retyped })).body.state, 'pending');
    assert.equal(await creditedTo(gainer.user, 'btc'), 0);
    const last = await stage.vote(third, id, { retyped });
    assert.equal(last.body.state, 'executed', last.text);
    assert.equal(await creditedTo(gainer.user, 'btc'), 2);
    assert.ok((await stage.vote(third, id, { retyped })).status >= 400);
    assert.equal(await creditedTo(gainer.user, 'btc'), 2);
  });

  test('a withdrawal in review needs approval from two operators with second factors', async () => {
    await nextDay();
    const [requester, second, third] = admins;
    const reference = await inReview(requester);
    const approval = { transaction_id: reference, waiting: false };
    const steps = [approval, { ...approval, processing: true }, { ...approval, status: true }];
    const others = people.filter(({ role }) => role !== 'admin' && role !== 'supervisor');
    for (const { clients, role } of people) {
      for (const { by, send } of clients.slice(0, 2)) {
        for (const step of steps) {
          const { status, text } = await send('PUT', '/admin/burn', step);
          assert.ok(status >= 400 && status < 500, `${role} by ${by}: ${status} ${text}`);
        }
      }
    }
    for (const one of others) {
      const { status } = await approve(one, approval);
      assert.ok(status >= 400 && status < 500, `${one.role} with a factor: ${status}`);
    }
    assert.equal((await approve(second, approval, 'key')).status, 403);
    assert.equal(await stateOf(reference), 'in_review');
    assert.equal((await approve(second, approval)).status, 200);
    assert.ok((await approve(second, approval)).status >= 400, 'the same person twice');
    assert.equal(await stateOf(reference), 'in_review');
    const last = await approve(third, approval);
    assert.equal(last.status, 200, last.text);
    assert.equal(await stateOf(reference), 'approved');
    const paid = { transaction_id: reference, status: true };
    const [key] = requester.clients;
    assert.deepEqual([key.by, (await key.send('PUT', '/admin/burn', paid)).status], ['key', 200]);
  });

  test('one operator can reject a withdrawal, even with a key', async () => {
    const [{ clients, ...admin }] = admins;
    const reference = await inReview({ ...admin, clients });
    const [{ send }] = clients;
    const rejected = await send('PUT', '/admin/burn', {
      transaction_id: reference,
      rejected: true,
    });
    assert.equal(rejected.status, 200, rejected.text);
  });

  test('abuse 44: of 60 × 999 over several gateways, each operator and user gets one', async () => {
    await nextDay();
    const gainers = [await stage.operator(), await stage.operator(), await stage.operator()];
    const clients = admins.flatMap((admin) => admin.clients);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => {
        const { user } = gainers[at % gainers.length];
        const mint = { user_id: user, currency: 'usdt', amount: 999, network: 'eth' };
        const { send } = clients[at % clients.length];
        const deposit = { ...mint, transaction_id: `r${++references}` };
        return untilTaken(() => send('POST', '/admin/mint', deposit));
      }),
    );
    const statuses = answers.map(({ status }) => status);
    // On a busy machine, the outcome of a credit might still be unknown.
    const credited = statuses.filter((status) => status === 201 || status === 504).length;
    assert.ok(credited >= 1 && credited <= gainers.length, `${statuses}`);
    const pending = statuses.filter((status) => status === 202 || status === 409).length;
    assert.equal(credited + pending, 60, `${statuses}`);
    await waitUntil({
      what: 'these credits have arrived, and no other',
      timeoutMs: 10_000,
      question: async () => {
        const sums = await Promise.all(gainers.map(({ user }) => creditedTo(user, 'usdt')));
        assert.ok(
          sums.every((sum) => sum <= 999),
          `${sums}`,
        );
        return sums.reduce((sum, one) => sum + one, 0) === 999 * credited;
      },
    });
  });

  test('abuse 44: parts from different endpoints count together', async () => {
    await nextDay();
    const [{ clients }] = admins;
    const [{ send }] = clients;
    const parts: Call[] = [
      [
        'POST',
        '/admin/transfer',
        { currency: 'usdt', amount: 600, sender_id: alice, receiver_id: bob },
      ],
      ['POST', '/admin/burn', { currency: 'usdt', amount: 600, user_id: alice, network: 'eth' }],
      [
        'POST',
        '/admin/trade',
        {
          symbol: 'btc-usdt',
          side: 'buy',
          price: 60_000,
          size: 0.01,
          maker_id: alice,
          taker_id: bob,
          maker_fee: 0,
          taker_fee: 0,
        },
      ],
    ];
    const statuses: number[] = [];
    for (const [method, path, what] of parts) {
      statuses.push((await send(method, path, what)).status);
    }
    assert.deepEqual(statuses, [200, 409, 409]);
  });

  test('abuse 46: no role takes a balance below zero with any request', async () => {
    const amounts = [-1, '-0.00000001', 0, 1e-9, 3, 1_000, '99999999999', 1e30, 'NaN', '1e400'];
    for (const { clients } of people) {
      const [{ send }] = clients;
      for (const amount of amounts) {
        await nextDay();
        for (const [method, path, what] of callsOf(amount)) {
          const { status, text } = await send(method, path, what);
          assert.ok(status < 500, `${path} ${amount}: ${status} ${text}`);
        }
      }
    }
    const { rows } = await stage.sandbox.admin.projections.query(
      'select * from balances where owner > 0 and (available_atoms < 0 or held_atoms < 0)',
    );
    assert.deepEqual(rows, []);
  });

  test('abuse 46: without thresholds, the engine rejects amounts above the balance', async () => {
    await stage.registry.query(
      `update exchange_control set one_approval_from = 1e15, two_approvals_from = 1e15`,
    );
    const before = await balances();
    const [{ clients }] = admins;
    const [{ send }] = clients;
    for (const [method, path, what] of callsOf(100_000)) {
      if (path === '/admin/mint') continue;
      const { body, status, text } = await send(method, path, what);
      assert.equal(status, 400, `${path}: ${text}`);
      assert.equal(typeof body.code, 'number');
    }
    const cap = await send('POST', '/admin/mint', {
      user_id: bob,
      currency: 'btc',
      amount: 620_000_000,
      network: 'btc',
    });
    assert.deepEqual([cap.status, cap.body.code], [400, 2220], cap.text);
    assert.equal(await balances(), before);
  });
});
