// Tests 200,000 generated trades of a thousand users: codes applied on the way, batches cut,
// killed and repeated at random, and payouts that succeed, fail and are killed. The shares equal a
// slow, simple computation to the last fraction. RIALTO_SEED=n runs it with another seed.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import { readWaiting } from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { chosenSeed } from '../../testing/flows/flow-list.ts';
import { Random } from '../../testing/flows/random.ts';
import { settleRows } from '../../testing/outbox/settle-rows.ts';
import { applyReferral } from './affiliations.ts';
import { runReferralBatches } from './batches.ts';
import { createReferralCode } from './codes.ts';
import { copyTrades, type GeneratedTrades, generateTrades } from './generated-trades-for-test.ts';
import {
  NAIVE_UNITS,
  type NaiveAffiliation,
  type NaiveBatch,
  naiveShares,
} from './naive-shares-for-test.ts';
import { readUnrealized, requestPayout } from './payouts.ts';
import {
  ASSETS,
  configure,
  makePerson,
  openReferralForTest,
  projectTo,
  type ReferralForTest,
  SCHEMA,
} from './referral-for-test.ts';

const TRADES = 200_000;
const USERS = 1_000;
const SUB_ACCOUNTS = 200;
const REFERRERS = 60;
const DAY_MS = 86_400_000;
const SPAN_MS = 75 * DAY_MS;
const USDT = ASSETS[0];

let stage: ReferralForTest;
before(async () => {
  stage = await openReferralForTest(4);
});
after(() => stage.close());

test('abuse 54: 200,000 trades with killed and repeated batches equal plain loops', async () => {
  const seed = chosenSeed();
  const random = new Random(seed);
  const people = await makePeople(random);
  const trades = generateTrades(random, { count: TRADES, spanMs: SPAN_MS, users: people.users });
  await copyTrades(stage.projected, trades);
  await stage.projected.query('analyze trades');
  const story = new Story(random, people);
  await story.tell(trades);

  const expected = naiveShares({
    trades,
    affiliations: await readAffiliations(),
    batches: await readBatches(),
    parents: people.parents,
    groups: people.groups,
    scales: new Map(ASSETS.map(({ id, scale }) => [id, scale])),
    shareScale: USDT.scale,
  });
  const { registry } = stage;
  const { rows } = await registry.query(
    `select user_id || ' ' || batch_id as key, numerator::text from referral_accruals`,
  );
  assert.equal(rows.length, expected.accruals.size);
  for (const { key, numerator } of rows) {
    assert.equal(BigInt(numerator), expected.accruals.get(key), `seed ${seed}, accrual ${key}`);
  }
  let [paidAtoms, restAtoms] = [0n, 0n];
  for (const referrer of people.referrers) {
    const total = expected.totals.get(referrer) ?? 0n;
    const paid = story.paid.get(referrer) ?? 0n;
    const unrealized = await readUnrealized(registry, referrer, SCHEMA);
    assert.equal(unrealized?.atoms, total / NAIVE_UNITS - paid, `seed ${seed}, ${referrer}`);
    paidAtoms += paid;
    restAtoms += unrealized.atoms;
  }
  const { accruals, counted, sides } = expected;
  const figures = { seed, trades: TRADES, sides, counted, accruals: accruals.size };
  const paid = { paidAtoms: `${paidAtoms}`, restAtoms: `${restAtoms}`, differenceAtoms: 0 };
  console.log(JSON.stringify({ ...figures, ...story.figures, ...paid }));
  // The story must have covered everything it is about.
  for (const [name, figure] of Object.entries(story.figures)) assert.ok(figure > 2, name);
});

interface People {
  readonly users: readonly UserId[];
  readonly distributor: UserId;
  readonly parents: ReadonlyMap<number, number>;
  readonly groups: ReadonlyMap<number, number>;
  readonly referrers: readonly UserId[];
  readonly codes: readonly string[];
}

async function makePeople(random: Random): Promise<People> {
  const { projected, registry } = stage;
  const distributor = await makePerson(registry);
  await configure(registry, distributor, { minimum_amount: 0.000_001 });
  const { rows } = await registry.query(
    `insert into users (email, username, affiliation_code)
     select 'million' || n || '@example.com', 'million', 'M' || lpad(n::text, 5, '0')
     from generate_series(1, $1::int) n returning id`,
    [USERS],
  );
  const users = rows.map(({ id }) => Number(id) as UserId);
  const persons = users.slice(SUB_ACCOUNTS);
  const parents = new Map<number, number>();
  for (const user of users.slice(0, SUB_ACCOUNTS)) parents.set(user, random.pick(persons));
  await registry.query(
    `update users u set kind = 'sub', parent_id = s.parent
     from unnest($1::bigint[], $2::bigint[]) as s(id, parent) where u.id = s.id`,
    [[...parents.keys()], [...parents.values()]],
  );
  const groups = new Map<number, number>();
  for (let at = 0; at < 60; at += 1) groups.set(random.pick(users), random.between(1, 12));
  await projected.query(
    `insert into user_groups select *, false, now()
     from unnest($1::bigint[], $2::bigint[])`,
    [[...groups.keys()], [...groups.values()]],
  );
  const referrers = persons.slice(0, REFERRERS);
  const codes: string[] = [];
  for (const owner of [...referrers, ...referrers]) {
    const code = `R${String(codes.length).padStart(5, '0')}`;
    const earningRate = random.between(0, 9) * 10;
    const discount = earningRate === 0 ? 10 : 0;
    const rates = { discount, earningRate };
    const made = await createReferralCode(registry, { owner, code, ...rates }, { earningRate: 90 });
    assert.ok(!(made instanceof Refused));
    codes.push(code);
  }
  return { users, distributor, parents, groups, referrers, codes };
}

/** Random actions while the log grows. */
class Story {
  readonly figures = {
    batchRuns: 0,
    batches: 0,
    killed: 0,
    skipped: 0,
    affiliations: 0,
    payouts: 0,
    payoutsRefused: 0,
  };
  readonly paid = new Map<UserId, bigint>();
  readonly #random: Random;
  readonly #people: People;

  constructor(random: Random, people: People) {
    this.#random = random;
    this.#people = people;
  }

  async tell(trades: GeneratedTrades): Promise<void> {
    const random = this.#random;
    for (let at = 0; at < trades.count; ) {
      for (let turn = at === 0 ? 40 : 1; turn > 0; turn -= 1) {
        await this.#applyCodes(random.between(1, 15));
      }
      at = Math.min(trades.count, at + random.between(1, 6_000));
      await this.#project(trades, at - 1);
      if (random.chance(4)) await this.#pause();
      if (random.chance(80)) await this.#runBatches();
      if (random.chance(50)) await this.#payOut();
    }
    await projectTo(stage.projected, {
      frame: trades.frame[trades.count - 1],
      timeMs: trades.timeMs[trades.count - 1],
    });
    await runReferralBatches(stage.registry, this.#options());
    await this.#settle();
    const { rows } = await stage.registry.query(
      `select count(*) as all, count(*) filter (where state = 'skipped') as skipped
       from referral_batches`,
    );
    this.figures.batches = Number(rows[0].all);
    this.figures.skipped = Number(rows[0].skipped);
  }

  async #project(trades: GeneratedTrades, at: number): Promise<void> {
    const isComplete = this.#random.chance(70) && trades.frame[at + 1] !== trades.frame[at];
    const [frame, timeMs] = [trades.frame[at], trades.timeMs[at]];
    await projectTo(stage.projected, { frame, timeMs, isComplete });
  }

  async #applyCodes(count: number): Promise<void> {
    const { codes, distributor, users } = this.#people;
    const { registry } = stage;
    const period = this.#random.pick([0, 0, 1]);
    await configure(registry, distributor, { minimum_amount: 0.000_001, earning_period: period });
    for (let turn = 0; turn < count; turn += 1) {
      const asked = { user: this.#random.pick(users), code: this.#random.pick(codes) };
      const refusal = await inTransaction(registry, async () => {
        const refused = await applyReferral(registry, asked, SCHEMA);
        // Simulates a clock ahead of the log.
        const aheadMs = this.#random.pick([0, 1, 1_000, 3 * DAY_MS]);
        if (refused === undefined) {
          await registry.query(
            `update affiliations set starts_at = starts_at + $2 * interval '1 millisecond',
               ends_at = ends_at + $2 * interval '1 millisecond' where user_id = $1`,
            [asked.user, aheadMs],
          );
        }
        return refused;
      });
      if (refusal === undefined) this.figures.affiliations += 1;
    }
  }

  /** The operator turns referral off for a batch. */
  async #pause(): Promise<void> {
    await configure(stage.registry, this.#people.distributor, { active: false });
    await runReferralBatches(stage.registry, this.#options());
    await configure(stage.registry, this.#people.distributor, { minimum_amount: 0.000_001 });
  }

  /** One or two runners, most of them killed at some statement. */
  async #runBatches(): Promise<void> {
    const runners = Array.from({ length: this.#random.between(1, 2) }, async () => {
      const options = this.#options();
      await this.#killable(this.#random.pick([2, 6, 8, 10, 12, 13, 14, 1_000]), (connection) =>
        runReferralBatches(connection, options),
      );
      this.figures.batchRuns += 1;
    });
    await Promise.all(runners);
  }

  async #payOut(): Promise<void> {
    for (let turn = 0; turn < 6; turn += 1) {
      const referrer = this.#random.pick(this.#people.referrers);
      await this.#killable(this.#random.pick([5, 8, 1_000, 1_000]), (connection) =>
        requestPayout(connection, referrer, SCHEMA),
      );
      if (this.#random.chance(50)) await this.#settle();
    }
  }

  /** Settles payouts like the engine; accepted ones are paid. */
  async #settle(): Promise<void> {
    const rows = await readWaiting(stage.registry, 1_000);
    const settled = rows.map((row) => {
      const { channel, command, sequence } = row;
      const isPaid = this.#random.chance(70);
      const refusal = isPaid ? 'none' : 'available_balance_too_small';
      const state = isPaid ? 'accepted' : 'refused';
      if (command.kind === 'TransferAsset' && isPaid) {
        const { amountAtoms, receiver } = command;
        this.paid.set(receiver, (this.paid.get(receiver) ?? 0n) + amountAtoms);
      }
      this.figures[isPaid ? 'payouts' : 'payoutsRefused'] += 1;
      const outcome = { channel, sequence, state, refusal, frame: 9, command: 77 } as const;
      return { row, outcome };
    });
    await settleRows(stage.registry, settled);
  }

  #options() {
    // A separate generator, so two runners do not take each other's numbers.
    const random = new Random(this.#random.word());
    return {
      projectionSchema: SCHEMA,
      tradesPerBatch: random.between(2_000, 40_000),
      pricesAt: async () => ({
        btc: `${random.between(1, 20_000)}.${random.below(100)}`,
        eth: `0.${String(random.word()).padStart(18, '0')}`,
        ...(random.chance(90) ? { gold: `${random.between(1, 2)}` } : {}),
      }),
    };
  }

  /** Runs the work on a connection that is lost before or after its n-th statement. */
  async #killable(
    statements: number,
    work: (connection: Connection) => Promise<unknown>,
  ): Promise<void> {
    const own = await stage.postgres.session('registry');
    const isAfter = this.#random.chance(50);
    let left = statements;
    const query = async (text: string, values?: unknown[]) => {
      left -= 1;
      if (left === 0 && isAfter) await own.query(text, values);
      if (left <= 0) throw new Killed('killed');
      return own.query(text, values);
    };
    try {
      await work({ query } as unknown as Connection);
    } catch (fault) {
      if (left > 0) throw fault;
      this.figures.killed += 1;
    } finally {
      await own.end();
    }
  }
}

class Killed extends Error {
  override readonly name = 'Killed';
}

async function readAffiliations(): Promise<Map<number, NaiveAffiliation>> {
  const { rows } = await stage.registry.query(
    `select user_id, referrer_id, earning_rate,
       extract(epoch from starts_at) * 1000 as start, extract(epoch from ends_at) * 1000 as end
     from affiliations`,
  );
  return new Map(
    rows.map((row) => [
      Number(row.user_id),
      {
        referrer: Number(row.referrer_id),
        ratePercent: Number(row.earning_rate),
        startMs: Number(row.start),
        endMs: row.end === null ? Number.POSITIVE_INFINITY : Number(row.end),
      },
    ]),
  );
}

/** In order; the ranges are contiguous from the beginning of the log. */
async function readBatches(): Promise<NaiveBatch[]> {
  const { rows } = await stage.registry.query(
    'select id, from_frame, to_frame, prices from referral_batches order by from_frame',
  );
  const assets = new Map<string, number>(ASSETS.map(({ id, symbol }) => [symbol, id]));
  const batches = rows.map(({ from_frame: from, id, prices, to_frame: to }) => ({
    id: Number(id),
    fromFrame: Number(from),
    toFrame: Number(to),
    prices:
      prices === null
        ? undefined
        : new Map(
            Object.entries<string>(prices).map(([symbol, price]) => [assets.get(symbol)!, price]),
          ),
  }));
  let end = 0;
  for (const { fromFrame, toFrame } of batches) {
    assert.equal(fromFrame, end, 'ranges are contiguous');
    end = toFrame;
  }
  return batches;
}
