// A leader's intake: each limit at its edge and each refusal. Accepted batches keep their order and
// are never split.

import assert from 'node:assert/strict';
import test from 'node:test';
import { applyFrame, createExchange, type Exchange } from '../../core/engine/index.ts';
import {
  type Command,
  decodeCommandRecords,
  type Event,
  INITIAL_LIMITS,
  RULES_VERSION_MAX,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { AssetId, Atoms, MarketId, TimeMs, UserId } from '../../core/money/index.ts';
import { BatchWriter, decodeBatch } from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import { NO_HASH } from '../../infra/journal/index.ts';
import { splitBatches } from './cut-frame.ts';
import {
  INTAKE_DEFAULTS,
  Intake,
  type IntakeLimits,
  type Memory,
  type QueuedBatch,
  type SentBatch,
} from './intake.ts';
import type { ForbiddenCommand } from './watcher.ts';

const SOURCE = 41;
/** Can send every command in development. */
const SENDER = 'sandbox';
const NOW = { nowMs: 7_000, inFlight: () => [] };
const LIMITS = { commandsApplied: 500, commandWindow: 1_000, forgottenThrough: 0 };
const MEMORY: Memory = { ...LIMITS, ...NOW };
/** Encoded size of cancelAll(). */
const COMMAND_BYTES = 28;

function cancelAll(number: number, source = SOURCE): Command {
  const user = { user: 5 as UserId, market: 0 as MarketId, byOperator: false };
  return { kind: 'CancelAllOrders', source, number, ...user };
}

function deposit(number: number, referenceBytes: number): Command {
  const reference = 'x'.repeat(referenceBytes);
  return {
    kind: 'CreditDeposit',
    source: SOURCE,
    number,
    channel: 1,
    channelSequence: 1,
    user: 5 as UserId,
    asset: 1 as AssetId,
    amountAtoms: 7n as Atoms,
    reference,
  };
}

function batchOf(commands: readonly Command[], floor = 500, source = SOURCE): SentBatch {
  const writer = new BatchWriter();
  for (const command of commands) writer.add(command);
  const message = new Uint8Array(writer.close({ source, batch: 1, epoch: 1, floor }));
  const batch = decodeBatch(message);
  assert.ok(batch);
  return { ...batch, sender: SENDER };
}

let numbers = 0;

/** Returns a batch with this many small commands. */
function some(count: number, floor = 500): SentBatch {
  return batchOf(
    Array.from({ length: count }, () => cancelAll(++numbers)),
    floor,
  );
}

function open(limits: Partial<IntakeLimits> = {}): Intake {
  return new Intake({ ...INTAKE_DEFAULTS, ...limits }, commandAuthority('development'), () =>
    assert.fail('the sandbox can send everything'),
  );
}

function counts(intake: Intake): number[] {
  return intake.take().map(({ commands }) => commands.length);
}

test('accepted batches leave unsplit, in order of arrival', () => {
  const intake = open();
  const first = batchOf([cancelAll(1), deposit(2, 10)]);
  const second = batchOf([cancelAll(1, 42)], 500, 42);
  assert.equal(intake.offer(first, MEMORY), undefined);
  assert.equal(intake.offer(second, MEMORY), undefined);
  assert.equal(intake.waiting, 3);
  const taken = intake.take();
  assert.deepEqual(
    taken.map(({ source, commands }) => [source, commands]),
    [
      [SOURCE, [cancelAll(1), deposit(2, 10)]],
      [42, [cancelAll(1, 42)]],
    ],
  );
  for (const { commands, records } of taken) {
    assert.deepEqual(decodeCommandRecords(records), commands);
  }
  assert.deepEqual([intake.waiting, intake.take()], [0, []]);
});

test('the records are copied, because the message belongs to the bus', () => {
  const intake = open();
  const batch = some(2);
  const { bytes } = batch.records;
  const before = new Uint8Array(bytes);
  intake.offer(batch, MEMORY);
  bytes.fill(0xdd);
  assert.deepEqual(intake.take()[0].records.bytes, before);
});

const TAKES: Record<string, { limits: Partial<IntakeLimits>; frames: number[][] }> = {
  'as many commands as fit a frame': {
    limits: { frameCommandsMax: 5 },
    frames: [[2, 3], [4], [2]],
  },
  'as many bytes as fit a frame': {
    limits: { frameBytesMax: 5 * COMMAND_BYTES },
    frames: [[2, 3], [4], [2]],
  },
  'one byte too few for the second batch': {
    limits: { frameBytesMax: 5 * COMMAND_BYTES - 1 },
    frames: [[2], [3], [4], [2]],
  },
  'everything, if there is room': { limits: {}, frames: [[2, 3, 4, 2]] },
};

for (const [name, { limits, frames }] of Object.entries(TAKES)) {
  test(`a frame gets unsplit batches: ${name}`, () => {
    const intake = open(limits);
    for (const count of [2, 3, 4, 2]) assert.equal(intake.offer(some(count), MEMORY), undefined);
    // The second does not fit. The fourth would, but batches never overtake.
    assert.deepEqual(
      frames.map(() => counts(intake)),
      frames,
    );
    assert.equal(intake.waiting, 0);
  });
}

interface Edge {
  readonly limits?: Partial<IntakeLimits>;
  /** Batches already in the queue. */
  readonly waiting?: number[];
  readonly taken: () => SentBatch;
  readonly refused: () => SentBatch;
  readonly reason: string;
}

const EDGES: Record<string, Edge> = {
  'commands in a batch': {
    limits: { frameCommandsMax: 4 },
    taken: () => some(4),
    refused: () => some(5),
    reason: 'malformed',
  },
  'bytes in a batch': {
    limits: { frameBytesMax: 3 * COMMAND_BYTES },
    taken: () => some(3),
    refused: () => some(4),
    reason: 'malformed',
  },
  'queued commands': {
    limits: { waitingCommandsMax: 10 },
    waiting: [4, 3],
    taken: () => some(3),
    refused: () => some(4),
    reason: 'busy',
  },
  'queued bytes': {
    limits: { waitingBytesMax: 10 * COMMAND_BYTES },
    waiting: [4, 3],
    taken: () => some(3),
    refused: () => some(4),
    reason: 'busy',
  },
};

for (const [name, { limits, waiting = [], taken, refused, reason }] of Object.entries(EDGES)) {
  test(`${name}: the limit is accepted, one more is ${reason}`, () => {
    for (const isTaken of [true, false]) {
      const intake = open(limits);
      for (const count of waiting) assert.equal(intake.offer(some(count), MEMORY), undefined);
      const before = intake.waiting;
      const batch = isTaken ? taken() : refused();
      assert.equal(intake.offer(batch, MEMORY), isTaken ? undefined : reason);
      assert.equal(intake.waiting, isTaken ? before + batch.records.count : before);
    }
  });
}

test('a batch is too old if its last command would be beyond the window from its floor', () => {
  const memory = {
    commandsApplied: 5_000,
    commandWindow: 1_000,
    forgottenThrough: 4_000,
    ...NOW,
  };
  const cases: [waiting: number, count: number, floor: number, found: string | undefined][] = [
    [0, 1, 4_001, undefined],
    [0, 1, 4_000, 'too_old'],
    [0, 3, 4_003, undefined],
    [0, 3, 4_002, 'too_old'],
    [7, 3, 4_010, undefined],
    [7, 3, 4_009, 'too_old'],
  ];
  for (const [waiting, count, floor, found] of cases) {
    const intake = open();
    if (waiting > 0) assert.equal(intake.offer(some(waiting, 5_000), memory), undefined);
    const offered = intake.offer(some(count, floor), memory);
    assert.equal(offered, found, `${count} behind ${waiting}, floor ${floor}`);
  }
});

test('the engine recognizes each command in a batch that is accepted twice', () => {
  const window = 8;
  const floor = 10;
  const taken: number[] = [];
  for (let between = 0; between <= window; between++) {
    const exchange = createExchange({ ...INITIAL_LIMITS, commandWindow: window });
    const batch = some(3, floor);
    const commands = decodeCommandRecords(batch.records);
    apply(exchange, manyOthers(floor));
    apply(exchange, commands);
    apply(exchange, manyOthers(between));
    if (open().offer(batch, memoryOf(exchange)) !== undefined) continue;
    taken.push(between);
    const kinds = apply(exchange, commands).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['CommandRepeated', 'CommandRepeated', 'CommandRepeated']);
  }
  assert.deepEqual(taken, [0, 1, 2]);
});

test('a wider window does not accept commands that the engine has forgotten', () => {
  const window = 8;
  const floor = 10;
  const taken: number[] = [];
  for (let between = 0; between <= 3 * window; between++) {
    const exchange = createExchange({ ...INITIAL_LIMITS, commandWindow: window });
    const batch = some(3, floor);
    const commands = decodeCommandRecords(batch.records);
    apply(exchange, manyOthers(floor));
    apply(exchange, commands);
    apply(exchange, manyOthers(between));
    const limits = { ...INITIAL_LIMITS, commandWindow: INITIAL_LIMITS.commandWindow * 2 };
    apply(exchange, [{ kind: 'SetLimits', source: 42, number: ++numbers, ...limits }]);
    if (open().offer(batch, memoryOf(exchange)) !== undefined) continue;
    taken.push(between);
    const kinds = apply(exchange, commands).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['CommandRepeated', 'CommandRepeated', 'CommandRepeated']);
  }
  // The command that widens the window does not use a slot in the narrow one.
  assert.deepEqual(taken, [0, 1, 2, 3, 4, 5]);
});

function memoryOf({ commandsApplied, limits, window }: Exchange): Memory {
  const { commandWindow } = limits;
  return { commandsApplied, commandWindow, forgottenThrough: window.forgottenThrough, ...NOW };
}

function manyOthers(count: number): Command[] {
  return Array.from({ length: count }, () => cancelAll(++numbers));
}

function apply(exchange: Exchange, commands: readonly Command[]): readonly Event[] {
  const sequence = exchange.sequence + 1;
  const frame = { sequence, epoch: 1, timeMs: 1 as TimeMs, previousHash: NO_HASH, commands };
  return applyFrame(exchange, frame).events;
}

const MALFORMED: Record<string, () => SentBatch> = {
  'a batch without commands': () => some(0),
  'bytes that are not commands': () => {
    const batch = some(2);
    return { ...batch, records: { ...batch.records, bytes: new Uint8Array(56).fill(0xff) } };
  },
  'one command less than its count': () => {
    const batch = some(2);
    return { ...batch, records: { ...batch.records, count: 3 } };
  },
  'one command more than its count': () => {
    const batch = some(2);
    return { ...batch, records: { ...batch.records, count: 1 } };
  },
  'truncated bytes': () => {
    const batch = some(2);
    const bytes = batch.records.bytes.subarray(0, -1);
    return { ...batch, records: { ...batch.records, bytes } };
  },
  'a command from another source': () => batchOf([cancelAll(1), cancelAll(2, 42)]),
  "the leader's own source": () => batchOf([cancelAll(1, 0)], 500, 0),
  'a newer schema': () => ({ ...some(1), schemaVersion: SCHEMA_VERSION + 1 }),
  'no schema': () => ({ ...some(1), schemaVersion: 0 }),
};

for (const [name, make] of Object.entries(MALFORMED)) {
  test(`${name} is malformed and not queued`, () => {
    const intake = open();
    assert.equal(intake.offer(make(), MEMORY), 'malformed');
    assert.deepEqual([intake.waiting, intake.take()], [0, []]);
  });
}

test('commands with an older schema are re-encoded', () => {
  const intake = open();
  const batch = batchOf([cancelAll(1), deposit(2, 20)]);
  assert.equal(intake.offer({ ...batch, schemaVersion: 1 }, MEMORY), undefined);
  const [{ commands, records }] = intake.take();
  assert.deepEqual(commands, [cancelAll(1), deposit(2, 20)]);
  assert.deepEqual(decodeCommandRecords(records, SCHEMA_VERSION), commands);
});

test('rules that this release cannot run are refused before they reach the log', () => {
  const intake = new Intake(INTAKE_DEFAULTS, commandAuthority('development'), () => {});
  const version = RULES_VERSION_MAX + 1;
  const command = { kind: 'SetRulesVersion', source: SOURCE, number: 1, version } as const;
  assert.equal(intake.offer(batchOf([command]), MEMORY), 'not_permitted');
  const present = { ...command, version: RULES_VERSION_MAX };
  assert.equal(intake.offer(batchOf([present]), MEMORY), undefined);
});

test('taking a frame frees its space in the queue', () => {
  const limits = { waitingCommandsMax: 4, waitingBytesMax: 4 * COMMAND_BYTES };
  const intake = open(limits);
  for (let round = 0; round < 3; round++) {
    assert.equal(intake.offer(some(4), MEMORY), undefined);
    assert.equal(intake.offer(some(1), MEMORY), 'busy');
    assert.deepEqual(counts(intake), [4]);
  }
});

test('one forbidden command refuses its entire batch and is reported', () => {
  const forbidden: ForbiddenCommand[] = [];
  const intake = new Intake(INTAKE_DEFAULTS, commandAuthority('development'), (one) =>
    forbidden.push(one),
  );
  const batch = batchOf([cancelAll(1), deposit(2, 10)]);
  assert.equal(intake.offer({ ...batch, sender: 'gateway-http' }, MEMORY), 'not_permitted');
  assert.equal(intake.offer({ ...batch, sender: 'nobody' }, MEMORY), 'not_permitted');
  assert.deepEqual(forbidden, [
    { sender: 'gateway-http', kind: 'CreditDeposit' },
    { sender: 'nobody', kind: 'CancelAllOrders' },
  ]);
  assert.deepEqual([intake.waiting, intake.take()], [0, []]);
  assert.equal(intake.offer({ ...some(2), sender: 'gateway-http' }, MEMORY), undefined);
});

test('batches are cut after any command, and the rest is queued before all others', () => {
  for (let count = 0; count <= 6; count++) {
    const intake = open();
    for (const size of [2, 3, 1]) intake.offer(some(size), MEMORY);
    const taken = intake.take();
    intake.offer(some(4), MEMORY);
    const { head, rest } = splitBatches(taken, count);
    intake.putBack(rest);
    assert.equal(intake.waiting, 6 - count + 4);
    const numbersOf = (batches: readonly QueuedBatch[]) =>
      batches.flatMap(({ commands }) => commands.map(({ number }) => number));
    assert.equal(numbersOf(head).length, count);
    assert.deepEqual(numbersOf([...head, ...rest]), numbersOf(taken));
    for (const { commands, records } of [...head, ...rest]) {
      assert.ok(commands.length > 0);
      assert.equal(records.count, commands.length);
      assert.deepEqual(decodeCommandRecords(records), commands);
    }
    assert.deepEqual(numbersOf(intake.take()).slice(0, 6 - count), numbersOf(rest));
    assert.equal(intake.waiting, 0);
  }
});

test('while the oldest batch is delayed too long, new ones are refused as busy', () => {
  const intake = open({ waitingMsMax: 500 });
  assert.equal(intake.offer(some(1), MEMORY), undefined);
  assert.equal(intake.offer(some(1), { ...MEMORY, nowMs: 7_500 }), undefined);
  assert.equal(intake.offer(some(1), { ...MEMORY, nowMs: 7_501 }), 'busy');
  assert.deepEqual(counts(intake), [1, 1]);
  assert.equal(intake.offer(some(1), { ...MEMORY, nowMs: 9_000 }), undefined);
});

test('a queued or in-flight command is not queued again; new commands with it are', () => {
  const intake = open();
  const [one, two, three] = [1, 2, 3].map((number) => cancelAll(1_000_000 + number));
  const numbersOf = (batches: readonly { commands: readonly Command[] }[]) =>
    batches.map(({ commands }) => commands.map(({ number }) => number - 1_000_000));
  assert.equal(intake.offer(batchOf([one, two]), MEMORY), undefined);
  assert.equal(intake.offer(batchOf([one, two]), MEMORY), undefined);
  assert.equal(intake.waiting, 2);
  assert.equal(intake.offer(batchOf([two, three]), MEMORY), undefined);
  const taken = intake.take();
  assert.deepEqual(numbersOf(taken), [[1, 2], [3]]);
  assert.deepEqual(decodeCommandRecords(taken[1].records), [three]);
  const memory = { ...MEMORY, inFlight: () => taken };
  assert.equal(intake.offer(batchOf([three, one]), memory), undefined);
  assert.equal(intake.waiting, 0);
  assert.equal(
    intake.offer(batchOf([three, one]), MEMORY),
    undefined,
    'its response might be lost',
  );
  assert.deepEqual(numbersOf(intake.take()), [[3, 1]]);
});
