// Tests every rule on a real PostgreSQL: rows just below each limit find nothing, rows at the limit
// find exactly one thing with its evidence, and a second run finds the same.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import fc from 'fast-check';
import type { UserId } from '../../core/money/index.ts';
import { checkParameters, isLooser, type RuleName } from './rule.ts';
import { RULES, readRules, ruleOf, tryRule } from './surveillance.ts';
import {
  NOON,
  type PlantedWithdrawal,
  SCHEMA,
  SurveillanceForTest,
} from './surveillance-for-test.ts';

const DAY = 24 * 60;

let stage: SurveillanceForTest;
/** User of the current case; `other` is from another family. */
let user: UserId;
let other: UserId;

type Given = () => Promise<unknown>;
/** Score of the only finding; absent if nothing is found. */
type Case = readonly [what: string, given: Given, score?: number];

const band = (count: number, minute = 0) =>
  stage.orders({ user, count, minute, reason: 'price_outside_band' });
const prevented = (of: UserId, count: number, minute = 0, market: 1 | 2 = 1) =>
  stage.orders({ user: of, count, minute, market, reason: 'self_trade_prevented' });
const canceled = (count: number, minute = 0, market: 1 | 2 = 1) =>
  stage.orders({ user, count, minute, market, reason: 'canceled_by_user' });
const resting = (count: number, minute = 0) => stage.orders({ user, count, minute });
/** Three earlier ones of 10 btc, so 100 btc are ten times the usual size. */
async function usual(change: Partial<PlantedWithdrawal> = {}, count = 3): Promise<void> {
  for (let at = 0; at < count; at++) {
    const terms = { user, atoms: 1_000n, minute: -10 * DAY + at, state: 'completed' };
    await stage.withdrawal({ ...terms, ...change });
  }
}
const large = (change: Partial<PlantedWithdrawal> = {}) =>
  stage.withdrawal({ user, atoms: 10_000n, price: '10', ...change });

const cases: Readonly<Record<RuleName, readonly Case[]>> = {
  price_band: [
    ['two within an hour', () => band(2)],
    ['three within an hour', () => band(3), 100],
    ['six within an hour', () => band(6), 200],
    ['three across an hour boundary', () => band(2, -1).then(() => band(1))],
    ['one of them at its first instant', () => band(2, 0).then(() => band(1, 59)), 100],
    [
      'three in two markets',
      () => band(2).then(() => stage.orders({ user, market: 2, reason: 'price_outside_band' })),
    ],
    ['three by two users', () => band(2).then(() => prevented(other, 1))],
    ['orders that ended differently', () => stage.orders({ user, count: 9, reason: 'filled' })],
  ],
  self_trade: [
    ['nine within an hour', () => prevented(user, 9)],
    ['ten within an hour', () => prevented(user, 10), 100],
    ['ten by two users', () => prevented(user, 5).then(() => prevented(other, 5))],
    [
      'ten by two users of a group',
      async () => {
        await stage.group([user, other]);
        await prevented(user, 5);
        await prevented(other, 5);
      },
      100,
    ],
    [
      'ten by two users of two groups',
      async () => {
        await stage.group([user], { group: 7 });
        await stage.group([other], { group: 8 });
        await prevented(user, 5);
        await prevented(other, 5);
      },
    ],
    ['five and five in two markets', () => prevented(user, 5).then(() => prevented(user, 5, 0, 2))],
  ],
  cancel_ratio: [
    ['199 orders, all canceled', () => canceled(199)],
    ['200 orders, 194 canceled', () => canceled(194).then(() => resting(6)), 100],
    ['200 orders, 193 canceled', () => canceled(193).then(() => resting(7))],
    ['388 of 400', () => canceled(388).then(() => resting(12)), 200],
    [
      'orders that were partly filled first',
      () =>
        canceled(193).then(() =>
          stage.orders({ user, count: 7, filledLots: 1, reason: 'canceled_by_user' }),
        ),
    ],
    [
      "orders canceled by the dead man's switch",
      () => stage.orders({ user, count: 200, reason: 'canceled_by_dead_man_switch' }),
      103,
    ],
    [
      'orders canceled by an operator',
      () => stage.orders({ user, count: 200, reason: 'canceled_by_operator' }),
    ],
    ['200 in two windows of ten minutes', () => canceled(100, -1).then(() => canceled(100, 0))],
    ['200 at both ends of one', () => canceled(100, 0).then(() => canceled(100, 9)), 103],
    ['200 in two markets', () => canceled(100).then(() => canceled(100, 0, 2))],
    [
      'a house account',
      () => stage.group([user], { group: 0, isHouse: true }).then(() => canceled(200)),
    ],
  ],
  unusual_withdrawal: [
    ['ten times the usual size', () => usual().then(() => large()), 100],
    ['twenty times', () => usual().then(() => large({ atoms: 20_000n })), 200],
    ['an atom less', () => usual().then(() => large({ atoms: 9_999n, price: '11' }))],
    ['after two withdrawals', () => usual({}, 2).then(() => large())],
    ['after failed ones', () => usual({ state: 'rejected' }).then(() => large())],
    ['after others today', () => usual({ minute: 1 }).then(() => large())],
    ['after very old ones', () => usual({ minute: -90 * DAY }).then(() => large())],
    [
      'after those of almost 90 days',
      () => usual({ minute: -90 * DAY + 1 }).then(() => large()),
      100,
    ],
    ['after those in another currency', () => usual({ currency: 'eth' }).then(() => large())],
    [
      'after those by a sub-account',
      async () => {
        await usual({ user: await stage.user(user) });
        await large();
      },
      100,
    ],
    ['after those by another user', () => usual({ user: other }).then(() => large())],
    ['worth 999.9', () => usual().then(() => large({ price: '9.999' }))],
    ['without a price', () => usual().then(() => stage.withdrawal({ user, atoms: 10_000n })), 100],
    [
      '95% soon after a deposit',
      () => stage.deposit(user, -DAY + 1).then(() => large({ balance: 10_526n })),
      100,
    ],
    ['a little less', () => stage.deposit(user, -DAY + 1).then(() => large({ balance: 10_527n }))],
    ['a day later', () => stage.deposit(user, -DAY).then(() => large({ balance: 10_000n }))],
    ['before a deposit', () => stage.deposit(user, 1).then(() => large({ balance: 10_000n }))],
    [
      'after an uncredited deposit',
      () => stage.deposit(user, -1, 'in_review').then(() => large({ balance: 10_000n })),
    ],
    ['without a deposit', () => large({ balance: 10_000n })],
  ],
  new_country: [
    [
      'soon after a login from a new country',
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, -72 * 60 + 1, 'KP');
        await large();
      },
      100,
    ],
    [
      '72 hours later',
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, -72 * 60, 'KP');
        await large();
      },
    ],
    [
      'before such a login',
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, 1, 'KP');
        await large();
      },
    ],
    [
      'after another login from the new country',
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, -60, 'KP');
        await stage.login(user, -30, 'KP');
        await large();
      },
      100,
    ],
    [
      'a country used long ago',
      async () => {
        await stage.login(user, -300 * DAY, 'KP');
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, -60, 'KP');
        await large();
      },
    ],
    [
      'the first country',
      async () => {
        await stage.login(user, -100 * DAY, '');
        await stage.login(user, -60, 'KP');
        await large();
      },
    ],
    [
      'a failed login',
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(user, -60, 'KP', 'wrong_password');
        await large();
      },
    ],
    [
      "another user's login",
      async () => {
        await stage.login(user, -100 * DAY, 'IT');
        await stage.login(other, -60, 'KP');
        await large();
      },
    ],
  ],
};

describe('surveillance rules', () => {
  before(async () => {
    stage = await SurveillanceForTest.open();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.empty();
    user = await stage.user();
    other = await stage.user();
  });

  for (const [rule, table] of Object.entries(cases)) {
    for (const [what, given, score] of table) {
      test(`${rule}: ${what}`, async () => {
        await given();
        // The withdrawal of another user does not count.
        const changed = await stage.run(5);
        const object = rule.includes('_withdrawal') || rule === 'new_country' ? 'w' : 'm';
        const found = (await stage.found()).map((one) =>
          one.replace(/ (?:(w)ithdrawal \d+|(m)arket \S+)/, ' $1$2'),
        );
        const expected = score === undefined ? [] : [`${rule} ${user} ${object} ${score}`];
        assert.deepEqual(found, expected);
        assert.equal(changed, expected.length);
        const evidence = await stage.evidence();
        assert.equal(await stage.run(5), 0, 'again');
        assert.deepEqual(await stage.evidence(), evidence);
      });
    }
  }

  test('evidence names the rows and the values', async () => {
    await stage.group([user, other]);
    await prevented(user, 6);
    await prevented(other, 5, 59);
    await stage.run(5);
    assert.deepEqual(await stage.evidence(), [
      {
        market: 'btc-usdt',
        from: '2026-11-16T12:00:00.000Z',
        to: '2026-11-16T13:00:00.000Z',
        hits: 11,
        limit: 10,
        group: 7,
        users: [user, other],
        orders: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
      },
    ]);
  });

  test('evidence of canceled orders has the first twenty', async () => {
    await resting(2);
    await canceled(300);
    await stage.run(5);
    assert.deepEqual(await stage.evidence(), [
      {
        market: 'btc-usdt',
        from: '2026-11-16T12:00:00.000Z',
        to: '2026-11-16T12:10:00.000Z',
        placed: 302,
        canceled: 300,
        percent: 99,
        limit: 200,
        limit_percent: 97,
        orders: Array.from({ length: 20 }, (_, at) => at + 3),
      },
    ]);
  });

  test('evidence of a withdrawal has its values', async () => {
    await usual();
    const deposit = await stage.deposit(user, -5);
    const login = await stage.login(user, -DAY, 'IT').then(() => stage.login(user, -9, 'KP'));
    const withdrawal = await large({ atoms: 12_500n, balance: 12_500n });
    await stage.run(5);
    const [first, second] = await stage.evidence();
    const amount = { withdrawal, amount_atoms: '12500', currency: 'btc' };
    assert.deepEqual(
      [first, second].toSorted((one) => ('login' in one ? -1 : 1)),
      [
        { ...amount, login },
        {
          ...amount,
          value: '1250',
          value_currency: 'usdt',
          is_large: true,
          is_emptying: true,
          usual_atoms: '1000',
          earlier_count: 3,
          times_percent: 1250,
          percent_of_balance: 100,
          deposits: [deposit],
        },
      ],
    );
  });

  test('a disabled rule finds nothing, and missed rows are not found later', async () => {
    await stage.pool.query(`update surveillance_rules set is_on = false`);
    await band(3);
    await usual();
    await large();
    assert.equal(await stage.run(5), 0);
    assert.deepEqual(await stage.found(), []);
  });

  test('a run after a long stop catches up', async () => {
    await stage.run(-30 * 60);
    await band(3, -29 * 60);
    await canceled(200, -28 * 60);
    for (let at = 0; at < 20; at++) await stage.run(5);
    assert.deepEqual(await stage.found(), [
      `cancel_ratio ${user} market btc-usdt 103`,
      `price_band ${user} market btc-usdt 100`,
    ]);
  });

  test('orders projected late are found', async () => {
    await stage.run(5);
    await stage.pool.query(`update ${SCHEMA}.projection set projected_to = $1`, [
      new Date(NOON + 5 * 60_000),
    ]);
    await band(3, 20);
    assert.equal(await stage.run(25), 1);
  });

  test('cancel_ratio equals a slow simple model', async () => {
    const order = fc.record({
      of: fc.integer({ min: 0, max: 2 }),
      minute: fc.integer({ min: 0, max: 29 }),
      market: fc.constantFrom<1 | 2>(1, 2),
      reason: fc.constantFrom(null, 'filled', 'canceled_by_user', 'canceled_by_dead_man_switch'),
      filledLots: fc.constantFrom(0, 0, 0, 1),
    });
    const plan = fc.record({
      orders: fc.array(order, { minLength: 20, maxLength: 80 }),
      orders_min: fc.integer({ min: 10, max: 15 }),
      percent_min: fc.integer({ min: 30, max: 70 }),
      window_minutes: fc.constantFrom(5, 7, 10),
    });
    const users = [user, other, await stage.user()];
    await fc.assert(
      fc.asyncProperty(plan, async ({ orders, ...limits }) => {
        await stage.empty();
        for (const { of, ...planted } of orders.toSorted((a, b) => a.minute - b.minute)) {
          await stage.orders({ user: users[of], ...planted });
        }
        const windowMs = limits.window_minutes * 60_000;
        const counts = new Map<string, { placed: number; canceled: number }>();
        for (const { filledLots, market, minute, of, reason } of orders) {
          const start = Math.floor((NOON + minute * 60_000) / windowMs) * windowMs;
          const key = `${users[of]} ${market} ${start}`;
          const count = counts.get(key) ?? { placed: 0, canceled: 0 };
          count.placed += 1;
          if (reason?.startsWith('canceled_by') && filledLots === 0) count.canceled += 1;
          counts.set(key, count);
        }
        const expected = [...counts].flatMap(([key, { canceled: gone, placed }]) =>
          placed >= limits.orders_min && gone / placed >= limits.percent_min / 100
            ? [`${key} ${placed} ${gone}`]
            : [],
        );
        const signs = await ruleOf('cancel_ratio').findSigns(
          { statements: stage.pool, projectionSchema: SCHEMA },
          { ...limits, quiet_hours: 0 },
          { from: new Date(NOON - windowMs), to: new Date(NOON + 60 * 60_000) },
        );
        const found = signs.map(({ begunAt, content, object, user: of }) => {
          const market = object === 'market btc-usdt' ? 1 : 2;
          return `${of} ${market} ${begunAt.getTime()} ${content.placed} ${content.canceled}`;
        });
        assert.deepEqual(found.toSorted(), expected.toSorted());
      }),
      { numRuns: 20 },
    );
  });

  test('parameters are tried on past data, and nothing is written', async () => {
    await band(2, -DAY);
    await band(2, -3 * DAY);
    const trial = { days: 2, nowMs: NOON + 60_000, projectionSchema: SCHEMA } as const;
    const parameters = { window_minutes: 60, hits_min: 2, quiet_hours: 0 };
    const { from, signs, to } = await tryRule(stage.pool, {
      ...trial,
      name: 'price_band',
      parameters,
    });
    assert.deepEqual(
      signs.map(({ user: of, score }) => [of, score]),
      [[user, 100]],
    );
    assert.ok(from.getTime() >= NOON - 2 * DAY * 60_000 && to.getTime() > NOON);
    assert.deepEqual(await stage.found(), []);
    const { rows } = await stage.pool.query('select checked_to from surveillance_rules');
    assert.ok(rows.every(({ checked_to }) => checked_to === null));
  });

  test('every rule starts with parameters in their ranges', async () => {
    for (const { isOn, name, parameters } of await readRules(stage.pool)) {
      assert.ok(isOn);
      assert.deepEqual(checkParameters(ruleOf(name), parameters), parameters, name);
    }
  });

  test('a missing, unknown, invalid or extreme parameter is rejected', () => {
    const right = { window_minutes: 60, hits_min: 3, quiet_hours: 24 };
    const { hits_min: _, ...missing } = right;
    const rule = ruleOf('price_band');
    for (const wrong of [
      missing,
      { ...right, more: 1 },
      { ...missing, more: 1 },
      { ...right, hits_min: 0 },
      { ...right, hits_min: 2.5 },
      { ...right, window_minutes: 1_441 },
      { ...right, hits_min: '3' as unknown as number },
    ]) {
      assert.equal(checkParameters(rule, wrong), undefined, JSON.stringify(wrong));
    }
    assert.equal(checkParameters(rule, right), right);
  });

  test('a change is looser if the rule could find less', () => {
    const start = { window_minutes: 60, hits_min: 3, quiet_hours: 24 };
    const table: [Partial<typeof start>, boolean][] = [
      [{}, false],
      [{ hits_min: 2 }, false],
      [{ hits_min: 4 }, true],
      [{ window_minutes: 61 }, false],
      [{ window_minutes: 59 }, true],
      [{ quiet_hours: 23 }, false],
      [{ quiet_hours: 25 }, true],
      [{ hits_min: 2, quiet_hours: 25 }, true],
    ];
    for (const [change, expected] of table) {
      assert.equal(isLooser(ruleOf('price_band'), start, { ...start, ...change }), expected);
    }
    const days = { days: 90 };
    const rule = { parameters: { days: RULES[3].parameters.days } };
    assert.ok(isLooser(rule, days, { days: 89 }) && isLooser(rule, days, { days: 91 }));
  });
});
