// A gateway turns the outcome of a command into its answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../protocol/wire/index.ts';
import type { Ticket } from '../outbox/index.ts';
import { awaitOutcome, requireOutcomes } from './await-outcome.ts';

const MONEY: Ticket = { channel: 11, sequence: 3 };
const REPEATABLE: Ticket = 12;
const ACCEPTED = { state: 'accepted', refusal: 'none', frame: 9 };

function dependencies({ isProjected = true, outcome = ACCEPTED as object | null } = {}) {
  return {
    fresh: { untilFrame: async (frame: number) => isProjected && frame === 9 },
    outcomes: { wait: async () => outcome ?? undefined },
  } as never;
}

const keyOf = (result: unknown) => (result instanceof Refused ? result.key : result);

const refused = (refusal: string) =>
  dependencies({ outcome: { state: 'refused', refusal, frame: 9 } });

test("a refusal has the engine's name for it", async () => {
  assert.deepEqual(
    await awaitOutcome(refused('band_out_of_range'), REPEATABLE),
    new Refused('command_refused', { refusal: 'band_out_of_range' }),
  );
});

test('an insufficient balance is a different error for money than for orders', async () => {
  const given = refused('available_balance_too_small');
  assert.equal(keyOf(await awaitOutcome(given, MONEY)), 'balance_too_small');
  assert.equal(keyOf(await awaitOutcome(given, REPEATABLE)), 'available_balance_too_small');
});

test('a repeatable command is done when the tables contain it', async () => {
  assert.equal(await awaitOutcome(dependencies(), REPEATABLE), ACCEPTED);
  assert.equal(await awaitOutcome(dependencies({ isProjected: false }), REPEATABLE), undefined);
  assert.equal(await awaitOutcome(dependencies({ isProjected: false }), MONEY), ACCEPTED);
});

test('an outcome that is unknown after the timeout is an error where it is required', async () => {
  const given = dependencies({ outcome: null });
  assert.equal(keyOf(await requireOutcomes(given, [MONEY])), 'outcome_unknown');
  assert.equal(await requireOutcomes(dependencies(), [REPEATABLE, MONEY]), undefined);
});
