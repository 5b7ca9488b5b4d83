// The publisher in virtual time: killed, disconnected and restarted at any moment. A subscriber
// that drops repeats by frame and index receives everything once, and ends with correct public
// data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decimalOfRatio, priceList } from '../../core/market-data/index.ts';
import { judgeFeed } from '../../testing/market-data/judge-feed.ts';
import {
  STAGE_SETTINGS,
  PublisherStage as Stage,
} from '../../testing/market-data/publisher-stage.ts';
import { FeedState } from './feed-state.ts';

function judge(stage: Stage): void {
  const { probe, engine: exchange, frames } = stage;
  judgeFeed({ probe, exchange, frames, depthLevels: STAGE_SETTINGS.depthLevels });
}

test('without faults, everything is published once and in order', () => {
  const stage = new Stage(1, 0);
  stage.start();
  stage.pass(100);
  stage.runFlow('calm', () => {});
  stage.pass(5_000);
  judge(stage);
  assert.equal(stage.probe.repeatCount, 0);
});

const pauses: [kind: string, everyMs: number][] = [
  ['book', STAGE_SETTINGS.everyMs],
  ['trades', STAGE_SETTINGS.everyMs],
  ['ticker', STAGE_SETTINGS.everyMs],
  ['depth', STAGE_SETTINGS.depthEveryMs],
  ['candle', STAGE_SETTINGS.depthEveryMs],
  ['minichart', STAGE_SETTINGS.depthEveryMs],
];

test('busy markets are sent at their interval, and acknowledgments are rarely requested', (t) => {
  const stage = new Stage(1, 0);
  stage.start();
  const feed = stage.feed!;
  const [storeLastValue, flush] = [feed.storeLastValue.bind(feed), feed.flush.bind(feed)];
  const sentMs = new Map<string, number[]>();
  const askedMs: number[] = [];
  t.mock.method(feed, 'storeLastValue', (...args: Parameters<typeof storeLastValue>) => {
    sentMs.set(args[0], [...(sentMs.get(args[0]) ?? []), stage.time.nowMs()]);
    storeLastValue(...args);
  });
  t.mock.method(feed, 'flush', (...args: Parameters<typeof flush>) => {
    askedMs.push(stage.time.nowMs());
    flush(...args);
  });
  stage.pass(100);
  stage.runFlow('calm', () => {}, { commands: 1_500 });
  const shortestMs = (times: readonly number[]) =>
    Math.min(...times.slice(1).map((timeMs, at) => timeMs - times[at]));
  for (const [kind, everyMs] of pauses) {
    const all = [...sentMs].filter(([subject]) => subject.includes(`.${kind}.`));
    assert.ok(all.length > 0 && all.some(([, times]) => times.length > 1), kind);
    for (const [subject, times] of all) assert.ok(shortestMs(times) >= everyMs, subject);
  }
  assert.ok(askedMs.length > 10 && shortestMs(askedMs) >= 50);
  assert.ok(askedMs.length < stage.logLast / 2);
});

test('coin prices are published and follow the last trades', () => {
  const stage = new Stage(1, 0);
  stage.start();
  stage.pass(100);
  stage.runFlow('calm', () => {});
  stage.pass(5_000);
  const { data } = stage.publisher!.state!;
  const expected = priceList(data).map(({ price, symbol }) => [
    `price.${symbol}`,
    Number(decimalOfRatio(price)),
  ]);
  assert.ok(expected.length > 1);
  const kept = [...stage.probe.values].filter(([name]) => name.startsWith('price.'));
  const prices = kept.map(([name, { payload }]) => [name, JSON.parse(payload).price]);
  assert.deepEqual(prices.sort(), expected.sort());
});

for (const flow of ['calm', 'thin-pairs', 'flash-crash', 'adversarial', 'auctions'] as const) {
  test(`killed at any moment of the ${flow} flow, it loses nothing`, () => {
    let crashes = 0;
    const stage = new Stage(1, 10);
    stage.start();
    stage.pass(3_000);
    stage.runFlow(flow, () => {
      if (!stage.random.chance(30)) return;
      stage.crash();
      crashes += 1;
      // A successor starts immediately or later; sometimes it is killed early.
      stage.pass(stage.random.below(60));
      stage.start();
      stage.pass(stage.random.below(20));
    });
    stage.pass(10_000);
    judge(stage);
    const isFromCheckpoint = stage.starts.some(([from]) => from > 1);
    assert.ok(isFromCheckpoint && crashes > 10 && stage.probe.repeatCount > 0);
  });
}

test('a publisher that is sometimes disconnected from the servers loses nothing', () => {
  const stage = new Stage(9, 5);
  stage.start();
  stage.pass(3_000);
  stage.runFlow('calm', () => {
    if (!stage.random.chance(10)) return;
    stage.feed?.lose();
    stage.pass(stage.random.below(200));
    stage.feed?.regain();
  });
  stage.pass(10_000);
  judge(stage);
});

test('with too many unacknowledged bytes, the log is not read until they are acknowledged', () => {
  const stage = new Stage(4, 0);
  stage.start();
  stage.pass(1_000);
  stage.feed?.lose();
  stage.runFlow('calm', () => {});
  stage.pass(3_000);
  assert.equal(stage.pauseCount, 1);
  assert.ok((stage.publisher?.state?.position.message ?? 0) < stage.logLast);
  stage.feed?.regain();
  stage.pass(10_000);
  judge(stage);
});

test('a stream that has lost its last values gets them again', () => {
  const stage = new Stage(3, 0);
  stage.start();
  stage.pass(1_000);
  stage.runFlow('calm', () => {});
  stage.pass(5_000);
  const before = new Map(stage.network.kept);
  assert.ok(before.size > 20);
  stage.network.kept.clear();
  stage.network.keptLast = 0;
  stage.pass(5_000);
  assert.deepEqual(new Set(stage.network.kept.keys()), new Set(before.keys()));
});

test('a damaged checkpoint is rebuilt from the log, publishing nothing up to the cursor', () => {
  const stage = new Stage(6, 0);
  stage.start();
  stage.pass(1_000);
  stage.runFlow('calm', () => {});
  stage.pass(3_000);
  assert.equal(stage.network.cursor, stage.logLast);
  stage.crash();
  const bytes = stage.network.checkpoint as Uint8Array;
  stage.network.checkpoint = bytes.subarray(0, bytes.length - 20);
  const { messageCount } = stage.probe;
  stage.start();
  stage.pass(5_000);
  assert.deepEqual(stage.starts.at(-1), [1, stage.logLast]);
  assert.equal(stage.probe.messageCount, messageCount);
  judge(stage);
});

test('a cursor beyond the end of EVENTS is a fault, because it belongs to another log', () => {
  const stage = new Stage(7, 0);
  stage.network.cursor = 5;
  stage.start();
  assert.throws(() => stage.pass(1_000), /EVENTS ends at 0, but 5 was published/);
});

test('a saved and restored state is the same', () => {
  const stage = new Stage(8, 0);
  stage.start();
  stage.pass(1_000);
  stage.runFlow('thin-pairs', () => {});
  stage.pass(3_000);
  const saved = Buffer.concat(stage.publisher!.state!.save());
  const again = Buffer.concat(FeedState.restore(saved).save());
  assert.ok(saved.equals(again));
  const cut = saved.subarray(0, saved.lastIndexOf('\n', saved.length - 2) + 1);
  assert.throws(() => FeedState.restore(cut), /truncated/);
});
