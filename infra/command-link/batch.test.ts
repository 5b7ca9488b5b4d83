// Batches of commands: they round-trip, the writer is reusable, and a malformed message is rejected
// without an exception.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  CodecFault,
  type Command,
  decodeCommandRecords,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { AssetId, Atoms, MarketId, UserId } from '../../core/money/index.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_COMMANDS_MAX,
  type BatchHeader,
  BatchWriter,
  decodeBatch,
} from './batch.ts';

const HEADER: BatchHeader = { source: 41, batch: 3, epoch: 7, floor: 123_456 };

function cancelAll(number: number): Command {
  const user = { user: 5 as UserId, market: 0 as MarketId, byOperator: false };
  return { kind: 'CancelAllOrders', source: 41, number, ...user };
}

function deposit(number: number, reference: string): Command {
  return {
    kind: 'CreditDeposit',
    source: 41,
    number,
    channel: 1,
    channelSequence: number,
    user: 5 as UserId,
    asset: 1 as AssetId,
    amountAtoms: 7n as Atoms,
    reference,
  };
}

/** A batch of these commands, in its own bytes. */
function batchOf(commands: readonly Command[], header = HEADER): Uint8Array {
  const writer = new BatchWriter();
  for (const command of commands) writer.add(command);
  return new Uint8Array(writer.close(header));
}

test('a batch round-trips', () => {
  const commands = [cancelAll(1), deposit(2, 'a deposit with a ü'), cancelAll(3)];
  const batch = decodeBatch(batchOf(commands));
  assert.ok(batch);
  const { records, schemaVersion, ...header } = batch;
  assert.deepEqual(header, HEADER);
  assert.equal(schemaVersion, SCHEMA_VERSION);
  assert.deepEqual(decodeCommandRecords(records, schemaVersion), commands);
});

test('the minimum and maximum numbers round-trip', () => {
  for (const number of [0, Number.MAX_SAFE_INTEGER]) {
    const header = { source: number, batch: number, epoch: number, floor: number };
    const { records: _, schemaVersion: __, ...found } = decodeBatch(batchOf([], header)) ?? {};
    assert.deepEqual(found, header);
  }
});

test('a writer starts empty after each batch', () => {
  const writer = new BatchWriter();
  writer.add(cancelAll(1));
  writer.add(cancelAll(2));
  assert.equal(writer.count, 2);
  const first = new Uint8Array(writer.close(HEADER));
  assert.equal(writer.count, 0);
  writer.add(cancelAll(3));
  const second = decodeBatch(writer.close({ ...HEADER, batch: 4 }));
  assert.ok(second);
  assert.equal(second.batch, 4);
  assert.deepEqual(decodeCommandRecords(second.records), [cancelAll(3)]);
  assert.equal(decodeBatch(first)?.records.count, 2);
});

test('a command that cannot be encoded leaves the batch unchanged', () => {
  const writer = new BatchWriter();
  writer.add(cancelAll(1));
  assert.throws(() => writer.add({ ...cancelAll(2), user: -1 as UserId } as Command), CodecFault);
  assert.throws(() => writer.add(deposit(2, 'x'.repeat(2_000))), CodecFault);
  writer.add(cancelAll(3));
  const batch = decodeBatch(writer.close(HEADER));
  assert.deepEqual(batch && decodeCommandRecords(batch.records), [cancelAll(1), cancelAll(3)]);
});

test('a batch is full at its limit of commands or bytes', () => {
  const many = new BatchWriter();
  for (let number = 1; number < BATCH_COMMANDS_MAX; number++) many.add(cancelAll(number));
  assert.equal(many.isFull, false);
  many.add(cancelAll(BATCH_COMMANDS_MAX));
  assert.equal(many.isFull, true);

  const large = new BatchWriter();
  while (!large.isFull) large.add(deposit(large.count + 1, 'x'.repeat(1_000)));
  const byteCount = large.close(HEADER).length;
  assert.ok(byteCount >= BATCH_BYTES_MAX && byteCount < BATCH_BYTES_MAX + 1_100);
  assert.equal(large.isFull, false);
});

test('a batch truncated in its header is rejected', () => {
  const message = batchOf([cancelAll(1)]);
  for (let length = 0; length < 42; length++) {
    assert.equal(decodeBatch(message.subarray(0, length)), undefined, `${length} bytes`);
  }
  assert.ok(decodeBatch(message.subarray(0, 42)), 'the intake refuses its records');
});

test('a header field that is not a non-negative integer is rejected', () => {
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53]) {
    for (const name of ['source', 'batch', 'epoch', 'floor'] as const) {
      const message = batchOf([cancelAll(1)], { ...HEADER, [name]: wrong });
      assert.equal(decodeBatch(message), undefined, `${name} is ${wrong}`);
    }
  }
});

test('arbitrary and damaged bytes are rejected without an exception', () => {
  const message = batchOf([cancelAll(1), cancelAll(2)]);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.equal(decodeBatch(bytes), undefined);
    }),
  );
  fc.assert(
    fc.property(fc.nat({ max: message.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, to) => {
      const damaged = new Uint8Array(message);
      damaged[at] ^= to;
      const batch = decodeBatch(damaged);
      assert.ok(at >= 4 || batch === undefined, 'the first bytes identify a batch');
      if (batch === undefined) return;
      for (const number of [batch.source, batch.batch, batch.epoch, batch.floor]) {
        assert.ok(Number.isSafeInteger(number) && number >= 0);
      }
    }),
    { numRuns: 500 },
  );
});
