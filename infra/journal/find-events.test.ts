// The message of EVENTS with a frame, wherever the batches were cut, even after a trim.

import assert from 'node:assert/strict';
import test from 'node:test';
import { systemClock } from '../process/index.ts';
import { batchAfter, decodeEventBatch, encodeEventBatch } from './event-batch.ts';
import { findEvents } from './find-events.ts';
import { MemoryLog } from './memory-log.ts';
import { faultlessPath } from './memory-log-path.ts';
import { NO_HASH } from './sealed-frame.ts';

/** `frame.part`, in messages. Frame 4 has three parts. */
const MESSAGES = [['1.0', '2.0'], ['3.0', '4.0'], ['4.1'], ['4.2', '5.0'], ['6.0'], ['7.0', '8.0']];

function partOf(name: string) {
  const [sequence, part] = name.split('.').map(Number);
  const isLast = sequence !== 4 || part === 2;
  return { sequence, part, isLast, bytes: Buffer.from(`events ${name}`) };
}

function logOf(messages: readonly string[][]): MemoryLog {
  const log = new MemoryLog(systemClock);
  let hash = NO_HASH;
  for (const names of messages) {
    const batch = encodeEventBatch(hash, names.map(partOf));
    hash = batch.hash;
    log.store(batch.message);
  }
  return log;
}

const connect = (log: MemoryLog, timeoutMs = 60_000) =>
  log.connect(systemClock, { ...faultlessPath(() => 0.5), timeoutMs });

test('a frame is found in the message in which it begins', async () => {
  const log = logOf(MESSAGES);
  const expected = [1, 1, 2, 2, 4, 5, 6, 6, 6];
  for (const [at, message] of expected.entries()) {
    const found = await findEvents(connect(log), at + 1);
    assert.ok(typeof found === 'object');
    assert.deepEqual([found.message, found.isTrimmed], [message, false], `frame ${at + 1}`);
  }
});

test('a frame before the first message is trimmed, even if it ends after it', async () => {
  const log = logOf(MESSAGES);
  log.trim(4);
  for (const [frame, isTrimmed, message] of [
    [3, true, 4],
    [4, true, 4],
    [5, false, 4],
    [6, false, 5],
  ] as const) {
    const found = await findEvents(connect(log), frame);
    assert.ok(typeof found === 'object');
    assert.deepEqual([found.message, found.isTrimmed], [message, isTrimmed], `frame ${frame}`);
  }
});

test('an empty log has no events, and an unresponsive one no result', async () => {
  const log = new MemoryLog(systemClock);
  assert.equal(await findEvents(connect(log), 1), 'none');
  log.beginOutage();
  assert.equal(await findEvents(connect(log, 100), 1), undefined);
});

test('the rest of a batch continues the chain wherever it is cut', () => {
  const names = ['3.0', '4.0', '4.1', '4.2', '5.0'];
  const all = decodeEventBatch(encodeEventBatch(NO_HASH, names.map(partOf)).message);
  for (let count = 0; count < names.length; count++) {
    const read = encodeEventBatch(NO_HASH, names.slice(0, count).map(partOf));
    const { sequence: frame, part, isLast } = partOf(count === 0 ? '2.0' : names[count - 1]);
    const rest = batchAfter(all, { frame, part, isComplete: isLast });
    assert.deepEqual(Buffer.from(rest.previousHash), Buffer.from(read.hash));
    assert.deepEqual(
      rest.parts.map((one) => `${one.sequence}.${one.part}`),
      names.slice(count),
    );
    const again = encodeEventBatch(rest.previousHash, rest.parts);
    assert.deepEqual(Buffer.from(again.hash), Buffer.from(all.hash));
  }
});
