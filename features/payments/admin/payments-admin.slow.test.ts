// Tests money actions on a real PostgreSQL: their value, who gains, which rows and commands they
// create, and that a rejected action leaves nothing behind.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { AssetId, UserId } from '../../../core/money/index.ts';
import {
  inTransaction,
  migrate,
  type OwnConnection,
  openPool,
  type Pool,
  withConnection,
} from '../../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../../platform/database/index.ts';
import { readWaiting, readWaitingEngineCommands } from '../../../platform/outbox/index.ts';
import { settleRows } from '../../../testing/outbox/settle-rows.ts';
import { startPostgresForTest } from '../../../testing/projections/postgres-for-test.ts';
import { createHouseUser } from '../../accounts/index.ts';
import { prepareForTest, RefusedInTest, runForTest } from '../../approvals/act-for-test.ts';
import type { Act, ActContext } from '../../approvals/index.ts';
import { useSolo, useTeam } from '../../approvals/operators-for-test.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { makeUser, vault } from '../../auth/registry-for-test.ts';
import { describeCoin } from '../../listings/index.ts';
import { directTradeAct } from '../../trading/admin/direct-trade.ts';
import { cancelOrderAct, placeOrderAct } from '../../trading/admin/orders.ts';
import { describePolicySettings, readPolicySettings } from '../policy/policy-settings.ts';
import { type BurnPayload, burnAct } from './burn.ts';
import { type CreditPayload, creditAct } from './credit.ts';
import { type PayOutPayload, payOutAct } from './pay-out.ts';
import { type ReviewDepositPayload, reviewDepositAct } from './review-deposit.ts';
import { type ReviewWithdrawalPayload, reviewWithdrawalAct } from './review-withdrawal.ts';
import { settleFeesAct } from './settle-fees.ts';
import { transferAct } from './transfer.ts';
import { type PolicyChange, setWithdrawalPolicyAct } from './withdrawal-policy.ts';

const PROJECTIONS = 'rialto';
const BTC = 1 as AssetId;
const ADDRESS = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';

let pool: Pool;
let projections: OwnConnection;
let stop: () => Promise<void> = async () => {};
let operator: UserId;
let alice: UserId;
let bob: UserId;

function contextOf(connection: ActContext['connection'], isProven = true): ActContext {
  return {
    connection,
    isProven,
    vault,
    nowMs: Date.now(),
    exchange: { name: 'Test', projectionSchema: PROJECTIONS },
    operator: {
      user: operator,
      role: 'admin',
      powers: new Set(),
      permissions: new Set(['*']),
      call: '',
      credential: 'key 1',
      session: 0,
      address: '192.0.2.1',
    },
  };
}

function assess<P extends JsonObject, R extends JsonValue>(act: Act<P, R, string>, payload: P) {
  return withConnection(pool, (connection) => prepareForTest(act, contextOf(connection), payload));
}

/** Assesses and executes an action in one transaction. */
function perform<P extends JsonObject, R extends JsonValue>(act: Act<P, R, string>, payload: P) {
  return withConnection(pool, (connection) =>
    inTransaction(connection, () => runForTest(act, contextOf(connection), payload)),
  );
}

/** Accepts every pending command as the engine would. Returns the commands. */
async function settle() {
  const rows = await readWaiting(pool, 1_000);
  const settled = rows.map((row) => {
    const { channel, sequence } = row;
    const outcome = { channel, sequence, frame: 9, command: 77 };
    return { row, outcome: { ...outcome, state: 'accepted', refusal: 'none' } as const };
  });
  await withConnection(pool, (connection) => settleRows(connection, settled));
  return rows.map(({ command }) => command);
}

async function rowOf(table: string, id: number) {
  return (await pool.query(`select * from ${table} where id = $1`, [id])).rows[0];
}

let transactions = 0;

function credit(change: Partial<CreditPayload> = {}): CreditPayload {
  return {
    user_id: alice,
    currency: 'btc',
    amount: '0.5',
    fee: '0',
    network: 'btc',
    transaction_id: `tx${++transactions}`,
    output: null,
    address: null,
    description: '',
    is_pending: false,
    email: true,
    ...change,
  };
}

function burn(change: Partial<BurnPayload> = {}): BurnPayload {
  const { output: _, ...same } = credit();
  return { ...same, signature_hash: null, ...change };
}

function payout(change: Partial<PayOutPayload> = {}): PayOutPayload {
  return {
    user_id: alice,
    currency: 'btc',
    amount: '0.5',
    fee_currency: 'btc',
    fee: '0.0001',
    address: ADDRESS,
    network: 'btc',
    signature_hash: null,
    ...change,
  };
}

function reviewed(id: number, change: Partial<ReviewDepositPayload>): ReviewDepositPayload {
  return {
    id,
    decision: null,
    transaction_id: null,
    output: null,
    address: null,
    description: null,
    processing: null,
    waiting: null,
    email: null,
    ...change,
  };
}

const refusal = (key: string) => (fault: unknown) =>
  fault instanceof RefusedInTest && fault.refusal === key;

describe('money actions', () => {
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    projections = await postgres.schema(PROJECTIONS);
    await projections.query(
      `insert into assets values (1, 'btc', 8, 2100000000000000, now()),
         (2, 'usdt', 6, 1000000000000000, now()), (3, 'eur', 2, 100000000000, now()),
         (4, 'new', 8, 100000000000, now())`,
    );
    await projections.query(
      `insert into markets values (1, 'btc-usdt', 1, 2, 10000, 1, 2, 1, 1, 100000000, 1, 1000000,
         0, 0, 0, 'full', now(), now())`,
    );
    await migrate(await postgres.session('registry'), 'registry', readRegistryMigrations());
    pool = openPool({ ...postgres.connection('registry'), connectionsMax: 8 });
    await useTeam(pool);
    const coins = [
      { symbol: 'btc', network: 'btc', estimatedPrice: '50000', allowWithdrawal: true },
      { symbol: 'usdt', network: 'eth', estimatedPrice: '1' },
      { symbol: 'eur', type: 'fiat', estimatedPrice: '1.1' },
      { symbol: 'new', network: 'new' },
    ] as const;
    for (const coin of coins) await describeCoin(pool, { fullname: coin.symbol, ...coin });
    await describePolicySettings(pool, { currency: 'usdt' });
    operator = await makeUser(pool, { role: 'admin' });
    await pool.query(`update users set role_since = now() - interval '2 days' where id = $1`, [
      operator,
    ]);
    alice = await makeUser(pool);
    bob = await makeUser(pool);
    await projections.query(
      `insert into balances
       values (-1, 1, -400000000, 0, now(), 1), ($1, 1, 100000000, 0, now(), 1)`,
      [alice],
    );
  });
  after(async () => {
    await pool.end();
    await stop();
  });

  test('a credit shows the voter amount, balances and the share of all coins', async () => {
    const { beneficiaries, money, shown } = await assess(creditAct, credit({ amount: '1' }));
    assert.deepEqual([beneficiaries, money], [[alice], { currency: 'btc', amount: '1' }]);
    assert.deepEqual(
      shown.map(({ value }) => value),
      ['1 btc', `${alice}`, `tx${transactions}`, '1 btc', '2 btc', '20.00%'],
    );
  });

  for (const [currency, kind] of [
    ['btc', 'CreditDeposit'],
    ['eur', 'MintAsset'],
  ] as const) {
    test(`a credit of ${currency} is one ${kind} per transaction`, async () => {
      const payload = credit({ currency, amount: '0.5' });
      const { result, subject } = await perform(creditAct, payload);
      assert.equal(subject, alice);
      const [command] = await settle();
      assert.equal(command.kind, kind);
      assert.equal((await rowOf('deposit_requests', result.id)).state, 'completed');
      await assert.rejects(perform(creditAct, payload), refusal('transaction_id_used'));
      assert.deepEqual(await settle(), []);
    });
  }

  const refusedCredits: [what: string, change: Partial<CreditPayload>, key: string][] = [
    ['an unknown user', { user_id: 999_999 }, 'user_not_found'],
    ['an unknown coin', { currency: 'xyz' }, 'currency_invalid'],
    ['nothing', { amount: '0' }, 'amount_must_be_positive'],
    ['a negative amount', { amount: '-1' }, 'amount_must_be_positive'],
    ['a fraction of an atom', { amount: '0.000000001' }, 'amount_invalid'],
    ['more than can exist', { amount: '620000000' }, 'issuance_cap_exceeded'],
  ];
  for (const [what, change, key] of refusedCredits) {
    test(`a credit of ${what} is rejected before any vote`, async () => {
      await assert.rejects(assess(creditAct, credit(change)), refusal(key));
    });
  }

  test('an announced deposit moves nothing until its review credits it', async () => {
    const payload = credit({ is_pending: true });
    assert.equal((await assess(creditAct, payload)).money, undefined);
    const { id } = (await perform(creditAct, payload)).result;
    assert.deepEqual(await settle(), []);
    const complete = reviewed(id, { decision: 'complete', description: 'seen' });
    const weight = await assess(reviewDepositAct, complete);
    assert.deepEqual(weight.money, { currency: 'btc', amount: '0.5' });
    const done = await perform(reviewDepositAct, complete);
    assert.deepEqual(done.before, { state: 'pending', transaction_id: payload.transaction_id });
    assert.deepEqual(done.personal, { description: 'seen' });
    assert.deepEqual(
      (await settle()).map(({ kind }) => kind),
      ['CreditDeposit'],
    );
    assert.notEqual((await assess(reviewDepositAct, complete)).objectVersion, weight.objectVersion);
  });

  test('a rejected review leaves no flag behind', async () => {
    const { id } = (await perform(creditAct, credit())).result;
    await settle();
    const late = reviewed(id, { decision: 'dismissed', description: 'no', email: false });
    await assert.rejects(perform(reviewDepositAct, late), refusal('deposit_ended'));
    const row = await rowOf('deposit_requests', id);
    assert.deepEqual([row.description, row.with_mail], ['', true]);
  });

  test('a dismissed deposit needs no approval, and its emails can be turned off', async () => {
    const { id } = (await perform(creditAct, credit({ is_pending: true }))).result;
    const dismissed = reviewed(id, { decision: 'dismissed', email: false });
    const { approvals, money } = await assess(reviewDepositAct, dismissed);
    assert.deepEqual([approvals, money], [0, undefined]);
    await perform(reviewDepositAct, dismissed);
    const row = await rowOf('deposit_requests', id);
    assert.deepEqual([row.state, row.with_mail], ['dismissed', false]);
  });

  test('a burn is one command; a pending one is a hold', async () => {
    const signature_hash = '07'.repeat(32);
    await perform(burnAct, burn({ signature_hash }));
    await assert.rejects(perform(burnAct, burn({ signature_hash })), refusal('signature_replayed'));
    const held = await perform(burnAct, burn({ is_pending: true }));
    assert.deepEqual(
      (await settle()).map(({ kind }) => kind),
      ['BurnAsset', 'OpenWithdrawal'],
    );
    assert.equal((await rowOf('withdrawal_requests', held.result.id)).state, 'approved');
    const { money } = await assess(burnAct, burn({ is_pending: true }));
    assert.deepEqual(money, { currency: 'btc', amount: '0.5' });
  });

  test('a burn above the balance is shown to the voter; the engine decides', async () => {
    const { shown } = await assess(burnAct, burn({ amount: '3' }));
    assert.equal(shown.at(-2)?.value, 'not enough');
  });

  test('a transfer is a withdrawal and a deposit with one transaction', async () => {
    const payload = {
      sender_id: alice,
      receiver_id: bob,
      currency: 'btc',
      amount: '0.25',
      description: 'Admin Transfer',
      email: true,
      signature_hash: '08'.repeat(32),
    };
    assert.deepEqual((await assess(transferAct, payload)).beneficiaries, [bob]);
    const { after } = await perform(transferAct, payload);
    const { deposit, withdrawal } = after as { deposit: number; withdrawal: number };
    const [sent, received] = [
      await rowOf('withdrawal_requests', withdrawal),
      await rowOf('deposit_requests', deposit),
    ];
    assert.equal(sent.transaction_id, received.transaction_id);
    assert.deepEqual([sent.address, received.address], ['transfer', 'transfer']);
    assert.deepEqual([sent.with_mail, received.with_mail], [true, true]);
    await assert.rejects(perform(transferAct, payload), refusal('signature_replayed'));
    const [command] = await settle();
    assert.equal(command.kind, 'TransferAsset');
    const own = { ...payload, receiver_id: alice };
    await assert.rejects(assess(transferAct, own), refusal('users_must_be_different'));
  });

  test('a payout puts amount and fee on hold, unless withdrawals are off', async () => {
    const { result } = await perform(payOutAct, payout());
    const [command] = await settle();
    assert.deepEqual(
      [command.kind, (command as { feeAtoms?: bigint }).feeAtoms],
      ['OpenWithdrawal', 10_000n],
    );
    assert.equal((await rowOf('withdrawal_requests', result.id)).state, 'approved');
    const off = payout({ currency: 'usdt', network: 'eth' });
    await assert.rejects(assess(payOutAct, off), refusal('withdrawals_are_off'));
  });

  test('a review of a withdrawal does all its steps or none', async () => {
    const { id } = (await perform(payOutAct, payout())).result;
    await settle();
    await pool.query(`update withdrawal_requests set state = 'in_review' where id = $1`, [id]);
    const review: ReviewWithdrawalPayload = {
      id,
      steps: ['approve', 'complete'],
      transaction_id: 'paid',
      address: null,
      description: 'ok',
      email: null,
    };
    const wrong = { ...review, steps: ['approve', 'complete', 'rejected'] as const };
    await assert.rejects(perform(reviewWithdrawalAct, wrong), refusal('withdrawal_under_way'));
    assert.equal((await rowOf('withdrawal_requests', id)).state, 'in_review');
    assert.deepEqual(await settle(), []);
    const { after, before } = await perform(reviewWithdrawalAct, review);
    assert.equal((before as JsonObject).state, 'in_review');
    assert.equal((after as JsonObject).state, 'completing');
    assert.deepEqual(
      (await settle()).map(({ kind }) => kind),
      ['CompleteWithdrawal'],
    );
    const row = await rowOf('withdrawal_requests', id);
    assert.deepEqual([row.state, row.transaction_id, row.description], ['completed', 'paid', 'ok']);
    const again = { ...review, steps: ['recall'] as const, transaction_id: null };
    await assert.rejects(perform(reviewWithdrawalAct, again), refusal('withdrawal_under_way'));
  });

  test('a network under custody is credited manually only for a manual address', async () => {
    await pool.query(
      `insert into custody_networks
         (network, family, from_height, height, hash, tip_height, opened_after_deposit)
       values ('btc', 'evm', 1, 0, '', 0, 0)`,
    );
    await pool.query(
      `insert into manual_addresses (currency, network, address, has_memo)
       values ('btc', 'btc', 'old', false)`,
    );
    const refused = refusal('network_under_custody');
    await assert.rejects(perform(creditAct, credit()), refused);
    await assert.rejects(perform(creditAct, credit({ network: null, address: 'new' })), refused);
    await perform(creditAct, credit({ address: 'old' }));
    await pool.query('delete from custody_networks');
    await perform(creditAct, credit());
    await settle();
  });

  test('a burn gets another address; a withdrawal keeps its confirmed address', async () => {
    const burned = (await perform(burnAct, burn({ is_pending: true, address: 'old' }))).result;
    const paid = (await perform(payOutAct, payout())).result;
    await settle();
    const review = (id: number): ReviewWithdrawalPayload => ({
      id,
      steps: [],
      transaction_id: null,
      address: 'new',
      description: null,
      email: null,
    });
    const { personal } = await perform(reviewWithdrawalAct, review(burned.id));
    assert.deepEqual(personal, { address: 'new' });
    assert.equal((await rowOf('withdrawal_requests', burned.id)).address, 'new');
    const fixed = perform(reviewWithdrawalAct, review(paid.id));
    await assert.rejects(fixed, refusal('withdrawal_terms_fixed'));
    assert.equal((await rowOf('withdrawal_requests', paid.id)).address, ADDRESS);
  });

  /** Creates a withdrawal that needs two reviews, and a function that reviews it. */
  async function inReview() {
    const { id } = (await perform(payOutAct, payout())).result;
    await settle();
    await pool.query(
      `update withdrawal_requests set state = 'in_review', reviews_needed = 2 where id = $1`,
      [id],
    );
    const review = (steps: ReviewWithdrawalPayload['steps']): ReviewWithdrawalPayload => ({
      id,
      steps,
      transaction_id: null,
      address: null,
      description: null,
      email: null,
    });
    return { id, review };
  }

  const byKey = (payload: ReviewWithdrawalPayload) =>
    withConnection(pool, (connection) =>
      inTransaction(connection, () =>
        runForTest(reviewWithdrawalAct, contextOf(connection, false), payload),
      ),
    );

  for (const steps of [['approve', 'complete'], ['claim', 'complete'], ['complete']] as const) {
    test(`in solo mode, an administrator's key reviews alone: ${steps.join(', ')}`, async () => {
      const { id, review } = await inReview();
      await useSolo(pool);
      await byKey(review(steps));
      await useTeam(pool);
      assert.equal((await rowOf('withdrawal_requests', id)).state, 'completing');
      await settle();
    });
  }

  test('without a second factor, a review approves nothing but can complete', async () => {
    const { id, review } = await inReview();
    await pool.query('update withdrawal_requests set reviews_needed = 1 where id = $1', [id]);
    await assert.rejects(byKey(review(['complete'])), refusal('withdrawal_under_way'));
    for (const steps of [['approve'], ['approve', 'complete']] as const) {
      await assert.rejects(byKey(review(steps)), refusal('withdrawal_approval_needs_factor'));
    }
    assert.equal((await rowOf('withdrawal_requests', id)).state, 'in_review');
    await perform(reviewWithdrawalAct, review(['approve']));
    // It is already approved, so the same flags only complete it.
    await byKey(review(['approve', 'complete']));
    assert.equal((await rowOf('withdrawal_requests', id)).state, 'completing');
    await settle();
  });

  const trade = {
    symbol: 'btc-usdt',
    side: 'buy',
    price: '60000',
    size: '0.01',
    maker_fee_ppm: 0,
    taker_fee_ppm: 1_000,
    signature_hash: '09'.repeat(32),
  } as const;

  test('a direct trade is valued by the side that is worth more', async () => {
    const users = { maker_id: alice, taker_id: bob };
    const values: [price: string, amount: string][] = [
      ['60000', '600 usdt'],
      ['40000', '0.01 btc'],
      ['900000', '9000 usdt'],
    ];
    for (const [price, amount] of values) {
      const { money } = await assess(directTradeAct, { ...trade, ...users, price });
      assert.equal(`${money?.amount} ${money?.currency}`, amount);
    }
    const { beneficiaries } = await assess(directTradeAct, { ...trade, ...users });
    assert.deepEqual(beneficiaries, [alice, bob]);
  });

  test('a direct trade is one command per signed request', async () => {
    const payload = { ...trade, maker_id: alice, taker_id: bob };
    await perform(directTradeAct, payload);
    await assert.rejects(perform(directTradeAct, payload), refusal('signature_replayed'));
    const [command, ...more] = await settle();
    assert.deepEqual(more, []);
    assert.deepEqual(command, {
      kind: 'TradeDirectly',
      market: 1,
      maker: alice,
      taker: bob,
      takerSide: 'buy',
      priceTicks: 6_000_000,
      sizeLots: 100,
      makerFeePpm: 0,
      takerFeePpm: 1_000,
    });
    const fine = { ...payload, size: '0.00001' };
    await assert.rejects(assess(directTradeAct, fine), refusal('size_invalid'));
    const unknown = { ...payload, symbol: 'btc-eur' };
    await assert.rejects(assess(directTradeAct, unknown), refusal('symbol_invalid'));
  });

  test('an order on behalf of a user is queued and valued by what it can spend', async () => {
    const payload = {
      user_id: alice,
      symbol: 'btc-usdt',
      side: 'buy',
      type: 'limit',
      size: '0.01',
      price: '70000',
      client_order_id: 'operator-1',
    } as const;
    const { money } = await assess(placeOrderAct, payload);
    assert.deepEqual(money, { currency: 'usdt', amount: '700' });
    const market = { ...payload, type: 'market', price: '' } as const;
    const atMarket = await assess(placeOrderAct, market);
    assert.deepEqual(atMarket.money, { currency: 'btc', amount: '0.01' });
    const { command } = (await perform(placeOrderAct, payload)).result;
    const cancel = { user_id: alice, order: 5 };
    assert.equal((await assess(cancelOrderAct, cancel)).money, undefined);
    await perform(cancelOrderAct, cancel);
    const waiting = await readWaitingEngineCommands(pool, 10);
    assert.equal(waiting[0].id, command);
    const kinds = waiting.map(({ command: queued }) => queued?.kind);
    assert.deepEqual(kinds, ['PlaceOrder', 'CancelOrder']);
    const [placed, canceled] = waiting.map((row) => row.command as Record<string, unknown>);
    assert.deepEqual(
      [placed.user, placed.priceTicks, placed.sizeLots, placed.clientOrderId],
      [alice, 7_000_000, 100, 'operator-1'],
    );
    assert.deepEqual([canceled.order, canceled.byOperator], [5, true]);
  });

  test('no operator request moves money of a house account', async () => {
    const house = await createHouseUser(pool);
    const transfer = {
      sender_id: house,
      receiver_id: bob,
      currency: 'btc',
      amount: '0.25',
      description: '',
      email: true,
      signature_hash: null,
    };
    const order = { user_id: house, symbol: 'btc-usdt', side: 'sell', size: '0.01' } as const;
    const limit = { ...order, type: 'limit', price: '1', client_order_id: 'h' } as const;
    const calls: [what: string, () => Promise<unknown>][] = [
      ['a burn', () => perform(burnAct, burn({ user_id: house }))],
      ['a payout', () => perform(payOutAct, payout({ user_id: house }))],
      ['a transfer from it', () => perform(transferAct, transfer)],
      [
        'a transfer to it',
        () => perform(transferAct, { ...transfer, sender_id: bob, receiver_id: house }),
      ],
      ['a trade', () => perform(directTradeAct, { ...trade, maker_id: house, taker_id: bob })],
      ['an order', () => perform(placeOrderAct, limit)],
      ['a credit', () => perform(creditAct, credit({ user_id: house }))],
      ['fees', () => perform(settleFeesAct, { user_id: house })],
    ];
    for (const [what, call] of calls) {
      await assert.rejects(call(), refusal('account_of_house'), what);
    }
    assert.deepEqual(await settle(), []);
  });

  test('a looser withdrawal policy needs approval, a tighter one does not', async () => {
    const table: [PolicyChange, number][] = [
      [{ oneReviewFrom: '5000' }, 0],
      [{ oneReviewFrom: '20000' }, 1],
      [{ newForHours: 48 }, 0],
      [{ newForHours: 12 }, 1],
      [{ openMax: 5, perHourMax: 11 }, 1],
      [{}, 0],
    ];
    for (const [change, expected] of table) {
      const { approvals } = await assess(setWithdrawalPolicyAct, change);
      assert.equal(approvals, expected, JSON.stringify(change));
    }
    const reversed = assess(setWithdrawalPolicyAct, { twoReviewsFrom: '1' });
    await assert.rejects(reversed, refusal('policy_reviews_reversed'));
    await perform(setWithdrawalPolicyAct, { openMax: 5 });
    assert.equal((await readPolicySettings(pool)).openMax, 5);
    assert.equal((await readPolicySettings(pool)).perHourMax, 10, 'others stay');
    await perform(setWithdrawalPolicyAct, { openMax: 20 });
  });

  test('fees are settled by another operator, all of them, valued together', async () => {
    const payload = { user_id: operator };
    await assert.rejects(assess(settleFeesAct, payload), refusal('fees_account_is_empty'));
    await projections.query(
      `insert into balances values (-2, $1, 1000000, 0, now(), 1), (-2, 2, 25000000, 0, now(), 1)`,
      [BTC],
    );
    const { approvals, money } = await assess(settleFeesAct, payload);
    assert.deepEqual([approvals, money], [1, { currency: 'usdt', amount: '525' }]);
    const { asked } = (await perform(settleFeesAct, payload)).result;
    assert.equal(asked.length, 2);
    assert.deepEqual(await settle(), [
      { kind: 'SettleFees', asset: 1, user: operator },
      { kind: 'SettleFees', asset: 2, user: operator },
    ]);
    await projections.query('insert into balances values (-2, 4, 1, 0, now(), 1)');
    const unpriced = await assess(settleFeesAct, payload);
    assert.equal(unpriced.money?.currency, 'new');
  });
});
