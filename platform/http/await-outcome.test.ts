// A gateway turns the outcome of a command into its answer.

import assert from 'node:assert/strict';
import { test } from 'node:test';
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

const refused = (refusal: string) =>
  dependencies({ outcome: { state: 'refused', refusal, frame: 9 } });

test('a refusal is thrown with its name', async () => {
  await assert.rejects(awaitOutcome(refused('band_out_of_range'), REPEATABLE), {
    key: 'command_refused',
    details: { refusal: 'band_out_of_range' },
  });
});

test('too small a balance is another error for money than for orders', async () => {
  const given = refused('available_balance_too_small');
  await assert.rejects(awaitOutcome(given, MONEY), { key: 'balance_too_small' });
  await assert.rejects(awaitOutcome(given, REPEATABLE), { key: 'available_balance_too_small' });
});

test('a repeatable command is done when the tables show it', async () => {
  assert.equal(await awaitOutcome(dependencies(), REPEATABLE), ACCEPTED);
  assert.equal(await awaitOutcome(dependencies({ isProjected: false }), REPEATABLE), undefined);
  assert.equal(await awaitOutcome(dependencies({ isProjected: false }), MONEY), ACCEPTED);
});

test('an outcome that is not known in time is an error where it is required', async () => {
  const given = dependencies({ outcome: null });
  await assert.rejects(requireOutcomes(given, [MONEY]), { key: 'outcome_unknown' });
  await requireOutcomes(dependencies(), [REPEATABLE, MONEY]);
});
