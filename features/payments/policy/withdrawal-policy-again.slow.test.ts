// Tests that a withdrawal is decided in its transaction and again before it is claimed: what counts
// then, which changes stop it, and two gateways racing for one limit.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Atoms, UserId } from '../../../core/money/index.ts';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { readWaiting } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { inOwnTransaction } from '../../../testing/outbox/own-transaction.ts';
import { settleRows } from '../../../testing/outbox/settle-rows.ts';
import { describeCoin } from '../../listings/index.ts';
import { openWithdrawalIn, type WithdrawalRequest } from '../withdrawals/requests.ts';
import {
  change,
  closePolicyRegistry,
  connection,
  ETH,
  newKey,
  newUser,
  OTHER_ADDRESS,
  openPolicyRegistry,
  pools,
  request,
  SCHEMA,
  second,
  terms,
} from './policy-for-test.ts';
import { describePolicySettings } from './policy-settings.ts';
import { readPolicyInput, runPolicyAgain } from './withdrawal-policy-input.ts';

const openWithdrawalRequest = inOwnTransaction(openWithdrawalIn);

describe('a withdrawal decided again', () => {
  before(openPolicyRegistry);
  after(closePolicyRegistry);

  async function opened(user: UserId, more: Partial<WithdrawalRequest> = {}): Promise<number> {
    const opening = await openWithdrawalRequest(connection, request(user, more));
    assert.ok(opening.kind === 'requested', JSON.stringify(opening));
    return opening.id;
  }

  const again = (id: number) =>
    inTransaction(connection, async () => {
      const decided = await runPolicyAgain(connection, { id, projectionSchema: SCHEMA });
      return decided?.verdict.kind === 'refuse' ? decided.verdict.rule : decided?.verdict.kind;
    });

  test('a request counts neither itself nor later ones when it is decided again', async () => {
    const user = await newUser();
    const half = { amountAtoms: 500_000n as Atoms };
    const [first, second] = [await opened(user, half), await opened(user, half)];
    assert.deepEqual([await again(first), await again(second)], ['allow', 'allow']);
    // A day later the limit is free again, and a third withdrawal uses it.
    const text = "update withdrawal_requests set created_at = created_at - interval '1 day'";
    await connection.query(text);
    await opened(user, { amountAtoms: 1_000_000n as Atoms });
    assert.deepEqual([await again(first), await again(second)], ['allow', 'allow']);
    assert.equal(await again(999_999), undefined);
  });

  test('a request keeps its value when prices rise', async () => {
    const user = await newUser();
    const id = await opened(user, { asset: ETH, amountAtoms: 100_000_000n as Atoms });
    await describeCoin(connection, { symbol: 'eth', fullname: 'eth', estimatedPrice: '20' });
    assert.equal(await again(id), 'allow');
    const anew = await openWithdrawalRequest(
      connection,
      request(await newUser(), { asset: ETH, amountAtoms: 100_000_000n as Atoms }),
    );
    assert.equal(anew instanceof Refused && anew.key, 'withdrawal_limit_reached');
    await describeCoin(connection, { symbol: 'eth', fullname: 'eth', estimatedPrice: '10' });
  });

  test('abuse 28: a hold, a freeze or a smaller book stops a pending request', async () => {
    const stops: [text: string, refusal: string][] = [
      ["withdrawal_blocked_until = now() + interval '1 day'", 'credential_hold'],
      ["state = 'frozen'", 'account_active'],
      ["state = 'active', state_since = now()", 'account_active'],
      ['book_only = true', 'book_only'],
      ['verification_level = 0', 'level'],
    ];
    for (const [text, refusal] of stops) {
      const user = await newUser();
      const id = await opened(user);
      assert.equal(await again(id), 'allow');
      await change(user, text);
      assert.equal(await again(id), refusal);
    }
  });

  for (const end of [
    'revoked = true',
    "suspended_reason = 'reset'",
    'can_withdraw = false',
    "expires_at = now() - interval '1 second'",
  ]) {
    test(`abuse 28: a key with ${end} stops a request made with it`, async () => {
      const user = await newUser();
      const key = await newKey(user);
      const { isConfirmed: _, ...byKey } = request(user, { key, address: OTHER_ADDRESS });
      const opening = await openWithdrawalRequest(connection, byKey);
      assert.ok(opening.kind === 'requested', JSON.stringify(opening));
      assert.equal(await again(opening.id), 'allow');
      await connection.query(`update api_keys set ${end} where id = $1`, [key]);
      assert.equal(await again(opening.id), 'factor_proven');
    });
  }

  test('a withdrawal that needs reviews awaits them as soon as it is on hold', async () => {
    await connection.query('delete from outbox');
    const ends: [screening: 'pass' | 'hold', outcome: 'accepted' | 'refused', state: string][] = [
      ['pass', 'accepted', 'approved'],
      ['hold', 'accepted', 'in_review'],
      ['hold', 'refused', 'refused'],
    ];
    for (const [screening, state, end] of ends) {
      const id = await opened(await newUser(), { screening });
      const [row] = await readWaiting(connection, 10);
      const refusal = state === 'accepted' ? 'none' : 'available_balance_too_small';
      const outcome = { ...row, state, refusal, frame: 2, command: 1 } as const;
      await settleRows(connection, [{ row, outcome }]);
      const text = 'select state, reviews_needed from withdrawal_requests where id = $1';
      const { rows } = await connection.query(text, [id]);
      const reviews = screening === 'hold' ? '2' : '0';
      assert.deepEqual(rows, [{ state: end, reviews_needed: reviews }]);
    }
  });

  test("an operator's own withdrawal has no policy", async () => {
    const id = await opened(await newUser(), { isByOperator: true });
    assert.equal(await again(id), undefined);
  });

  test('abuse 27: a wrong factor leaves no request', async () => {
    const user = await newUser();
    const text = 'select from withdrawal_requests where user_id = $1';
    const wrong = await openWithdrawalRequest(
      connection,
      request(user, { isConfirmed: async () => false }),
    );
    assert.deepEqual(wrong, new Refused('withdrawal_not_confirmed'));
    const { isConfirmed: _, ...unproven } = request(user);
    const none = await openWithdrawalRequest(connection, unproven);
    assert.equal(none instanceof Refused && none.key, 'withdrawal_not_confirmed');
    assert.equal((await connection.query(text, [user])).rows.length, 0);
  });

  for (const [atoms, fit] of [
    [10_000n, 100],
    [43_000n, 23],
  ] as const) {
    test(`abuse 31: of 400 requests for ${atoms} at two gateways, ${fit} fit`, async (context) => {
      await describePolicySettings(connection, { openMax: 1_000 });
      const user = await newUser();
      const startedMs = performance.now();
      const openings = await Promise.all(
        pools.flatMap((pool) => Array.from({ length: 10 }, () => openMany(pool, user, atoms))),
      );
      context.diagnostic(`400 decided in ${Math.round(performance.now() - startedMs)} ms`);
      assert.equal(openings.flat().filter((kind) => kind === 'requested').length, fit);
      assert.equal(
        openings.flat().filter((kind) => kind === 'withdrawal_limit_reached').length,
        400 - fit,
      );
      const { rows } = await connection.query(
        'select sum(amount_atoms)::text as sum from withdrawal_requests where user_id = $1',
        [user],
      );
      assert.deepEqual(rows, [{ sum: `${BigInt(fit) * atoms}` }]);
      assert.ok(BigInt(fit) * atoms <= 1_000_000n && BigInt(fit + 1) * atoms > 1_000_000n);
    });
  }

  /** Sends twenty requests on one connection, one after another. */
  function openMany(pool: Pool, user: UserId, atoms: bigint): Promise<string[]> {
    return withConnection(pool, async (one) => {
      const kinds: string[] = [];
      for (let at = 0; at < 20; at++) {
        const asked = request(user, { amountAtoms: atoms as Atoms });
        const opening = await openWithdrawalRequest(one, asked);
        kinds.push(opening instanceof Refused ? opening.key : opening.kind);
      }
      return kinds;
    });
  }

  test('abuse 32: an account and its sub-account are locked by the same row', async () => {
    const parent = await newUser();
    const sub = await newUser(parent);
    const order: string[] = [];
    await withConnection(pools[0], async (one) => {
      await one.query('begin');
      await readPolicyInput(one, { ...terms(parent), ...second });
      const waiting = withConnection(pools[1], (other) =>
        inTransaction(other, async () => {
          await readPolicyInput(other, { ...terms(sub), ...second });
          order.push('sub-account');
        }),
      );
      await untilBlocked(() => order.length > 0);
      order.push('account');
      await one.query('commit');
      await waiting;
    });
    assert.deepEqual(order, ['account', 'sub-account']);
  });

  /** Returns when a session is blocked, or when it is clear that none will be. */
  async function untilBlocked(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const { rows } = await connection.query('select from pg_locks where not granted');
      if (rows.length > 0) return;
    }
  }
});
