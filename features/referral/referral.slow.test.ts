// Tests codes, affiliations, batches and payouts on a real database, one rule at a time. The totals
// over many trades are in many-trades.slow.test.ts.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { inTransaction, type OwnConnection } from '../../infra/postgres/index.ts';
import { readWaiting } from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { settleRows } from '../../testing/outbox/settle-rows.ts';
import {
  affiliationOf,
  affiliationsOfReferrer,
  applyReferral,
  findReferrer,
} from './affiliations.ts';
import { countBatch, openBatch, runReferralBatches } from './batches.ts';
import { checkReferralCode, createReferralCode } from './codes.ts';
import { payoutOf, payoutsOfReferrer, readUnrealized, requestPayout } from './payouts.ts';
import {
  ASSETS,
  configure,
  insertTrade,
  makePerson,
  makeSubAccount,
  openReferralForTest,
  projectTo,
  type ReferralForTest,
  SCHEMA,
  START_MS,
  type TradeForTest,
} from './referral-for-test.ts';
import { readReferralSettings } from './settings.ts';

const [USDT, BTC] = ASSETS;

let stage: ReferralForTest;
let registry: OwnConnection;
let distributor: UserId;
let frame = 0;
let number = 0;
let prices: Record<string, string> = {};
let codes = 0;

const options = {
  projectionSchema: SCHEMA,
  tradesPerBatch: 1_000,
  pricesAt: async () => prices,
};

function keyOf(result: unknown): string | undefined {
  return result instanceof Refused ? result.key : undefined;
}

describe('referral', () => {
  before(async () => {
    stage = await openReferralForTest();
    ({ registry } = stage);
    distributor = await makePerson(registry);
  });
  after(() => stage.close());
  beforeEach(async () => {
    prices = { usdt: '1', btc: '60000' };
    await configure(registry, distributor);
  });

  /** Creates another code with these percentages. */
  async function makeCode(owner: UserId, earningRate = 50, discount = 0): Promise<string> {
    codes += 1;
    const code = `C${String(codes).padStart(5, '0')}`;
    const made = await createReferralCode(
      registry,
      { owner, code, discount, earningRate },
      { earningRate: 90 },
    );
    assert.ok(!(made instanceof Refused));
    return code;
  }

  const apply = (user: UserId, code: string) =>
    inTransaction(registry, () => applyReferral(registry, { user, code }, SCHEMA));

  /** Creates a referrer, and a user of the referrer's code. */
  async function refer(earningRate = 50): Promise<{ referrer: UserId; user: UserId }> {
    const [referrer, user] = [await makePerson(registry), await makePerson(registry)];
    assert.equal(await apply(user, await makeCode(referrer, earningRate)), undefined);
    return { referrer, user };
  }

  /** In the next frame, a second later; the taker buys btc for usdt. */
  async function trade(change: Partial<TradeForTest>): Promise<void> {
    frame += 1;
    number += 1;
    const timeMs = START_MS + frame * 1_000;
    const parties = { maker: distributor, taker: distributor };
    const fees = { makerFeeAtoms: 0n, takerFeeAtoms: 0n };
    const market = { base: BTC.id, quote: USDT.id, takerSide: 'buy' } as const;
    const made = { number, frame, timeMs, ...parties, ...fees, ...market, ...change };
    await insertTrade(stage.projected, made);
    await projectTo(stage.projected, { frame, timeMs: made.timeMs });
  }

  async function unrealized(user: UserId): Promise<bigint | undefined> {
    return (await readUnrealized(registry, user, SCHEMA))?.atoms;
  }

  async function settleAll(refusal: 'none' | 'available_balance_too_small'): Promise<number> {
    const rows = await readWaiting(registry, 1_000);
    const state = refusal === 'none' ? 'accepted' : 'refused';
    const outcomes = rows.map((row) => {
      const { channel, sequence } = row;
      const outcome = { channel, sequence, state, refusal, frame: 9, command: 77 } as const;
      return { row, outcome };
    });
    await settleRows(registry, outcomes);
    return rows.length;
  }

  describe('settings', () => {
    const off: [what: string, change: object][] = [
      ['not active', { active: false }],
      ['an unknown currency', { currency: 'none' }],
      ['an unknown distributor', { distributor_id: 999_999 }],
      ['no earning rate', { earning_rate: null }],
      ['an earning rate above 100', { earning_rate: 110 }],
      ['a negative period', { earning_period: -1 }],
      ['a minimum finer than the coin', { minimum_amount: 0.000_000_1 }],
    ];
    for (const [what, change] of off) {
      test(`${what}: referral is off`, async () => {
        await configure(registry, distributor, change);
        assert.equal(await readReferralSettings(registry, SCHEMA), undefined);
      });
    }

    test("the kit's settings apply", async () => {
      await configure(registry, distributor, { minimum_amount: 2.5, earning_period: 6 });
      assert.deepEqual(await readReferralSettings(registry, SCHEMA), {
        currency: 'usdt',
        asset: USDT.id,
        scale: 6,
        earningRate: 90,
        minimumAtoms: 2_500_000n,
        earningMonths: 6,
        distributor,
      });
    });
  });

  describe('codes', () => {
    const rates: [discount: number, earningRate: number, limit: number, isValid: boolean][] = [
      [0, 10, 50, true],
      [20, 30, 50, true],
      [50, 0, 50, true],
      [20, 40, 50, false],
      [0, 0, 50, false],
      [5, 10, 50, false],
      [-10, 20, 50, false],
      [0, 90, 100, true],
      [10, 90, 100, true],
      [0, 100, 100, false],
    ];
    for (const [discount, earningRate, limit, isValid] of rates) {
      const verb = isValid ? 'accepted' : 'refused';
      test(`discount ${discount} and rate ${earningRate} of ${limit} are ${verb}`, async () => {
        const owner = await makePerson(registry);
        const code = `R${String(owner).padStart(5, '0')}`;
        const made = await createReferralCode(
          registry,
          { owner, code, discount, earningRate },
          { earningRate: limit },
        );
        assert.equal(!(made instanceof Refused), isValid);
        if (!isValid) assert.equal(keyOf(made), 'referral_rates_invalid');
      });
    }

    test('a code has 6 letters or digits, case-insensitive, and one owner', async () => {
      const owner = await makePerson(registry);
      const create = (code: string) =>
        createReferralCode(
          registry,
          { owner, code, discount: 0, earningRate: 10 },
          { earningRate: 10 },
        );
      for (const code of ['', 'ABCDE', 'ABCDEFG', 'ABC-12', 'ÄBCDEF']) {
        assert.equal(keyOf(await create(code)), 'referral_code_invalid', code);
      }
      assert.equal(typeof (await create('aB3dE6')), 'object');
      assert.equal(keyOf(await create('Ab3De6')), 'referral_code_taken');
      const found = await checkReferralCode(registry, 'AB3DE6', { earningRate: 10 });
      assert.equal(found?.code, 'aB3dE6');
    });

    test('a user has at most 3 codes, even if they are created concurrently', async () => {
      const owner = await makePerson(registry);
      const connections = await Promise.all(
        Array.from({ length: 6 }, () => stage.postgres.session('registry')),
      );
      const made = await Promise.all(
        connections.map((connection, at) =>
          createReferralCode(
            connection,
            { owner, code: `MANY0${at}`, discount: 0, earningRate: 10 },
            { earningRate: 10 },
          ),
        ),
      );
      assert.equal(made.filter((one) => !(one instanceof Refused)).length, 3);
      assert.equal(made.filter((one) => keyOf(one) === 'referral_codes_limit_reached').length, 3);
    });

    test('a code that promises more than the operator now allows is invalid', async () => {
      const code = await makeCode(await makePerson(registry), 50);
      assert.ok(await checkReferralCode(registry, code, { earningRate: 50 }));
      assert.equal(await checkReferralCode(registry, code, { earningRate: 40 }), undefined);
    });
  });

  describe('affiliations', () => {
    test('a code is applied once, counted, and gives its discount', async () => {
      const [referrer, user] = [await makePerson(registry), await makePerson(registry)];
      const code = await makeCode(referrer, 30, 20);
      assert.equal(await apply(user, code.toLowerCase()), undefined);
      assert.equal(keyOf(await apply(user, code)), 'referral_already_applied');
      const other = await makeCode(await makePerson(registry));
      assert.equal(keyOf(await apply(user, other)), 'referral_already_applied');
      assert.equal((await findReferrer(registry, user))?.id, referrer);
      assert.equal((await checkReferralCode(registry, code, { earningRate: 90 }))?.uses, 1);
      const { rows } = await registry.query(
        `select u.discount::text, s.discount_ppm::text from users u
         join engine_user_settings s on s.user_id = u.id where u.id = $1`,
        [user],
      );
      assert.deepEqual(rows, [{ discount: '20', discount_ppm: '200000' }]);
      const { rows: listed } = await registry.query(
        affiliationsOfReferrer.rows('order by a.created_at desc'),
        [referrer, null, null, 10, 0],
      );
      assert.deepEqual(
        listed.map(affiliationOf).map(({ code, earningRate, user }) => [user, code, earningRate]),
        [[user, code, 30]],
      );
    });

    test('a better discount from the operator is kept', async () => {
      const user = await makePerson(registry);
      await registry.query('update users set discount = 75.5 where id = $1', [user]);
      await apply(user, await makeCode(await makePerson(registry), 30, 20));
      const { rows } = await registry.query(
        'select discount_ppm::text as ppm from engine_user_settings where user_id = $1',
        [user],
      );
      assert.equal(rows[0].ppm, '755000');
    });

    test('two concurrent requests create one affiliation', async () => {
      const user = await makePerson(registry);
      const made = await Promise.all(
        [1, 2, 3, 4].map(async () => {
          const code = await makeCodeWith(await stage.postgres.session('registry'));
          const connection = await stage.postgres.session('registry');
          return inTransaction(connection, () => applyReferral(connection, { user, code }, SCHEMA));
        }),
      );
      assert.equal(made.filter((one) => one === undefined).length, 1);
      assert.equal(made.filter((one) => keyOf(one) === 'referral_already_applied').length, 3);

      async function makeCodeWith(connection: OwnConnection): Promise<string> {
        const owner = await makePerson(connection);
        const code = `P${String(owner).padStart(5, '0')}`;
        const rates = { discount: 0, earningRate: 10 };
        await createReferralCode(connection, { owner, code, ...rates }, { earningRate: 10 });
        return code;
      }
    });

    test('invalid uses are rejected', async () => {
      const parent = await makePerson(registry);
      const [sub, other] = [await makeSubAccount(registry, parent), await makePerson(registry)];
      const [own, ofSub] = [await makeCode(parent), await makeCode(sub)];
      assert.equal(keyOf(await apply(parent, own)), 'referral_code_own');
      assert.equal(keyOf(await apply(parent, ofSub)), 'referral_code_own');
      assert.equal(keyOf(await apply(sub, own)), 'session_of_person_needed');
      assert.equal(keyOf(await apply(other, 'NONE99')), 'referral_code_unknown');
      assert.equal(keyOf(await apply(other, '')), 'referral_code_unknown');
      await configure(registry, distributor, { active: false });
      assert.equal(keyOf(await apply(other, own)), 'referral_is_off');
      assert.equal(await findReferrer(registry, other), undefined);
    });
  });

  describe('batches', () => {
    test('both sides earn for their referrers, in the coin that each receives', async () => {
      const [one, two] = [await refer(50), await refer(10)];
      const fees = { takerFeeAtoms: 100_000n, makerFeeAtoms: 2_000_000n };
      await trade({ taker: one.user, maker: two.user, ...fees });
      await runReferralBatches(registry, options);
      // 0.001 btc × 60000 × 50%, and 2 usdt × 10%.
      assert.equal(await unrealized(one.referrer), 30_000_000n);
      assert.equal(await unrealized(two.referrer), 200_000n);
      await trade({ taker: one.user, maker: two.user, takerSide: 'sell', ...fees });
      await runReferralBatches(registry, options);
      // The taker pays 0.1 usdt, the maker 0.02 btc.
      assert.equal(await unrealized(one.referrer), 30_050_000n);
      assert.equal(await unrealized(two.referrer), 200_000n + 120_000_000n);
    });

    test('fees before the start, after the end, or without a price do not count', async () => {
      const fee = { takerFeeAtoms: 100_000n };
      const [referrer, user] = [await makePerson(registry), await makePerson(registry)];
      await trade({ taker: user, ...fee });
      await runReferralBatches(registry, options);
      await configure(registry, distributor, { earning_period: 1 });
      await apply(user, await makeCode(referrer));
      const { rows } = await registry.query(
        'select starts_at, ends_at from affiliations where user_id = $1',
        [user],
      );
      const [{ ends_at: end, starts_at: start }] = rows;
      assert.equal(start.getTime(), START_MS + frame * 1_000);
      assert.equal(end.toISOString().slice(0, 10), '2100-02-01');
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 0n);
      // In a later frame of the same millisecond.
      await trade({ taker: user, ...fee, timeMs: start.getTime() });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 0n);
      // Moves the end closer, so the test needs no month.
      const closeEnd = new Date(START_MS + (frame + 3) * 1_000);
      await registry.query('update affiliations set ends_at = $2 where user_id = $1', [
        user,
        closeEnd,
      ]);
      await trade({ taker: user, ...fee });
      await trade({ taker: user, ...fee, base: 4 as typeof BTC.id });
      await trade({ taker: user, ...fee });
      await trade({ taker: user, ...fee });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 30_000_000n);
    });

    test('trades within the family or group of the payer or the referrer count zero', async () => {
      const { referrer, user } = await refer();
      const [sub, subOfReferrer, grouped, stranger] = [
        await makeSubAccount(registry, user),
        await makeSubAccount(registry, referrer),
        await makePerson(registry),
        await makePerson(registry),
      ];
      for (const member of [user, grouped]) {
        await stage.projected.query('insert into user_groups values ($1, 77, false, now())', [
          member,
        ]);
      }
      for (const maker of [sub, referrer, subOfReferrer, grouped]) {
        await trade({ taker: user, maker, takerFeeAtoms: 100_000n });
        await trade({ maker: user, taker: maker, makerFeeAtoms: 1_000_000n });
      }
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 0n);
      await trade({ taker: user, maker: stranger, takerFeeAtoms: 100_000n });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 30_000_000n);
    });

    test('abuse 53: a fee in a coin without a cautious price earns nothing', async () => {
      const { referrer, user } = await refer();
      await trade({ taker: user, takerFeeAtoms: 100_000n });
      await trade({ taker: user, takerFeeAtoms: 7n, base: 4 as typeof BTC.id });
      const pricesAt = async (currency: string, at: Date) => {
        assert.deepEqual([currency, at.getTime()], ['usdt', START_MS + frame * 1_000]);
        return { btc: '9' };
      };
      await runReferralBatches(registry, { ...options, pricesAt });
      // 0.001 btc × 9 × 50%; nothing for gold.
      assert.equal(await unrealized(referrer), 4_500n);
      const { rows } = await registry.query(
        'select prices from referral_batches order by id desc limit 1',
      );
      assert.deepEqual(rows[0].prices, { btc: '9', usdt: '1' });
    });

    test('an incomplete frame is left for the next batch', async () => {
      const { referrer, user } = await refer();
      await trade({ taker: user, takerFeeAtoms: 100_000n });
      await projectTo(stage.projected, {
        frame,
        timeMs: START_MS + frame * 1_000,
        isComplete: false,
      });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 0n);
      await projectTo(stage.projected, { frame, timeMs: START_MS + frame * 1_000 });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 30_000_000n);
    });

    test('while referral is off, ranges are skipped permanently', async () => {
      const { referrer, user } = await refer();
      await trade({ taker: user, takerFeeAtoms: 100_000n });
      await configure(registry, distributor, { active: false });
      await runReferralBatches(registry, options);
      await configure(registry, distributor);
      await trade({ taker: user, takerFeeAtoms: 200_000n });
      await runReferralBatches(registry, options);
      assert.equal(await unrealized(referrer), 60_000_000n);
      const { rows } = await registry.query(
        'select from_frame, to_frame from referral_batches order by from_frame',
      );
      for (const [at, { from_frame: from }] of rows.entries()) {
        if (at > 0) assert.equal(from, rows[at - 1].to_frame, 'ranges are contiguous');
      }
    });

    test('a long range becomes several batches, split between frames', async () => {
      const { referrer, user } = await refer();
      for (let at = 0; at < 5; at += 1) await trade({ taker: user, takerFeeAtoms: 100_000n });
      const batches = await runReferralBatches(registry, { ...options, tradesPerBatch: 2 });
      assert.equal(batches, 3);
      assert.equal(await unrealized(referrer), 150_000_000n);
    });

    test('abuse 54: a batch is counted once, however often it is run', async () => {
      const { referrer, user } = await refer();
      await trade({ taker: user, takerFeeAtoms: 100_000n });
      const batch = await openBatch(registry, options);
      assert.ok(batch);
      const connections = await Promise.all(
        Array.from({ length: 5 }, () => stage.postgres.session('registry')),
      );
      await Promise.all(connections.map((one) => countBatch(one, batch.id, SCHEMA)));
      await Promise.all(connections.map((one) => runReferralBatches(one, options)));
      assert.equal(await unrealized(referrer), 30_000_000n);
      // Even if the state were lost, the primary key holds.
      await registry.query(`update referral_batches set state = 'open' where id = $1`, [batch.id]);
      await countBatch(registry, batch.id, SCHEMA);
      assert.equal(await unrealized(referrer), 30_000_000n);
    });
  });

  describe('payouts', () => {
    /** The user pays a fee of this many atoms of usdt; the referrer earns half of it. */
    async function earnAtoms(user: UserId, atoms: bigint): Promise<void> {
      await trade({ taker: user, takerSide: 'sell', takerFeeAtoms: atoms });
      await runReferralBatches(registry, options);
    }

    test('below the minimum, nothing is paid', async () => {
      const { referrer, user } = await refer();
      await earnAtoms(user, 1_999_999n);
      const refused = await requestPayout(registry, referrer, SCHEMA);
      assert.equal(keyOf(refused), 'referral_minimum_not_reached');
      await earnAtoms(user, 1n);
      const paid = await requestPayout(registry, referrer, SCHEMA);
      assert.ok(paid.kind === 'requested');
      assert.equal(paid.amountAtoms, 1_000_000n);
      await settleAll('none');
    });

    test('a payout is rounded down once and keeps the rest for the next one', async () => {
      await configure(registry, distributor, { minimum_amount: 0 });
      const { referrer, user } = await refer();
      const amounts: bigint[] = [];
      for (const fee of [3n, 3n, 3n, 3n]) {
        await earnAtoms(user, fee);
        const paid = await requestPayout(registry, referrer, SCHEMA);
        assert.ok(paid.kind === 'requested');
        amounts.push(paid.amountAtoms);
      }
      assert.deepEqual(amounts, [1n, 2n, 1n, 2n]);
      await settleAll('none');
      const empty = await requestPayout(registry, referrer, SCHEMA);
      assert.equal(empty.kind, 'refused');
      const { rows } = await registry.query(payoutsOfReferrer.rows('order by p.created_at, p.id'), [
        referrer,
        null,
        null,
        10,
        0,
      ]);
      assert.deepEqual(
        rows.map(payoutOf).map(({ amountAtoms, currency }) => [amountAtoms, currency]),
        amounts.map((amount) => [amount, 'usdt']),
      );
    });

    test('parallel requests pay once', async () => {
      const { referrer, user } = await refer();
      await earnAtoms(user, 4_000_000n);
      const made = await Promise.all(
        Array.from({ length: 8 }, async () =>
          requestPayout(await stage.postgres.session('registry'), referrer, SCHEMA),
        ),
      );
      assert.equal(made.filter(({ kind }) => kind === 'requested').length, 1);
      assert.equal(await settleAll('none'), 1);
      assert.equal(await unrealized(referrer), 0n);
    });

    test('if the distributor has too little, no earnings are used up', async () => {
      const { referrer, user } = await refer();
      await earnAtoms(user, 4_000_000n);
      await requestPayout(registry, referrer, SCHEMA);
      assert.equal(await unrealized(referrer), 0n);
      await settleAll('available_balance_too_small');
      assert.equal(await unrealized(referrer), 2_000_000n);
      const { rows } = await registry.query(payoutsOfReferrer.rows(''), [
        referrer,
        null,
        null,
        10,
        0,
      ]);
      assert.deepEqual(rows, []);
      const again = await requestPayout(registry, referrer, SCHEMA);
      assert.ok(again.kind === 'requested');
      await settleAll('none');
      assert.equal(await unrealized(referrer), 0n);
    });

    test('the command pays the referrer from the distributor', async () => {
      const { referrer, user } = await refer();
      await earnAtoms(user, 4_000_000n);
      await requestPayout(registry, referrer, SCHEMA);
      const waiting = await readWaiting(registry, 10);
      assert.deepEqual(
        waiting.map(({ command }) => command),
        [
          {
            kind: 'TransferAsset',
            sender: distributor,
            receiver: referrer,
            asset: USDT.id,
            amountAtoms: 2_000_000n,
            reference: `referral ${referrer}`,
          },
        ],
      );
      await settleAll('none');
    });

    test('abuse 53: a closed loop of self-dealing loses money', async () => {
      await configure(registry, distributor, { minimum_amount: 0, earning_rate: 100 });
      // One person with three accounts that refer each other in a ring, at the maximum rate.
      const ring = [
        await makePerson(registry),
        await makePerson(registry),
        await makePerson(registry),
      ];
      for (const [at, user] of ring.entries()) {
        assert.equal(await apply(user, await makeCode(ring[(at + 1) % 3], 90)), undefined);
      }
      let paidAtoms = 0n;
      for (let round = 0; round < 30; round += 1) {
        const [taker, maker] = [ring[round % 3], ring[(round + 1 + (round % 2)) % 3]];
        const fees = { takerFeeAtoms: 1_000_000n, makerFeeAtoms: 1_000n };
        await trade({ taker, maker, takerSide: 'sell', ...fees });
        // The taker pays 1 usdt, the maker 0.00001 btc.
        paidAtoms += 1_000_000n + 600_000n;
      }
      await runReferralBatches(registry, options);
      let gainedAtoms = 0n;
      for (const user of ring) gainedAtoms += (await unrealized(user)) ?? 0n;
      assert.ok(gainedAtoms > 0n, 'some trades are with the third account');
      assert.ok(gainedAtoms * 10n <= paidAtoms * 9n, `paid ${paidAtoms}, gained ${gainedAtoms}`);
    });
  });
});
