// The publisher in virtual time: killed, cut off and started again at any moment. Whoever listens
// and drops repeats by frame and index hears everything once, and ends with the right public data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventFrame } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { encodeEventBatch, NO_HASH } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { soundPath } from '../../infra/journal/memory-log-path.ts';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { encodeEvents } from '../../infra/replica/index.ts';
import { drive, type FlowName, Random } from '../../testing/flows/index.ts';
import { FakeFeed, FakeFeedStore, type FakeNetwork } from '../../testing/market-data/fake-feed.ts';
import { FeedEar } from '../../testing/market-data/feed-ear.ts';
import { judgeFeed } from '../../testing/market-data/judge-feed.ts';
import { makeEngine, type TestedEngine } from '../../testing/properties/tested-exchange.ts';
import { type VirtualProcess, VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { FeedState } from './feed-state.ts';
import { PUBLISHER_DEFAULTS, Publisher } from './publisher.ts';

const START_MS = 1_700_000_000_000;
const SUBJECTS = feedSubjects('rialto');
const SETTINGS = {
  ...PUBLISHER_DEFAULTS,
  ...{ cursorEveryMs: 25, checkpointEveryMs: 40, depthLevels: 20, waitingBytesMax: 30_000 },
  retryMs: 20,
};

/** A log, a network, a subscriber, and a flow whose frames are put into EVENTS as time goes on. */
class Stage {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly ear = new FeedEar();
  readonly engine: TestedEngine = makeEngine();
  readonly frames: EventFrame[] = [];
  readonly network: FakeNetwork;
  readonly faults: string[] = [];
  starts: [from: number, cursor: number][] = [];
  pauseCount = 0;
  readonly #log: MemoryLog;
  #hash = NO_HASH;
  #process: VirtualProcess | undefined;
  publisher: Publisher | undefined;
  feed: FakeFeed | undefined;

  constructor(seed: number, lossPercent: number) {
    const random = new Random(seed);
    this.random = random;
    this.time = new VirtualTime({ startMs: START_MS, random, latenessMsMax: 5 });
    this.#log = new MemoryLog(this.time);
    this.network = {
      ...{ time: this.time, random, lossPercent, kept: new Map(), keptLast: 0 },
      ...{ cursor: 'none', checkpoint: 'none', listeners: new Set() },
      hear: (subject, payload, headers) => this.#hear(subject, payload, headers),
    };
  }

  start(): void {
    const clock = this.time.process(0);
    this.#process = clock;
    this.feed = new FakeFeed(this.network, clock);
    this.publisher = new Publisher({
      ...{ subjects: SUBJECTS, clock, settings: SETTINGS, feed: this.feed },
      events: this.#log.connect(
        clock,
        soundPath(() => this.random.word() / 2 ** 32),
      ),
      store: new FakeFeedStore(this.network, clock),
      watcher: {
        started: (from, cursor) => this.starts.push([from, cursor]),
        paused: (isPaused) => {
          if (isPaused) this.pauseCount += 1;
        },
        ...{ checkpointUnsound: () => {}, caughtUp: () => {}, applied: () => {} },
        ...{ said: () => {}, kept: () => {}, checkpointTaken: () => {} },
      },
      onFault: (reason, cause) => this.faults.push(`${reason} ${String(cause)}`),
    });
  }

  /** As kill -9 does: no more of it happens. */
  crash(): void {
    this.#process?.crash();
  }

  pass(ms: number): void {
    this.time.runUntil(this.time.nowMs() + ms);
    assert.deepEqual(this.faults, []);
  }

  /** The next frames of the flow, in one message of EVENTS. */
  append(frames: readonly EventFrame[]): void {
    this.frames.push(...frames);
    const parts = frames.flatMap((frame) => encodeEvents(frame).parts);
    const { hash, message } = encodeEventBatch(this.#hash, parts);
    this.#hash = hash;
    this.#log.store(message);
  }

  get logLast(): number {
    return this.#log.last;
  }

  #hear(subject: string, payload: string, headers: Readonly<Record<string, string>>): void {
    const [, kind, ...rest] = subject.split('.');
    if (kind === 'private') this.ear.hearPrivate(payload);
    else if (kind === 'live' && rest[0] === 'trades')
      this.ear.hearTrades(rest[1], headers['Rialto-Trade'], payload);
    else this.ear.hearValue(rest.join('.'), Number(headers['Rialto-Frame']), payload);
  }
}

/** One whole day of the flow; `trouble` is called after every message. */
function runFlow(stage: Stage, flow: FlowName, trouble: () => void): void {
  const { engine, random } = stage;
  let waiting: EventFrame[] = [];
  // Frames are stamped with the present of the stage.
  const apply: TestedEngine['apply'] = (frame) =>
    engine.apply({ ...frame, timeMs: stage.time.nowMs() as TimeMs });
  for (const { seen } of drive({ flow, seed: 5, commands: 1_200, apply })) {
    waiting.push(seen);
    if (random.chance(30)) continue;
    stage.append(waiting);
    waiting = [];
    stage.pass(random.below(30));
    trouble();
  }
  stage.append(waiting);
}

function judge(stage: Stage): void {
  const { ear, engine: exchange, frames } = stage;
  judgeFeed({ ear, exchange, frames, depthLevels: SETTINGS.depthLevels });
}

test('undisturbed, everything is told once and in order', () => {
  const stage = new Stage(1, 0);
  stage.start();
  stage.pass(100);
  runFlow(stage, 'calm', () => {});
  stage.pass(5_000);
  judge(stage);
  assert.equal(stage.ear.repeatCount, 0);
});

for (const flow of ['calm', 'thin-pairs', 'flash-crash', 'adversarial'] as const) {
  test(`killed at any moment of the ${flow} flow, it leaves out nothing`, () => {
    let crashes = 0;
    const stage = new Stage(1, 10);
    stage.start();
    stage.pass(3_000);
    runFlow(stage, flow, () => {
      if (!stage.random.chance(30)) return;
      stage.crash();
      crashes += 1;
      // Sometimes another is there at once, sometimes later; sometimes it is killed early.
      stage.pass(stage.random.below(60));
      stage.start();
      stage.pass(stage.random.below(20));
    });
    stage.pass(10_000);
    judge(stage);
    const isFromCheckpoint = stage.starts.some(([from]) => from > 1);
    assert.ok(isFromCheckpoint && crashes > 10 && stage.ear.repeatCount > 0);
  });
}

test('cut off from the servers now and then, it leaves out nothing', () => {
  const stage = new Stage(9, 5);
  stage.start();
  stage.pass(3_000);
  runFlow(stage, 'calm', () => {
    if (!stage.random.chance(10)) return;
    stage.feed?.lose();
    stage.pass(stage.random.below(200));
    stage.feed?.regain();
  });
  stage.pass(10_000);
  judge(stage);
});

test('when too much waits to be taken, the log is not read until it has been', () => {
  const stage = new Stage(4, 0);
  stage.start();
  stage.pass(1_000);
  stage.feed?.lose();
  runFlow(stage, 'calm', () => {});
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
  runFlow(stage, 'calm', () => {});
  stage.pass(5_000);
  const before = new Map(stage.network.kept);
  assert.ok(before.size > 20);
  stage.network.kept.clear();
  stage.network.keptLast = 0;
  stage.pass(5_000);
  assert.deepEqual(new Set(stage.network.kept.keys()), new Set(before.keys()));
});

test('a damaged checkpoint is made again from the whole log, in silence up to the cursor', () => {
  const stage = new Stage(6, 0);
  stage.start();
  stage.pass(1_000);
  runFlow(stage, 'calm', () => {});
  stage.pass(3_000);
  assert.equal(stage.network.cursor, stage.logLast);
  stage.crash();
  const bytes = stage.network.checkpoint as Uint8Array;
  stage.network.checkpoint = bytes.subarray(0, bytes.length - 20);
  const { messageCount } = stage.ear;
  stage.start();
  stage.pass(5_000);
  assert.deepEqual(stage.starts.at(-1), [1, stage.logLast]);
  assert.equal(stage.ear.messageCount, messageCount);
  judge(stage);
});

test('a cursor beyond the end of EVENTS is a fault: it is the cursor of another log', () => {
  const stage = new Stage(7, 0);
  stage.network.cursor = 5;
  stage.start();
  assert.throws(() => stage.pass(1_000), /EVENTS ends at 0, but 5 has been told/);
});

test('a state is the same after it was written down and restored', () => {
  const stage = new Stage(8, 0);
  stage.start();
  stage.pass(1_000);
  runFlow(stage, 'thin-pairs', () => {});
  stage.pass(3_000);
  const saved = Buffer.concat(stage.publisher!.state!.save());
  const again = Buffer.concat(FeedState.restore(saved).save());
  assert.ok(saved.equals(again));
  const cut = saved.subarray(0, saved.lastIndexOf('\n', saved.length - 2) + 1);
  assert.throws(() => FeedState.restore(cut), /cut off/);
});
