// What gateways are told of a frame: each of its own commands only, what came of them, and the
// events they caused as far as those were sent along.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { Command, CommandFrame, Event, EventFrame } from '../../core/messages/index.ts';
import type {
  AssetId,
  Atoms,
  CommandNumber,
  MarketId,
  OrderNumber,
  TimeMs,
  UserId,
} from '../../core/money/index.ts';
import {
  decodeReply,
  eventsOf,
  RESULT_EVENT_BYTES_MAX,
  type ReceivedResult,
  type Results,
  type ResultsHeader,
} from '../../infra/command-link/index.ts';
import { type Applied, EVENT_PART_BYTES, encodeEvents } from '../../infra/replica/index.ts';
import { frameResults } from './frame-results.ts';
import type { QueuedBatch } from './intake.ts';

const FIRST_COMMAND = 501;
const HEADER: ResultsHeader = { epoch: 3, sequence: 9, timeMs: 1_000, commandsApplied: 600 };
const REFERENCE = 'x'.repeat(1_000);
/** A deposit with that reference, as it is encoded, and how many of them fill a part. */
const DEPOSIT_BYTES = 1_029;
const PER_PART = Math.ceil((EVENT_PART_BYTES - 38) / DEPOSIT_BYTES);

let amounts = 0n;

function deposit(command: number): Event {
  const money = { user: 1 as UserId, asset: 1 as AssetId, amountAtoms: ++amounts as Atoms };
  const cause = command as CommandNumber;
  return { kind: 'DepositCredited', command: cause, ...money, reference: REFERENCE };
}

/** What a command caused, by what is said of it. */
type Fate = number | 'refused' | 'repeated' | 'poisoned';

function eventsFor(fate: Fate, command: number): Event[] {
  const cause = command as CommandNumber;
  if (typeof fate === 'number') return Array.from({ length: fate }, () => deposit(command));
  if (fate === 'refused') {
    const refusal = 'client_order_id_already_used';
    return [{ kind: 'CommandRefused', command: cause, refusal, order: 77 as OrderNumber }];
  }
  if (fate === 'poisoned') {
    return [{ kind: 'CommandPoisoned', command: cause, market: 1 as MarketId, channel: 0 }];
  }
  const original = 88 as CommandNumber;
  return [{ kind: 'CommandRepeated', command: cause, original, refusal: 'order_must_exist' }];
}

interface Batch {
  readonly source: number;
  readonly fates: readonly Fate[];
}

interface Told {
  readonly events: readonly Event[];
  /** By gateway, in the order of the messages. */
  readonly results: [source: number, results: Results][];
  /** Of the command at this place of the frame. */
  caused(index: number): Event[];
}

function tell(batches: readonly Batch[], timeEvents: Event[] = []): Told {
  const events = [...timeEvents];
  const queued: QueuedBatch[] = [];
  let index = 0;
  for (const { source, fates } of batches) {
    const commands: Command[] = [];
    for (const fate of fates) {
      events.push(...eventsFor(fate, FIRST_COMMAND + index));
      commands.push({ source, number: 1_000 + index } as Command);
      index++;
    }
    queued.push({ source, commands, records: { bytes: new Uint8Array(0), count: fates.length } });
  }
  const firstCommand = FIRST_COMMAND as CommandNumber;
  const frame: EventFrame = { sequence: 9, timeMs: 1_000 as TimeMs, firstCommand, events };
  const encoded = encodeEvents(frame, index);
  const applied: Applied = { frame: {} as CommandFrame, events: frame, encoded };
  const results = frameResults(applied, queued, HEADER).map(
    ({ message, source }): [number, Results] => {
      const reply = decodeReply(message);
      assert.ok(reply?.kind === 'results');
      return [source, reply];
    },
  );
  const caused = (at: number) => events.filter(({ command }) => command === FIRST_COMMAND + at);
  return { events, results, caused };
}

/** Of the only gateway. */
function resultsOf({ results }: Told): readonly ReceivedResult[] {
  assert.equal(results.length, 1);
  return results[0][1].results;
}

test('each gateway gets one message with its own commands, in their order', () => {
  const { caused, results } = tell([
    { source: 41, fates: [1, 2] },
    { source: 42, fates: [1] },
    { source: 41, fates: [0, 1] },
    { source: 43, fates: [3] },
  ]);
  assert.deepEqual(
    results.map(([source, { results }]) => [source, results.map(({ command }) => command)]),
    [
      [41, [501, 502, 504, 505]],
      [42, [503]],
      [43, [506]],
    ],
  );
  for (const [, { kind: _, results: own, ...header }] of results) {
    assert.deepEqual(header, HEADER);
    for (const result of own) {
      const index = result.command - FIRST_COMMAND;
      assert.equal(result.number, 1_000 + index);
      assert.deepEqual(eventsOf(result), caused(index));
      assert.equal(result.hasAllEvents, true);
    }
  }
});

const FATES: Record<string, { fate: Fate; found: Partial<ReceivedResult> }> = {
  accepted: {
    fate: 2,
    found: { command: 502, refusal: 'none', order: 0, isRepeat: false, hasAllEvents: true },
  },
  'accepted without an event': {
    fate: 0,
    found: { command: 502, refusal: 'none', hasAllEvents: true, eventCount: 0 },
  },
  'refused for an order that is there': {
    fate: 'refused',
    found: { command: 502, refusal: 'client_order_id_already_used', order: 77, isRepeat: false },
  },
  poisoned: {
    fate: 'poisoned',
    found: { command: 502, refusal: 'command_is_poisoned', order: 0, hasAllEvents: true },
  },
  // It is told what came of the first copy; the events of that are not here.
  'sent before': {
    fate: 'repeated',
    found: { command: 88, refusal: 'order_must_exist', isRepeat: true, hasAllEvents: false },
  },
};

for (const [name, { fate, found }] of Object.entries(FATES)) {
  test(`a command that was ${name} is told so, and its neighbours are not`, () => {
    const told = tell([{ source: 41, fates: [1, fate, 1] }]);
    const [before, result, after] = resultsOf(told);
    assert.deepEqual({ ...result, ...found }, result);
    assert.deepEqual(eventsOf(result), told.caused(1));
    for (const [neighbour, index] of [
      [before, 0],
      [after, 2],
    ] as const) {
      assert.deepEqual([neighbour.refusal, neighbour.isRepeat], ['none', false]);
      assert.deepEqual(eventsOf(neighbour), told.caused(index));
    }
  });
}

test('what time brought about is told to no gateway', () => {
  const told = tell([{ source: 41, fates: [1] }], [deposit(0), deposit(0)]);
  assert.deepEqual(eventsOf(resultsOf(told)[0]), told.caused(0));
});

test('events beyond the end of a part are not sent, and the result says so', () => {
  const told = tell([{ source: 41, fates: [1, 1, PER_PART, 1] }]);
  const results = resultsOf(told);
  assert.deepEqual(
    results.map(({ eventCount, hasAllEvents }) => [eventCount, hasAllEvents]),
    // The third is cut by the end of the part; the fourth stands in the next.
    [
      [1, true],
      [1, true],
      [PER_PART - 2, false],
      [0, false],
    ],
  );
  assert.deepEqual(eventsOf(results[1]), told.caused(1));
  assert.deepEqual(eventsOf(results[2]), told.caused(2).slice(0, PER_PART - 2));
  assert.deepEqual(
    results.map(({ refusal }) => refusal),
    ['none', 'none', 'none', 'none'],
  );
});

test('a batch whose events begin in a later part has them', () => {
  const told = tell([
    { source: 41, fates: [PER_PART] },
    { source: 42, fates: [0, 2, 1] },
  ]);
  const [, [, { results }]] = told.results;
  assert.deepEqual(
    results.map(({ eventCount, hasAllEvents }) => [eventCount, hasAllEvents]),
    [
      [0, true],
      [2, true],
      [1, true],
    ],
  );
  assert.deepEqual(eventsOf(results[1]), told.caused(1 + 1));
  assert.deepEqual(eventsOf(results[2]), told.caused(1 + 2));
});

test('a gateway gets no more events than fit its message, however many batches it sent', () => {
  const half = Math.floor(PER_PART / 2);
  const batches = Array.from({ length: 6 }, () => ({ source: 41, fates: [half, 1] }));
  const told = tell([...batches, { source: 42, fates: [half] }]);
  const [[, { results }], [, { results: others }]] = told.results;
  const [{ message }] = results;
  assert.ok(message.length < RESULT_EVENT_BYTES_MAX + 1_000);
  for (const [index, result] of results.entries()) {
    assert.deepEqual(eventsOf(result), told.caused(index).slice(0, result.eventCount));
    assert.ok(!result.hasAllEvents || result.eventCount === told.caused(index).length);
  }
  assert.deepEqual(
    results.map(({ eventCount }) => eventCount),
    [half, 1, half, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.equal(others[0].eventCount, half, 'and another gateway has a message of its own');
});

test('what became of a command is told even where its events are not', () => {
  const told = tell([{ source: 41, fates: [PER_PART + 1, 'refused', 'poisoned', 'repeated'] }]);
  assert.deepEqual(
    resultsOf(told).map(({ command, eventCount, refusal }) => [command, refusal, eventCount]),
    [
      [501, 'none', PER_PART],
      [502, 'client_order_id_already_used', 0],
      [503, 'command_is_poisoned', 0],
      [88, 'order_must_exist', 0],
    ],
  );
});

test('a frame without commands is told to nobody', () => {
  assert.deepEqual(tell([], [deposit(0)]).results, []);
});
