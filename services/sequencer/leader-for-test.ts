// Opens a leader whose COMMANDS log the test acknowledges manually. Only tests import it.

import assert from 'node:assert/strict';
import {
  type Command,
  type CommandFrame,
  type CommandId,
  decodeCommandFrame,
} from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { MemoryBus } from '../../infra/bus/bus-for-test.ts';
import {
  BatchWriter,
  decodeLeaderHeartbeat,
  decodeReply,
  encodeHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import {
  type AppendOutcome,
  type Extent,
  type LogStream,
  NO_EVENTS,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { ClockComparison } from './clock-comparison.ts';
import { INTAKE_DEFAULTS } from './intake.ts';
import { Leader } from './leader.ts';
import type { LeaderEnd, LeaderOptions } from './leader-options.ts';

export const SUBJECTS = linkSubjects('test');
export const SOURCE = 41;
export const SENDER = 'gateway-http';
export const START_MS = 1_700_000_000_000;
export const [HEARTBEAT_MS, TAKEOVER_AFTER_MS, RETRY_MS] = [100, 800, 50];

/** Stores nothing automatically: the test acknowledges, loses or replaces each append. */
class ManualLog implements LogStream {
  readonly messages: Uint8Array[] = [];
  isSilent = false;
  readonly #clock: VirtualTime;
  readonly #inFlight: { message: Uint8Array; done: (outcome: AppendOutcome) => void }[] = [];

  constructor(clock: VirtualTime) {
    this.#clock = clock;
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    assert.equal(this.#inFlight.length, 0, 'at most one append is in flight');
    assert.equal(sequence, this.messages.length + 1);
    this.#inFlight.push({ message, done });
  }

  extent(done: (extent: Extent | undefined) => void): void {
    const extent = { first: 1, last: this.messages.length };
    this.#clock.soon(() => done(this.isSilent ? undefined : extent));
  }

  read(sequence: number, done: (message: Uint8Array | undefined) => void): void {
    this.#clock.soon(() => done(this.messages[sequence - 1]));
  }

  follow(): never {
    return assert.fail('a leader does not follow');
  }

  /** Returns the frame in flight, if there is one. */
  inFlight(): CommandFrame | undefined {
    return this.#inFlight.length === 0 ? undefined : frameIn(this.#inFlight[0].message);
  }

  /** Stores the append in flight, or another message in its place, and acknowledges it. */
  settle(outcome: AppendOutcome = 'stored', instead?: Uint8Array): void {
    const [{ done, message }] = this.#inFlight.splice(0);
    if (instead !== undefined || outcome === 'stored') this.messages.push(instead ?? message);
    done(outcome);
  }

  get frames(): CommandFrame[] {
    return this.messages.map(frameIn);
  }
}

function frameIn(message: Uint8Array): CommandFrame {
  const sealed = openSealedFrame(message);
  assert.ok(sealed);
  return decodeCommandFrame(sealed.frame);
}

/** Returns the heartbeats since the last call. */
export function takeHeartbeats(bus: MemoryBus): LeaderHeartbeat[] {
  return bus.take(SUBJECTS.leader).map((message) => {
    const heartbeat = decodeLeaderHeartbeat(message);
    assert.ok(heartbeat);
    return heartbeat;
  });
}

/**
 * Returns the replies to a gateway since the last call: `#frame: number refusal, …` or `batch
 * reason`.
 */
export function takeReplies(bus: MemoryBus, source = SOURCE, sender = SENDER): string[] {
  return bus.take(SUBJECTS.resultsFor(sender, source)).map((message) => {
    const reply = decodeReply(message);
    assert.ok(reply);
    if (reply.kind === 'batch-refused') return `${reply.batch} ${reply.reason}`;
    const results = reply.results.map(({ number, refusal }) => `${number} ${refusal}`);
    return `#${reply.sequence}: ${results.join(', ')}`;
  });
}

interface Stage {
  readonly time: VirtualTime;
  readonly log: ManualLog;
  readonly events: MemoryLog;
  readonly bus: MemoryBus;
  readonly leader: Leader;
  readonly ends: LeaderEnd[];
  /** Observed events, as text. */
  readonly seen: string[];
  readonly replica: Replica;
  pass(forMs: number): void;
  /** Sends a batch with this many commands, by default for the leader's epoch. */
  send(
    count: number,
    change?: { epoch?: number; source?: number; batch?: number; sender?: string },
  ): void;
}

export function open(change: Partial<LeaderOptions> = {}): Stage {
  const random = new Random(1);
  const time = new VirtualTime({ startMs: START_MS, random, latenessMsMax: 0 });
  const log = new ManualLog(time);
  const events = new MemoryLog(time);
  const clock = time.process(0);
  const path = faultlessPath(() => 0.5);
  const bus = new MemoryBus();
  const ends: LeaderEnd[] = [];
  const seen: string[] = [];
  const replica = change.replica ?? Replica.create();
  const leader = new Leader({
    commands: log,
    events: events.connect(clock, path),
    bus,
    heartbeats: {
      send: (heartbeat) => bus.publish(SUBJECTS.leader, encodeHeartbeat(heartbeat)),
      stop: () => {},
    },
    clock,
    clocks: new ClockComparison(change.clock ?? clock),
    subjects: SUBJECTS,
    instance: 'a',
    writer: 1,
    intake: INTAKE_DEFAULTS,
    authority: commandAuthority('production'),
    stateHashes: { everyFrames: 4, runFrames: 64 },
    heartbeatMs: HEARTBEAT_MS,
    takeoverAfterMs: TAKEOVER_AFTER_MS,
    retryMs: RETRY_MS,
    frameGapMs: 0,
    eventGapMs: 0,
    frameCommandsWanted: 4,
    frameVisitsMax: 1_000,
    eventBytesMax: 1_000_000,
    replica,
    eventsEnd: NO_EVENTS,
    eventsLacking: [],
    poison: { steps: [], commands: [] },
    findSuccessor: () => 'none',
    rebuild: () => assert.fail('no rebuild is expected'),
    onEnd: (end) => ends.push(end),
    watcher: watcherOf(seen),
    ...change,
  });
  let batches = 0;
  let numbers = 0;
  return {
    time,
    log,
    events,
    bus,
    leader,
    ends,
    seen,
    replica,
    pass: (forMs) => time.runUntil(time.nowMs() + forMs),
    send(count, change = {}) {
      const { epoch = leader.epoch, source = SOURCE, batch = ++batches, sender = SENDER } = change;
      const writer = new BatchWriter();
      for (let at = 0; at < count; at++) writer.add(cancelAll({ source, number: ++numbers }));
      const message = writer.close({ source, batch, epoch, floor: 0 });
      bus.deliver(SUBJECTS.commandsFrom(sender), message);
    },
  };
}

const nothing = () => {};
function watcherOf(seen: string[]): LeaderOptions['watcher'] {
  return {
    stateRestored: nothing,
    takeoverStarted: nothing,
    leadershipYielded: nothing,
    stoodStill: nothing,
    readerStalled: nothing,
    digestMatched: nothing,
    stateMatched: nothing,
    leaderElected: (epoch, sequence) => seen.push(`leads ${epoch} from ${sequence}`),
    clockJumped: () => {},
    frameMade: (commands) => seen.push(`made ${commands}`),
    frameStored: (sequence, commands) => seen.push(`stored ${sequence} of ${commands}`),
    batchRefused: (reason) => seen.push(reason),
    commandForbidden: ({ kind, sender }) => seen.push(`${sender} must not ${kind}`),
    commandPoisoned: ({ poison }) => seen.push(`poison ${poison}`),
  };
}

/** Returns a leader whose first frame is stored. */
export function openLeading(change: Partial<LeaderOptions> = {}): Stage {
  const stage = open(change);
  stage.log.settle();
  stage.pass(5);
  stage.bus.messages.length = 0;
  stage.seen.length = 0;
  return stage;
}

function cancelAll(id: CommandId): Command {
  const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
  return { kind: 'CancelAllOrders', ...id, ...user };
}
