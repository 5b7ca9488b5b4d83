// Tests throttles on PostgreSQL: blocks and their lengths, concurrent attempts, and a simple model.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { Pool } from '../../infra/postgres/index.ts';
import {
  openRegistryForTest,
  type RegistryForTest,
  rotatedVault,
  vault,
} from './registry-for-test.ts';
import {
  addressFailures,
  chargeAddress,
  countAddressFailure,
  dropOldThrottles,
  Throttles,
} from './throttles.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;

let registry: RegistryForTest;
let pool: Pool;
let subjects = 0;

describe('throttles', () => {
  before(async () => {
    registry = await openRegistryForTest();
    pool = registry.pool;
  });
  after(() => registry.close());

  test('a block survives a key rotation, and a reset still clears it', async () => {
    const subject = newSubject();
    for (let failure = 1; failure <= 5; failure++) {
      await Throttles.fail(pool, vault, at(subject, START_MS));
    }
    assert.equal(await Throttles.check(pool, rotatedVault, at(subject, START_MS)), false);
    assert.equal(await Throttles.admit(pool, rotatedVault, at(subject, START_MS)), false);
    assert.equal(await Throttles.succeed(pool, rotatedVault, at(subject, START_MS)), false);
    await Throttles.clear(pool, rotatedVault, at(subject, START_MS));
    assert.equal(await Throttles.check(pool, rotatedVault, at(subject, START_MS)), true);
    assert.equal(await Throttles.check(pool, vault, at(subject, START_MS)), true);
  });

  test('five failures block 5 minutes, then twice as long, at most an hour', async () => {
    const subject = newSubject();
    let nowMs = START_MS;
    const blockedMinutes: number[] = [];
    for (let block = 1; block <= 19; block++) {
      for (let failure = 1; failure <= 5; failure++) {
        const counted = await Throttles.fail(pool, vault, { scope: 'account', subject, nowMs });
        assert.deepEqual(counted, { attemptsLeft: 5 - failure });
      }
      let minutes = 0;
      while (!(await Throttles.check(pool, vault, at(subject, nowMs + minutes * MINUTE_MS)))) {
        minutes += 5;
      }
      blockedMinutes.push(minutes);
      nowMs += minutes * MINUTE_MS;
    }
    assert.deepEqual(blockedMinutes.slice(0, 6), [5, 10, 20, 40, 60, 60]);
    assert.equal(blockedMinutes.at(-1), 60);

    for (let failure = 96; failure <= 100; failure++) {
      await Throttles.fail(pool, vault, at(subject, nowMs));
    }
    const tenYears = nowMs + 10 * 365 * 86_400_000;
    assert.equal(await Throttles.check(pool, vault, at(subject, tenYears)), false);
    assert.equal(await Throttles.succeed(pool, vault, at(subject, tenYears)), false);
    await Throttles.clear(pool, vault, { scope: 'account', subject });
    assert.equal(await Throttles.check(pool, vault, at(subject, nowMs)), true);
  });

  test('a factor is blocked for at most a day', async () => {
    const counter = { scope: 'factor', subject: newSubject() } as const;
    let nowMs = START_MS;
    for (let failure = 1; failure <= 105; failure++) {
      if (!(await Throttles.check(pool, vault, { ...counter, nowMs }))) nowMs += 60 * MINUTE_MS;
      if (!(await Throttles.check(pool, vault, { ...counter, nowMs })))
        nowMs += 23 * 60 * MINUTE_MS;
      const attemptsLeft = (5 - (failure % 5)) % 5;
      assert.deepEqual(await Throttles.fail(pool, vault, { ...counter, nowMs }), { attemptsLeft });
    }
    const endMs = nowMs + 24 * 60 * MINUTE_MS;
    assert.equal(await Throttles.check(pool, vault, { ...counter, nowMs: endMs - 1 }), false);
    assert.equal(await Throttles.check(pool, vault, { ...counter, nowMs: endMs }), true);
    assert.equal(await Throttles.succeed(pool, vault, { ...counter, nowMs: endMs }), true);
  });

  test('of 100 concurrent failures, five count and the others get no result', async () => {
    const subject = newSubject();
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => Throttles.fail(pool, vault, at(subject, START_MS))),
    );
    assert.equal(outcomes.filter((outcome) => outcome !== 'blocked').length, 5);
    assert.equal(await Throttles.succeed(pool, vault, at(subject, START_MS)), false);
  });

  test('a success clears earlier failures, and scopes do not share them', async () => {
    const subject = newSubject();
    for (let failure = 1; failure <= 4; failure++) {
      await Throttles.fail(pool, vault, at(subject, START_MS));
    }
    const other = { scope: 'device', subject, nowMs: START_MS } as const;
    assert.deepEqual(await Throttles.fail(pool, vault, other), { attemptsLeft: 4 });
    assert.equal(await Throttles.succeed(pool, vault, at(subject, START_MS)), true);
    assert.deepEqual(await Throttles.fail(pool, vault, at(subject, START_MS)), { attemptsLeft: 4 });
  });

  test('an address has ten attempts in two minutes, whatever their result', async () => {
    const budget = { network: '192.0.2.1', attemptsMax: 10 };
    for (let attempt = 1; attempt <= 10; attempt++) {
      assert.equal(await chargeAddress(pool, vault, { ...budget, nowMs: START_MS }), 0);
    }
    assert.equal(await chargeAddress(pool, vault, { ...budget, nowMs: START_MS + 30_000 }), 90);
    assert.equal(await chargeAddress(pool, vault, { ...budget, nowMs: START_MS + 119_999 }), 1);
    assert.equal(await chargeAddress(pool, vault, { ...budget, nowMs: START_MS + 120_000 }), 0);
  });

  test('abuse 1: the networks of one /48 share a larger budget and their failures', async () => {
    const networkOf = (at: number) => `2001:db8:1:${at.toString(16)}::/64`;
    const charge = (at: number) =>
      chargeAddress(pool, vault, { network: networkOf(at), attemptsMax: 2, nowMs: START_MS });
    const waits = [];
    for (let at = 1; at <= 17; at++) waits.push(await charge(at));
    assert.deepEqual(waits, [...Array(16).fill(0), 120]);
    const elsewhere = { network: '2001:db8:2:1::/64', attemptsMax: 2, nowMs: START_MS };
    assert.equal(await chargeAddress(pool, vault, elsewhere), 0);
    for (let at = 1; at <= 24; at++) {
      await countAddressFailure(pool, vault, { network: networkOf(at), nowMs: START_MS });
    }
    const failures = (at: number) =>
      addressFailures(pool, vault, { network: networkOf(at), nowMs: START_MS });
    assert.equal(await failures(99), 3);
  });

  test('failures of an address are forgotten after an hour', async () => {
    const network = '192.0.2.2';
    for (let failure = 1; failure <= 3; failure++) {
      await countAddressFailure(pool, vault, { network, nowMs: START_MS });
    }
    const failuresAt = (nowMs: number) => addressFailures(pool, vault, { network, nowMs });
    assert.equal(await failuresAt(START_MS + 3_599_999), 3);
    assert.equal(await failuresAt(START_MS + 3_600_000), 0);
  });

  test('old counters are deleted, except those that block permanently', async () => {
    await pool.query('delete from login_throttles');
    const [forgotten, forever] = [newSubject(), newSubject()];
    await Throttles.fail(pool, vault, at(forgotten, START_MS));
    await Throttles.fail(pool, vault, at(forever, START_MS));
    await pool.query(
      `update login_throttles set failures = 100, blocked_until = 'infinity'
       where subject_mac = $1`,
      [vault.mac('throttle account', forever)],
    );
    assert.equal(await dropOldThrottles(pool, START_MS + 89 * 86_400_000), 0);
    assert.equal(await dropOldThrottles(pool, START_MS + 91 * 86_400_000), 1);
    assert.equal(await Throttles.check(pool, vault, at(forever, START_MS)), false);
    // An address is never blocked permanently, however many failures it had.
    const network = '192.0.2.3';
    for (let failure = 1; failure <= 101; failure++) {
      await countAddressFailure(pool, vault, { network, nowMs: START_MS });
    }
    assert.equal(await dropOldThrottles(pool, START_MS + 91 * 86_400_000), 1);
  });

  test('any sequence of attempts gives the results of a naive model', async () => {
    const step = fc.record({
      act: fc.constantFrom('check', 'fail', 'fail', 'fail', 'succeed', 'clear'),
      waitMinutes: fc.constantFrom(0, 0, 0, 1, 5, 10, 60),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 150 }), async (steps) => {
        const subject = newSubject();
        const model = new NaiveThrottle();
        let nowMs = START_MS;
        for (const { act, waitMinutes } of steps) {
          nowMs += waitMinutes * MINUTE_MS;
          const found = await Throttles[act](pool, vault, at(subject, nowMs));
          assert.deepEqual(found, model[act](nowMs));
        }
      }),
      { numRuns: 30 },
    );
  });
});

/** Stores every failure in a list, and computes everything from it. */
class NaiveThrottle {
  #failures: number[] = [];

  check(nowMs: number): boolean {
    const count = this.#failures.length;
    if (count === 0 || count % 5 !== 0) return true;
    if (count >= 100) return false;
    const minutes = [5, 10, 20, 40][count / 5 - 1] ?? 60;
    return nowMs >= this.#failures[count - 1] + minutes * MINUTE_MS;
  }

  fail(nowMs: number): { attemptsLeft: number } | 'blocked' {
    if (!this.check(nowMs)) return 'blocked';
    this.#failures.push(nowMs);
    return { attemptsLeft: (5 - (this.#failures.length % 5)) % 5 };
  }

  succeed(nowMs: number): boolean {
    if (!this.check(nowMs)) return false;
    this.#failures = [];
    return true;
  }

  clear(_nowMs: number): undefined {
    this.#failures = [];
    return undefined;
  }
}

function newSubject(): string {
  subjects += 1;
  return `someone${subjects}@example.com`;
}

function at(subject: string, nowMs: number) {
  return { scope: 'account', subject, nowMs } as const;
}
