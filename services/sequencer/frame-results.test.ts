// Replies for a frame: each gateway gets only its own commands' outcomes, with the events that fit
// into the message.

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
/** Encoded size of a deposit with that reference, and how many of them fill a part. */
const DEPOSIT_BYTES = 1_029;
const PER_PART = Math.ceil((EVENT_PART_BYTES - 38) / DEPOSIT_BYTES);

let amounts = 0n;

function deposit(command: number): Event {
  const money = { user: 1 as UserId, asset: 1 as AssetId, amountAtoms: ++amounts as Atoms };
  const cause = command as CommandNumber;
  return { kind: 'DepositCredited', command: cause, ...money, reference: REFERENCE };
}

/** Number of events, or an exception. */
type Effect = number | 'refused' | 'repeated' | 'poisoned';

function eventsFor(effect: Effect, command: number): Event[] {
  const cause = command as CommandNumber;
  if (typeof effect === 'number') return Array.from({ length: effect }, () => deposit(command));
  if (effect === 'refused') {
    const refusal = 'client_order_id_already_used';
    return [{ kind: 'CommandRefused', command: cause, refusal, order: 77 as OrderNumber }];
  }
  if (effect === 'poisoned') {
    return [{ kind: 'CommandPoisoned', command: cause, market: 1 as MarketId, channel: 0 }];
  }
  const original = 88 as CommandNumber;
  return [{ kind: 'CommandRepeated', command: cause, original, refusal: 'order_must_exist' }];
}

interface Batch {
  readonly source: number;
  readonly effects: readonly Effect[];
}

interface Told {
  readonly events: readonly Event[];
  /** Results by gateway, in the order of the messages. */
  readonly results: [source: number, results: Results][];
  /** Returns the events of the command at this index in the frame. */
  caused(index: number): Event[];
}

function replyTo(batches: readonly Batch[], timeEvents: Event[] = []): Told {
  const events = [...timeEvents];
  const queued: QueuedBatch[] = [];
  let index = 0;
  for (const { source, effects } of batches) {
    const commands: Command[] = [];
    for (const effect of effects) {
      events.push(...eventsFor(effect, FIRST_COMMAND + index));
      commands.push({ source, number: 1_000 + index } as Command);
      index++;
    }
    queued.push({
      sender: 'gateway-http',
      source,
      commands,
      records: { bytes: new Uint8Array(0), count: effects.length },
      queuedAtMs: 0,
    });
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

/** Returns the results for the only gateway. */
function resultsOf({ results }: Told): readonly ReceivedResult[] {
  assert.equal(results.length, 1);
  return results[0][1].results;
}

test('each gateway gets one message with its own commands, in their order', () => {
  const { caused, results } = replyTo([
    { source: 41, effects: [1, 2] },
    { source: 42, effects: [1] },
    { source: 41, effects: [0, 1] },
    { source: 43, effects: [3] },
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

const FATES: Record<string, { effect: Effect; found: Partial<ReceivedResult> }> = {
  accepted: {
    effect: 2,
    found: { command: 502, refusal: 'none', order: 0, isRepeat: false, hasAllEvents: true },
  },
  'accepted without an event': {
    effect: 0,
    found: { command: 502, refusal: 'none', hasAllEvents: true, eventCount: 0 },
  },
  'refused for an existing order': {
    effect: 'refused',
    found: { command: 502, refusal: 'client_order_id_already_used', order: 77, isRepeat: false },
  },
  poisoned: {
    effect: 'poisoned',
    found: { command: 502, refusal: 'command_is_poisoned', order: 0, hasAllEvents: true },
  },
  // Reports the outcome of the first copy without that copy's events.
  'sent before': {
    effect: 'repeated',
    found: { command: 88, refusal: 'order_must_exist', isRepeat: true, hasAllEvents: false },
  },
};

for (const [name, { effect, found }] of Object.entries(FATES)) {
  test(`a command that was ${name} is reported as such, and the adjacent ones are not`, () => {
    const replies = replyTo([{ source: 41, effects: [1, effect, 1] }]);
    const [before, result, after] = resultsOf(replies);
    assert.deepEqual({ ...result, ...found }, result);
    assert.deepEqual(eventsOf(result), replies.caused(1));
    for (const [neighbour, index] of [
      [before, 0],
      [after, 2],
    ] as const) {
      assert.deepEqual([neighbour.refusal, neighbour.isRepeat], ['none', false]);
      assert.deepEqual(eventsOf(neighbour), replies.caused(index));
    }
  });
}

test('events caused by time are sent to no gateway', () => {
  const replies = replyTo([{ source: 41, effects: [1] }], [deposit(0), deposit(0)]);
  assert.deepEqual(eventsOf(resultsOf(replies)[0]), replies.caused(0));
});

test('events beyond the end of a part are not sent, and the result reports it', () => {
  const replies = replyTo([{ source: 41, effects: [1, 1, PER_PART, 1] }]);
  const results = resultsOf(replies);
  assert.deepEqual(
    results.map(({ eventCount, hasAllEvents }) => [eventCount, hasAllEvents]),
    // The end of the part cuts the third event; the fourth is in the next part.
    [
      [1, true],
      [1, true],
      [PER_PART - 2, false],
      [0, false],
    ],
  );
  assert.deepEqual(eventsOf(results[1]), replies.caused(1));
  assert.deepEqual(eventsOf(results[2]), replies.caused(2).slice(0, PER_PART - 2));
  assert.deepEqual(
    results.map(({ refusal }) => refusal),
    ['none', 'none', 'none', 'none'],
  );
});

test('a batch whose events begin in a later part gets its events', () => {
  const replies = replyTo([
    { source: 41, effects: [PER_PART] },
    { source: 42, effects: [0, 2, 1] },
  ]);
  const [, [, { results }]] = replies.results;
  assert.deepEqual(
    results.map(({ eventCount, hasAllEvents }) => [eventCount, hasAllEvents]),
    [
      [0, true],
      [2, true],
      [1, true],
    ],
  );
  assert.deepEqual(eventsOf(results[1]), replies.caused(1 + 1));
  assert.deepEqual(eventsOf(results[2]), replies.caused(1 + 2));
});

test('a gateway gets at most the events that fit its message, from any batches', () => {
  const half = Math.floor(PER_PART / 2);
  const batches = Array.from({ length: 6 }, () => ({ source: 41, effects: [half, 1] }));
  const replies = replyTo([...batches, { source: 42, effects: [half] }]);
  const [[, { results }], [, { results: others }]] = replies.results;
  const [{ message }] = results;
  assert.ok(message.length < RESULT_EVENT_BYTES_MAX + 1_000);
  for (const [index, result] of results.entries()) {
    assert.deepEqual(eventsOf(result), replies.caused(index).slice(0, result.eventCount));
    assert.ok(!result.hasAllEvents || result.eventCount === replies.caused(index).length);
  }
  assert.deepEqual(
    results.map(({ eventCount }) => eventCount),
    [half, 1, half, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  );
  assert.equal(others[0].eventCount, half, 'another gateway has a separate message');
});

test('the outcome of a command is sent even if its events are not', () => {
  const replies = replyTo([
    { source: 41, effects: [PER_PART + 1, 'refused', 'poisoned', 'repeated'] },
  ]);
  assert.deepEqual(
    resultsOf(replies).map(({ command, eventCount, refusal }) => [command, refusal, eventCount]),
    [
      [501, 'none', PER_PART],
      [502, 'client_order_id_already_used', 0],
      [503, 'command_is_poisoned', 0],
      [88, 'order_must_exist', 0],
    ],
  );
});

test('a frame without commands has no replies', () => {
  assert.deepEqual(replyTo([], [deposit(0)]).results, []);
});
