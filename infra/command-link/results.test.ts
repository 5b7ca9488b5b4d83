// Replies of a leader: results and refusals round-trip, and other messages are rejected without an
// exception.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { appendEvent, type Event, FrameWriter, REFUSALS } from '../../core/messages/index.ts';
import type { CommandNumber, MarketId, OrderNumber } from '../../core/money/index.ts';
import {
  BATCH_REFUSALS,
  type CommandResult,
  decodeReply,
  encodeBatchRefused,
  eventsOf,
  type Results,
  type ResultsHeader,
  ResultsWriter,
} from './results.ts';

const HEADER: ResultsHeader = {
  epoch: 3,
  sequence: 70,
  timeMs: 1_700_000_000_123,
  commandsApplied: 9_000,
};

const EVENTS: Event[] = [
  { kind: 'CommandPoisoned', command: 8_999 as CommandNumber, market: 1 as MarketId, channel: 2 },
  {
    kind: 'CommandRefused',
    command: 9_000 as CommandNumber,
    refusal: 'client_order_id_already_used',
    order: 17 as OrderNumber,
  },
];

const RESULTS: CommandResult[] = [
  {
    number: 1,
    command: 8_999,
    refusal: 'none',
    order: 0,
    isRepeat: false,
    hasAllEvents: true,
    eventCount: 1,
  },
  {
    number: 2,
    command: 9_000,
    refusal: 'client_order_id_already_used',
    order: 17,
    isRepeat: false,
    hasAllEvents: true,
    eventCount: 1,
  },
  {
    number: Number.MAX_SAFE_INTEGER,
    command: 4,
    refusal: 'market_is_frozen',
    order: 0,
    isRepeat: true,
    hasAllEvents: false,
    eventCount: 0,
  },
];

function recordOf(event: Event): Uint8Array {
  const writer = new FrameWriter();
  appendEvent(writer, event);
  return new Uint8Array(writer.written());
}

function messageOf(): Uint8Array {
  const records = EVENTS.map(recordOf);
  const eventBytes = records[0].length + records[1].length;
  const writer = new ResultsWriter({ results: RESULTS.length, eventBytes });
  for (const [index, result] of RESULTS.entries()) {
    const at = index < records.length ? writer.addEvents(records[index]) : 0;
    writer.add(result, at, at + (records[index]?.length ?? 0));
  }
  return new Uint8Array(writer.close(HEADER));
}

function resultsIn(message: Uint8Array): Results {
  const reply = decodeReply(message);
  assert.ok(reply?.kind === 'results');
  return reply;
}

test('results round-trip, each with its own events', () => {
  const { kind: _, results, ...header } = resultsIn(messageOf());
  assert.deepEqual(header, HEADER);
  assert.deepEqual(
    results.map(({ message: _, eventsAt: __, eventsEnd: ___, ...result }) => result),
    RESULTS,
  );
  assert.deepEqual(results.map(eventsOf), [[EVENTS[0]], [EVENTS[1]], []]);
});

test('results inside a larger buffer round-trip', () => {
  const message = messageOf();
  const buffer = Buffer.alloc(message.length + 20, 0xdd);
  buffer.set(message, 10);
  const { results } = resultsIn(buffer.subarray(10, 10 + message.length));
  assert.deepEqual(results.map(eventsOf), [[EVENTS[0]], [EVENTS[1]], []]);
});

test('every refusal round-trips', () => {
  const writer = new ResultsWriter({ results: REFUSALS.length, eventBytes: 0 });
  for (const [index, refusal] of REFUSALS.entries()) {
    writer.add({ ...RESULTS[0], number: index, refusal, eventCount: 0 }, 0, 0);
  }
  const { results } = resultsIn(writer.close(HEADER));
  assert.deepEqual(
    results.map(({ refusal }) => refusal),
    [...REFUSALS],
  );
});

test('a message without results is valid', () => {
  const writer = new ResultsWriter({ results: 0, eventBytes: 0 });
  assert.deepEqual(resultsIn(writer.close(HEADER)), { kind: 'results', ...HEADER, results: [] });
});

test('a refused batch round-trips for every reason', () => {
  for (const reason of BATCH_REFUSALS) {
    const refused = { kind: 'batch-refused', epoch: 7, batch: 123_456_789_012, reason } as const;
    assert.deepEqual(decodeReply(encodeBatchRefused(refused)), refused);
  }
});

test('a truncated or overlong message is rejected', () => {
  const results = messageOf();
  for (let length = 0; length < results.length; length++) {
    assert.equal(decodeReply(results.subarray(0, length)), undefined, `${length} bytes`);
  }
  const refused = encodeBatchRefused({ kind: 'batch-refused', epoch: 7, batch: 1, reason: 'busy' });
  for (let length = 0; length < refused.length; length++) {
    assert.equal(decodeReply(refused.subarray(0, length)), undefined, `${length} bytes`);
  }
  assert.equal(decodeReply(Uint8Array.of(...refused, 0)), undefined);
});

test('an unknown reason or refusal, or an invalid range, is rejected', () => {
  const refused = encodeBatchRefused({ kind: 'batch-refused', epoch: 7, batch: 1, reason: 'busy' });
  refused[24] = BATCH_REFUSALS.length;
  assert.equal(decodeReply(refused), undefined);

  const spoiled: [name: string, spoil: (view: DataView) => void][] = [
    ['an unknown refusal', (view) => view.setUint8(40 + 36, REFUSALS.length)],
    ['events that end before they start', (view) => view.setUint32(40 + 28, 1, true)],
    ['events beyond the message', (view) => view.setUint32(40 + 28, view.byteLength + 1, true)],
    ['more rows than the message holds', (view) => view.setUint32(4, 0xffff_ffff, true)],
    ['a different first byte', (view) => view.setUint8(0, 0)],
  ];
  for (const [name, spoil] of spoiled) {
    const message = messageOf();
    spoil(new DataView(message.buffer));
    assert.equal(decodeReply(message), undefined, name);
  }
});

test('decoding arbitrary bytes never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.equal(decodeReply(bytes), undefined);
    }),
  );
  const message = messageOf();
  fc.assert(
    fc.property(fc.nat({ max: message.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, to) => {
      const damaged = new Uint8Array(message);
      damaged[at] ^= to;
      const reply = decodeReply(damaged);
      if (reply === undefined) return;
      assert.ok(reply.kind === 'results');
      assert.ok(Number.isSafeInteger(reply.commandsApplied) && reply.commandsApplied >= 0);
    }),
    { numRuns: 500 },
  );
});
