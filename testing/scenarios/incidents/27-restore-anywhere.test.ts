// Incident 27, bnb-chain node 175: the last trade price was not in the snapshot. Here a restore at
// any frame plus the rest of the log equals the uninterrupted run: same hashes, same bytes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  applyFrame,
  createExchange,
  hashExchange,
  restoreExchange,
  snapshotExchange,
} from '../../../core/engine/index.ts';
import {
  type CommandFrame,
  type EventFrame,
  encodeEventFrame,
  FrameWriter,
} from '../../../core/messages/index.ts';
import { FLOW_NAMES, FLOWS, Random } from '../../flows/index.ts';
import { drive, openScripted } from './scripted-exchange.ts';

const FRAMES = 60;
const RESTORES = 4;
const writer = new FrameWriter();

const bytesOf = (events: EventFrame) =>
  Buffer.from(encodeEventFrame(writer, events)).toString('hex');

for (const name of FLOW_NAMES) {
  test(`incident 27: a restore anywhere in the ${name} flow and a replay change nothing`, () => {
    const straight = createExchange();
    const log: { frame: CommandFrame; bytes: string; snapshot: Uint8Array }[] = [];
    drive(FLOWS[name](27), FRAMES, (frame) => {
      const snapshot = snapshotExchange(straight);
      const events = applyFrame(straight, frame);
      log.push({ frame, bytes: bytesOf(events), snapshot });
      return events;
    });
    const random = new Random(27);
    for (let count = 0; count < RESTORES; count += 1) {
      const start = random.below(FRAMES);
      const restored = restoreExchange(log[start].snapshot);
      assert.deepEqual(snapshotExchange(restored), log[start].snapshot, 'same bytes again');
      for (const { frame, bytes } of log.slice(start)) {
        assert.equal(bytesOf(applyFrame(restored, frame)), bytes);
      }
      assert.equal(hashExchange(restored), hashExchange(straight));
    }
  });
}

test('incident 27: a stop after a restore is checked against the last trade before it', () => {
  const { exchange, apply, frameOf } = openScripted([], ['alice', 'bob']);
  apply('bob sells 1 at 100', 'alice buys 1 at 100');
  const restored = restoreExchange(snapshotExchange(exchange));
  const { events } = applyFrame(restored, frameOf('alice stop-sells 1 at 100 limit 90'));
  const refusals = events.map((event) => event.kind === 'CommandRefused' && event.refusal);
  assert.deepEqual(refusals, ['stop_price_must_be_below_market_price']);
});
