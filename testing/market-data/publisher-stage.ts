// A publisher in virtual time: a log, a network, a subscriber to everything, and a flow whose
// frames are written to EVENTS as time passes.

import assert from 'node:assert/strict';
import type { EventFrame } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { encodeEventBatch, NO_HASH } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { feedSubjects } from '../../infra/live-feed/index.ts';
import { encodeEvents } from '../../infra/replica/index.ts';
import type { FeedHeaders } from '../../services/publisher/feed-port.ts';
import { PUBLISHER_DEFAULTS, Publisher } from '../../services/publisher/publisher.ts';
import { drive, type FlowName, Random } from '../flows/index.ts';
import { makeEngine, type TestedEngine } from '../properties/tested-exchange.ts';
import { type VirtualProcess, VirtualTime } from '../simulator/virtual-time.ts';
import { FakeFeed, FakeFeedStore, type FakeNetwork } from './fake-feed.ts';
import { FeedProbe } from './feed-probe.ts';

const START_MS = 1_700_000_000_000;

export const STAGE_SUBJECTS = feedSubjects('rialto');
export const STAGE_SETTINGS = {
  ...PUBLISHER_DEFAULTS,
  cursorEveryMs: 25,
  checkpointEveryMs: 40,
  depthLevels: 20,
  waitingBytesMax: 30_000,
  retryMs: 20,
};

/** Receives messages other than user events, trades and last values. */
type HearOther = (subject: string, payload: string, headers: FeedHeaders) => void;

export interface FlowOptions {
  readonly commands?: number;
  /** Called after the engine has applied the frame, and before it is in the log. */
  readonly see?: (frame: EventFrame) => void;
}

export class PublisherStage {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly probe = new FeedProbe();
  readonly engine: TestedEngine = makeEngine();
  readonly frames: EventFrame[] = [];
  readonly network: FakeNetwork;
  readonly faults: string[] = [];
  starts: [from: number, cursor: number][] = [];
  pauseCount = 0;
  readonly #log: MemoryLog;
  readonly #hearOther: HearOther;
  #hash = NO_HASH;
  #process: VirtualProcess | undefined;
  publisher: Publisher | undefined;
  feed: FakeFeed | undefined;

  constructor(seed: number, lossPercent: number, hearOther: HearOther = () => {}) {
    const random = new Random(seed);
    this.random = random;
    this.#hearOther = hearOther;
    this.time = new VirtualTime({ startMs: START_MS, random, latenessMsMax: 5 });
    this.#log = new MemoryLog(this.time);
    this.network = {
      time: this.time,
      random,
      lossPercent,
      kept: new Map(),
      keptLast: 0,
      cursor: 'none',
      checkpoint: 'none',
      listeners: new Set(),
      hear: (subject, payload, headers) => this.#hear(subject, payload, headers),
    };
  }

  start(): void {
    const clock = this.time.process(0);
    this.#process = clock;
    this.feed = new FakeFeed(this.network, clock);
    this.publisher = new Publisher({
      subjects: STAGE_SUBJECTS,
      clock,
      settings: STAGE_SETTINGS,
      feed: this.feed,
      events: this.#log.connect(
        clock,
        faultlessPath(() => this.random.word() / 2 ** 32),
      ),
      store: new FakeFeedStore(this.network, clock),
      watcher: {
        started: (from, cursor) => this.starts.push([from, cursor]),
        paused: (isPaused) => {
          if (isPaused) this.pauseCount += 1;
        },
        checkpointInvalid: () => {},
        caughtUp: () => {},
        applied: () => {},
        published: () => {},
        stored: () => {},
        checkpointTaken: () => {},
      },
      onFault: (reason, cause) => this.faults.push(`${reason} ${String(cause)}`),
    });
  }

  /** Simulates kill -9: the process does nothing more. */
  crash(): void {
    this.#process?.crash();
    this.network.listeners.clear();
  }

  pass(ms: number): void {
    this.time.runUntil(this.time.nowMs() + ms);
    assert.deepEqual(this.faults, []);
  }

  /** Appends the next frames of the flow in one EVENTS message. */
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

  /** Runs the flow completely, and calls the callback after every message. */
  runFlow(flow: FlowName, trouble: () => void, options: FlowOptions = {}): void {
    const { engine, random } = this;
    const { commands = 1_200, see } = options;
    let waiting: EventFrame[] = [];
    // Frames are stamped with the current virtual time.
    const apply: TestedEngine['apply'] = (frame) =>
      engine.apply({ ...frame, timeMs: this.time.nowMs() as TimeMs });
    for (const { seen } of drive({ flow, seed: 5, commands, apply })) {
      waiting.push(seen);
      see?.(seen);
      if (random.chance(30)) continue;
      this.append(waiting);
      waiting = [];
      this.pass(random.below(30));
      trouble();
    }
    this.append(waiting);
  }

  #hear(subject: string, payload: string, headers: FeedHeaders): void {
    const [, kind, ...rest] = subject.split('.');
    if (kind === 'private') this.probe.onPrivate(payload);
    else if (kind === 'feed') {
      this.probe.onValue(rest.join('.'), Number(headers['Rialto-Frame']), payload);
    } else if (kind === 'live' && rest[0] === 'trades') {
      this.probe.onTrades(rest[1], headers['Rialto-Trade'], payload);
    } else this.#hearOther(subject, payload, headers);
  }
}
