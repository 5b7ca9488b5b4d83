// Waiters get the outcome of their command by message, by poll, or not in time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import { FakeClock } from '../../infra/process/clock-for-test.ts';
import type { Ticket } from './enqueue.ts';
import { encodeOutcome, type OutboxOutcome, OutboxOutcomes } from './outbox-outcomes.ts';

const POSITION = { channel: 11, sequence: 3 };
const DONE = { state: 'accepted', refusal: 'none', frame: 9 } as const;
const OF_POSITION = { ...POSITION, ...DONE };
const OF_COMMAND = { id: 12, ...DONE };

function waitFor(ticket: Ticket) {
  const clock = new FakeClock();
  const bus = new MemoryBus();
  const tables: { outbox: object[]; engine_commands: object[] } = {
    outbox: [],
    engine_commands: [],
  };
  const read = new Set<string>();
  const faults: unknown[] = [];
  const outcomes = new OutboxOutcomes({
    bus,
    clock,
    exchange: 'rialto',
    statements: {
      query: async (text: string) => {
        const table = text.includes('engine_commands') ? 'engine_commands' : 'outbox';
        read.add(table);
        return { rows: tables[table] };
      },
    } as never,
    onFault: (fault) => void faults.push(fault),
  });
  const outcome = outcomes.wait(ticket);
  const publish = (one: OutboxOutcome) => bus.deliver('rialto.outbox.settled', encodeOutcome(one));
  return { bus, clock, faults, outcome, outcomes, publish, read, tables };
}

for (const [ticket, own, other, table] of [
  [POSITION, OF_POSITION, { ...OF_POSITION, sequence: 4 }, 'outbox'],
  [12, OF_COMMAND, { ...OF_COMMAND, id: 1 }, 'engine_commands'],
] as const) {
  const what = JSON.stringify(ticket);

  test(`${what}: its message ends the wait, and messages for others do not`, async () => {
    const { clock, outcome, publish, read } = waitFor(ticket);
    await clock.pass(0);
    publish(other);
    assert.equal(await Promise.race([outcome, clock.pass(0)]), undefined);
    publish(own);
    assert.deepEqual(await outcome, own);
    assert.deepEqual([...read], [table], 'no other table is read');
  });

  test(`${what}: a lost message costs a poll`, async () => {
    const { clock, outcome, tables } = waitFor(ticket);
    await clock.pass(0);
    tables[table].push({ ...own, refusal: null });
    await clock.pass(1_000);
    assert.deepEqual(await outcome, own);
  });
}

test('a position and a command with the same number are different tickets', async () => {
  const { clock, outcomes, publish } = waitFor(POSITION);
  const second = outcomes.wait(11);
  await clock.pass(0);
  publish(OF_POSITION);
  assert.equal(await Promise.race([second, clock.pass(0)]), undefined);
  publish({ ...OF_COMMAND, id: 11 });
  assert.equal((await second)?.state, 'accepted');
});

test('a wait wakes the dispatcher and ends after ten seconds without an outcome', async () => {
  const { bus, clock, outcome } = waitFor(12);
  assert.deepEqual(
    bus.messages.map(({ subject }) => subject),
    ['rialto.outbox.waiting'],
  );
  for (let step = 0; step < 11; step++) await clock.pass(1_000);
  assert.equal(await outcome, undefined);
});

test('malformed messages are ignored', async () => {
  const { bus, clock, outcome } = waitFor(12);
  await clock.pass(0);
  for (const text of ['', '{}', '12', '{"id":12}', '{"id":"12","state":"accepted"}']) {
    bus.deliver('rialto.outbox.settled', Buffer.from(text));
  }
  assert.equal(await Promise.race([outcome, clock.pass(0)]), undefined);
});
