// The codec with every kind of message, every kind of invalid value and every kind of invalid byte.
// Messages are generated from the layouts, so a new kind or field is covered automatically.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { CommandNumber, TimeMs } from '../money/index.ts';
import { CodecFault, type CodecProblem } from './codec-fault.ts';
import { COMMAND_LAYOUTS } from './command-layout.ts';
import type { Command, PlaceOrder } from './commands.ts';
import { EVENT_LAYOUTS } from './event-layout.ts';
import type { Event } from './events.ts';
import {
  appendCommand,
  appendCommandRecords,
  closeFrame,
  decodeCommandFrame,
  decodeEventFrame,
  encodeCommandFrame,
  encodeEventFrame,
  openCommandFrame,
  outlineFrame,
} from './frame-codec.ts';
import { FRAME_BYTES_MAX } from './frame-limits.ts';
import { FrameWriter } from './frame-writer.ts';
import type { CommandFrame, EventFrame } from './frames.ts';
import { type Layouts, SCHEMA_VERSION, type Wire } from './layout.ts';
import { decodeCommandRecords } from './record-codec.ts';

const safe = fc.oneof(fc.maxSafeNat(), fc.nat(), fc.constantFrom(0, Number.MAX_SAFE_INTEGER));
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('x'.repeat(1_024), 'é'.repeat(512), '\ufeffmark'),
);

const plain = { noNullPrototype: true };

function value(wire: Wire): fc.Arbitrary<unknown> {
  if (typeof wire === 'object') return fc.constantFrom(...wire.list);
  return {
    safe,
    u32: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    atoms: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    bool: fc.boolean(),
    text,
  }[wire];
}

function anyOf<Message>(layouts: Layouts): fc.Arbitrary<Message> {
  const kinds = Object.entries(layouts).map(([kind, { fields }]) => {
    const values = Object.entries(fields).map(([name, field]) => [
      name,
      value(typeof field === 'object' && 'since' in field ? field.wire : field),
    ]);
    return fc.record({ kind: fc.constant(kind), ...Object.fromEntries(values) }, plain);
  });
  return fc.oneof(...kinds) as fc.Arbitrary<Message>;
}

const commandFrame: fc.Arbitrary<CommandFrame> = fc.record(
  {
    sequence: safe,
    epoch: safe,
    timeMs: safe.map((ms) => ms as TimeMs),
    previousHash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    commands: fc.array(anyOf<Command>(COMMAND_LAYOUTS), { maxLength: 8 }),
  },
  plain,
);
const eventFrame: fc.Arbitrary<EventFrame> = fc.record(
  {
    sequence: safe,
    timeMs: safe.map((ms) => ms as TimeMs),
    firstCommand: safe.map((number) => number as CommandNumber),
    events: fc.array(anyOf<Event>(EVENT_LAYOUTS), { maxLength: 8 }),
  },
  plain,
);

const writer = new FrameWriter();

const empty: CommandFrame = {
  sequence: 1,
  epoch: 1,
  timeMs: 0 as TimeMs,
  previousHash: new Uint8Array(32),
  commands: [],
};

/** The problem in the CodecFault. Any other error, or none, fails the test. */
function problemOf(run: () => unknown): CodecProblem {
  try {
    run();
  } catch (fault) {
    if (fault instanceof CodecFault) return fault.problem;
    throw fault;
  }
  assert.fail('expected a CodecFault');
}

test('every frame decodes to the frame that was encoded', () => {
  fc.assert(
    fc.property(commandFrame, (frame) => {
      assert.deepEqual(decodeCommandFrame(encodeCommandFrame(writer, frame)), frame);
    }),
    { numRuns: 300 },
  );
  fc.assert(
    fc.property(eventFrame, (frame) => {
      assert.deepEqual(decodeEventFrame(encodeEventFrame(writer, frame)), frame);
    }),
    { numRuns: 300 },
  );
});

test('a frame decodes from the middle of a larger buffer', () => {
  const [frame] = fc.sample(commandFrame, { numRuns: 1, seed: 1 });
  const encoded = encodeCommandFrame(writer, frame).slice();
  const larger = new Uint8Array(encoded.length + 20).fill(0xff);
  larger.set(encoded, 10);
  assert.deepEqual(decodeCommandFrame(larger.subarray(10, 10 + encoded.length)), frame);
});

test('mutated bytes are a fault, or an older frame, or the canonical encoding of another', () => {
  const olderSchema: [EventFrame, [number, number][]] = [
    { sequence: 0, timeMs: 0 as TimeMs, firstCommand: 0 as CommandNumber, events: [] },
    [[4, 1]],
  ];
  const mutations = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(eventFrame, mutations, (frame, changes) => {
      const bytes = encodeEventFrame(writer, frame).slice();
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
      let decoded: EventFrame;
      try {
        decoded = decodeEventFrame(bytes);
      } catch (fault) {
        assert.ok(fault instanceof CodecFault, String(fault));
        return;
      }
      const encoded = encodeEventFrame(writer, decoded).slice();
      // Frames are always encoded with the current schema.
      if (outlineFrame(bytes).schemaVersion === SCHEMA_VERSION) assert.deepEqual(encoded, bytes);
      else assert.deepEqual(decodeEventFrame(encoded), decoded);
    }),
    { numRuns: 1_000, examples: [olderSchema] },
  );
});

test('a truncated or extended frame is a fault', () => {
  fc.assert(
    fc.property(commandFrame, fc.nat(), fc.uint8Array({ minLength: 1 }), (frame, cut, tail) => {
      const bytes = encodeCommandFrame(writer, frame).slice();
      const short = bytes.subarray(0, cut % bytes.length);
      assert.equal(
        problemOf(() => decodeCommandFrame(short)),
        'truncated',
      );
      const long = new Uint8Array([...bytes, ...tail]);
      assert.equal(
        problemOf(() => decodeCommandFrame(long)),
        'trailing_bytes',
      );
    }),
  );
});

test('random bytes, alone or after a valid header, are a fault', () => {
  const header = encodeCommandFrame(writer, empty).slice();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat({ max: 300 }), (bytes, count) => {
      problemOf(() => decodeCommandFrame(bytes));
      problemOf(() => decodeEventFrame(bytes));
      const framed = new Uint8Array([...header, ...bytes]);
      const view = new DataView(framed.buffer);
      view.setUint32(6, framed.length, true);
      view.setUint32(10, count + 1, true);
      problemOf(() => decodeCommandFrame(framed));
    }),
    { numRuns: 500 },
  );
});

const place = {
  kind: 'PlaceOrder',
  source: 1,
  number: 2,
  user: 3,
  key: 4,
  market: 1,
  side: 'buy',
  type: 'limit',
  timeInForce: 'GTC',
  selfTrade: 'cancel_newest',
  postOnly: false,
  priceTicks: 6,
  sizeLots: 7,
  stopTicks: 0,
  clientOrderId: 'a',
  note: '',
  trigger: 'stop',
  linkedOrder: 0,
  expiresMs: 0,
} as PlaceOrder;

test('a value that cannot be encoded is a fault and leaves the frame unchanged', () => {
  const wrong: readonly [object, CodecProblem][] = [
    [{ number: -1 }, 'out_of_range'],
    [{ number: 0.5 }, 'out_of_range'],
    [{ number: Number.NaN }, 'out_of_range'],
    [{ number: 2 ** 53 }, 'out_of_range'],
    [{ number: undefined }, 'out_of_range'],
    [{ number: '1' }, 'out_of_range'],
    [{ user: -1 }, 'out_of_range'],
    [{ user: 2 ** 32 }, 'out_of_range'],
    [{ side: 'both' }, 'unknown_word'],
    [{ note: 'x'.repeat(1_025) }, 'text_too_long'],
    [{ note: 'é'.repeat(513) }, 'text_too_long'],
    [{ note: '\ud800' }, 'text_not_unicode'],
    [{ kind: 'BuyOrder' }, 'unknown_kind'],
  ];
  openCommandFrame(writer, empty);
  appendCommand(writer, place);
  for (const [change, problem] of wrong) {
    const command = { ...place, ...change } as Command;
    assert.equal(
      problemOf(() => appendCommand(writer, command)),
      problem,
      JSON.stringify(change),
    );
  }
  appendCommand(writer, place);
  assert.deepEqual(decodeCommandFrame(closeFrame(writer)).commands, [place, place]);

  const mint = { kind: 'MintAsset', source: 1, number: 1, channel: 1, channelSequence: 1 };
  const amounts = { user: 1, asset: 1, amountAtoms: 2n ** 63n, reference: '' };
  openCommandFrame(writer, empty);
  const tooLarge = { ...mint, ...amounts } as Command;
  assert.equal(
    problemOf(() => appendCommand(writer, tooLarge)),
    'out_of_range',
  );
  const header = { ...empty, previousHash: new Uint8Array(31) };
  assert.equal(
    problemOf(() => openCommandFrame(writer, header)),
    'out_of_range',
  );
});

test('minus zero is encoded as zero', () => {
  const frame = { ...empty, commands: [{ ...place, priceTicks: -0 } as Command] };
  const bytes = encodeCommandFrame(writer, frame).slice();
  const [command] = decodeCommandFrame(bytes).commands as PlaceOrder[];
  assert.ok(Object.is(command.priceTicks, 0));
});

test('each violated rule of the format is a separate fault', () => {
  const good = encodeCommandFrame(writer, { ...empty, commands: [place] }).slice();
  const record = 88;
  const fields = record + 3;
  // The offset, the new byte, the expected problem.
  const cases: readonly [string, number, number, CodecProblem][] = [
    ['magic', 0, 0x53, 'wrong_magic'],
    ['the magic of events', 3, 0x45, 'wrong_magic'],
    ['schema version', 4, SCHEMA_VERSION + 1, 'newer_schema'],
    ['schema version zero', 4, 0, 'out_of_range'],
    ['count too small', 10, 0, 'trailing_bytes'],
    ['count too large', 10, 2, 'truncated'],
    ['count far too large', 13, 0xff, 'truncated'],
    ['sequence not a number', 21, 0x7f, 'out_of_range'],
    ['more poisoned than a frame may have', 79, 2, 'too_many_records'],
    ['a writer that is not a number', 77, 0x7f, 'out_of_range'],
    ['poisoned beyond the frame', 78, 200, 'truncated'],
    ['a pause that is not a number', 87, 0x7f, 'out_of_range'],
    ['unknown kind', record, 250, 'unknown_kind'],
    ['kind zero', record, 0, 'unknown_kind'],
    ['another kind', record, 3, 'wrong_length'],
    ['record length', record + 1, good[record + 1] + 1, 'wrong_length'],
    ['negative number', fields + 15, 0xc0, 'out_of_range'],
    ['signed zero', fields + 56, 0x80, 'not_canonical'],
    ['side', fields + 28, 2, 'unknown_word'],
    ['post-only', fields + 32, 2, 'not_canonical'],
    ['text length', fields + 58, 0x05, 'text_too_long'],
    ['text length beyond the frame', fields + 58, 0x03, 'truncated'],
    ['text not UTF-8', fields + 59, 0xff, 'text_not_unicode'],
  ];
  for (const [name, at, byte, problem] of cases) {
    const bytes = good.slice();
    bytes[at] = byte;
    assert.equal(
      problemOf(() => decodeCommandFrame(bytes)),
      problem,
      name,
    );
  }
  assert.equal(
    problemOf(() => decodeEventFrame(good)),
    'wrong_magic',
  );
  const huge = new Uint8Array(FRAME_BYTES_MAX + 1);
  assert.equal(
    problemOf(() => decodeCommandFrame(huge)),
    'frame_too_large',
  );
});

test('a frame lists its poisoned numbers and rejects invalid ones', () => {
  const named = { ...empty, writer: 77, poisoned: [5, -8_193], commands: [place] };
  assert.deepEqual(decodeCommandFrame(encodeCommandFrame(writer, named).slice()), named);
  for (const number of [0, 0.5, Number.NaN, 2 ** 60]) {
    assert.equal(
      problemOf(() => encodeCommandFrame(writer, { ...named, poisoned: [number] })),
      'out_of_range',
    );
  }
  const bytes = encodeCommandFrame(writer, named).slice();
  bytes.fill(0, 80, 88);
  assert.equal(
    problemOf(() => decodeCommandFrame(bytes)),
    'out_of_range',
  );
  const tooMany = Array.from({ length: 257 }, (_, index) => index + 1);
  assert.equal(
    problemOf(() => encodeCommandFrame(writer, { ...named, poisoned: tooMany })),
    'too_many_records',
  );
});

test('copied records produce the same frame', () => {
  writer.reset();
  for (const command of [place, place]) appendCommand(writer, command);
  const records = { bytes: writer.written().slice(), count: 2 };
  assert.deepEqual(decodeCommandRecords(records), [place, place]);
  openCommandFrame(writer, empty);
  appendCommandRecords(writer, records);
  const taken = closeFrame(writer).slice();
  const commands = [place, place];
  assert.deepEqual(taken, encodeCommandFrame(writer, { ...empty, commands }).slice());

  for (const [wrong, problem] of [
    [{ ...records, count: 1 }, 'trailing_bytes'],
    [{ ...records, count: 3 }, 'truncated'],
    [{ ...records, count: 1_000 }, 'truncated'],
  ] as const) {
    assert.equal(
      problemOf(() => decodeCommandRecords(wrong)),
      problem,
    );
  }
  assert.equal(
    problemOf(() => decodeCommandRecords(records, SCHEMA_VERSION + 1)),
    'newer_schema',
  );
});

test('frames are limited in records and bytes', () => {
  openCommandFrame(writer, empty);
  const cancel = { kind: 'CancelOrder', source: 1, number: 1, user: 1, order: 1, byOperator: true };
  for (let count = 0; count < 65_536; count++) appendCommand(writer, cancel as Command);
  assert.equal(
    problemOf(() => appendCommand(writer, cancel as Command)),
    'too_many_records',
  );
  assert.equal(decodeCommandFrame(closeFrame(writer)).commands.length, 65_536);

  openCommandFrame(writer, empty);
  const long = { ...place, note: 'x'.repeat(1_024) };
  let appended = 0;
  const problem = problemOf(() => {
    for (;;) {
      appendCommand(writer, long);
      appended++;
    }
  });
  assert.equal(problem, 'frame_too_large');
  const bytes = closeFrame(writer);
  assert.ok(bytes.length <= FRAME_BYTES_MAX);
  assert.equal(decodeCommandFrame(bytes).commands.length, appended);
  assert.deepEqual(outlineFrame(bytes), {
    holds: 'commands',
    schemaVersion: SCHEMA_VERSION,
    frameBytes: bytes.length,
  });
});
