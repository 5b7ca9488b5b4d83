// A gateway waits for the outcome of an operator's command: by message, by poll, and not for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../../../infra/bus/bus-for-test.ts';
import { FakeClock } from '../../../infra/process/clock-for-test.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { allowed } from '../act-for-test.ts';
import { awaitEngineCommand } from './await-engine-command.ts';

const WAITS = { state: 'waiting', refusal: null, frame: null, command_number: null, listed: null };
const DONE = { state: 'accepted', refusal: null, frame: '9', command_number: '4', listed: null };

function waitFor(isProjected = true) {
  const clock = new FakeClock();
  const bus = new MemoryBus();
  const found = { row: WAITS as object };
  const outcome = awaitEngineCommand(
    {
      clock,
      bus,
      exchange: { exchange: 'rialto' },
      fresh: { untilFrame: async (frame: number) => isProjected && frame === 9 },
      outcomes: { wakeDispatcher: () => {} },
      registry: { query: async () => ({ rows: [found.row] }) },
    } as never,
    12,
  );
  return { bus, clock, found, outcome };
}

const announce = (bus: MemoryBus, id: number) =>
  bus.deliver('rialto.engine-commands.settled', Buffer.from(`${id}`));

test('the message about it ends the wait; those about others do not', async () => {
  const { bus, clock, found, outcome } = waitFor();
  await clock.pass(0);
  found.row = DONE;
  announce(bus, 1);
  assert.equal(await Promise.race([outcome, clock.pass(0)]), undefined);
  announce(bus, 12);
  assert.equal(allowed(await outcome)?.command, 4);
  assert.deepEqual([bus.subjects, clock.pendingCount], [[], 0]);
});

test('a lost message costs a poll', async () => {
  const { clock, found, outcome } = waitFor();
  await clock.pass(0);
  found.row = DONE;
  await clock.pass(250);
  assert.equal(allowed(await outcome)?.state, 'accepted');
});

test('a refusal names its reason', async () => {
  const { bus, clock, found, outcome } = waitFor();
  await clock.pass(0);
  found.row = { ...DONE, state: 'refused', refusal: 'band_out_of_range' };
  announce(bus, 12);
  const refused = new Refused('command_refused', { refusal: 'band_out_of_range' });
  assert.deepEqual(await outcome, refused);
});

test('after ten seconds the outcome is open, and the wait ends', async () => {
  const { clock, outcome } = waitFor();
  for (let step = 0; step < 45; step++) await clock.pass(250);
  assert.equal(await outcome, undefined);
});

test('tables that lag are not read', async () => {
  const { bus, clock, found, outcome } = waitFor(false);
  await clock.pass(0);
  found.row = DONE;
  announce(bus, 12);
  assert.equal(await outcome, undefined);
});
