// Tests that the total of all balances costs at most a tenth of the database's time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { type Dependencies, JsonText } from '../../../platform/http/index.ts';
import { getTotalBalance } from './total-balance.ts';

const READ_MS = 300;

function world() {
  const clock = new FakeClock(0);
  let reads = 0;
  let isAway = false;
  const registry = {
    async query() {
      reads += 1;
      clock.advance(READ_MS);
      if (isAway) throw new Error('away');
      return {
        rows: [
          {
            asset_id: '1',
            available_atoms: `${reads}`,
            held_atoms: '0',
            updated_at: new Date(0),
          },
        ],
      };
    },
  };
  const dependencies = {
    clock,
    registry,
    fresh: { untilFresh: async () => true },
    exchange: { projectionSchema: 'tables' },
    catalogue: { now: { assetsById: new Map([[1, { asset: 1, symbol: 'btc', scale: 0 }]]) } },
  } as unknown as Dependencies;
  const total = async () => {
    const answer = await getTotalBalance(undefined, dependencies);
    assert.ok(answer instanceof JsonText);
    return JSON.parse(answer.text).btc_balance as number;
  };
  return { clock, total, setAway: (away: boolean) => void (isAway = away) };
}

test('concurrent calls share one total, cached for ten times its duration', async () => {
  const { clock, total } = world();
  assert.deepEqual(await Promise.all([total(), total(), total()]), [1, 1, 1]);
  clock.advance(10 * READ_MS - 1);
  assert.equal(await total(), 1);
  clock.advance(1);
  assert.equal(await total(), 2);
});

test('a failed total is not cached', async () => {
  const { setAway, total } = world();
  setAway(true);
  await assert.rejects(total(), /away/);
  setAway(false);
  assert.equal(await total(), 2);
});
