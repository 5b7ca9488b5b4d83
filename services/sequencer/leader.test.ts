// The reign of a leader, with a COMMANDS log whose acknowledgements are in the test's hands: what
// it tells and when, how it groups commands into frames, how it leaves, is fenced and fails.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type Command,
  type CommandFrame,
  type CommandId,
  decodeCommandFrame,
  INITIAL_LIMITS,
} from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import type { Bus } from '../../infra/bus/index.ts';
import {
  BatchWriter,
  decodeLeaderBeat,
  decodeReply,
  type LeaderBeat,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import {
  type AppendOutcome,
  decodeEventBatch,
  type Extent,
  hashFrame,
  type LogStream,
  NO_EVENTS,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { soundPath } from '../../infra/journal/memory-log-path.ts';
import { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { INTAKE_DEFAULTS } from './intake.ts';
import { Leader, type LeaderEnd, type LeaderOptions } from './leader.ts';

const SUBJECTS = linkSubjects('test');
const SOURCE = 41;
const START_MS = 1_700_000_000_000;
const HEARTBEAT_MS = 100;
const RETRY_MS = 50;

/** Stores nothing by itself: the test acknowledges, loses, or puts another's message in place. */
class HandLog implements LogStream {
  readonly messages: Uint8Array[] = [];
  isSilent = false;
  readonly #clock: VirtualTime;
  readonly #underWay: { message: Uint8Array; done: (outcome: AppendOutcome) => void }[] = [];

  constructor(clock: VirtualTime) {
    this.#clock = clock;
  }

  append(sequence: number, message: Uint8Array, done: (outcome: AppendOutcome) => void): void {
    assert.equal(this.#underWay.length, 0, 'only one append is ever under way');
    assert.equal(sequence, this.messages.length + 1);
    this.#underWay.push({ message, done });
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

  /** The frame under way, if there is one. */
  underWay(): CommandFrame | undefined {
    return this.#underWay.length === 0 ? undefined : frameIn(this.#underWay[0].message);
  }

  /** Stores the append under way, unless another message is to stand there, and answers it. */
  settle(outcome: AppendOutcome = 'stored', instead?: Uint8Array): void {
    const [{ done, message }] = this.#underWay.splice(0);
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

/** Keeps what is said; the test speaks for gateways. */
class HandBus implements Bus {
  readonly said: { subject: string; message: Uint8Array }[] = [];
  readonly #receivers = new Map<string, (message: Uint8Array, subject: string) => void>();

  publish(subject: string, message: Uint8Array): void {
    this.said.push({ subject, message: new Uint8Array(message) });
  }

  subscribe(subject: string, receive: (message: Uint8Array, subject: string) => void) {
    this.#receivers.set(subject, receive);
    return { stop: () => this.#receivers.delete(subject) };
  }

  deliver(message: Uint8Array): void {
    this.#receivers.get(SUBJECTS.commands)?.(message, SUBJECTS.commands);
    message.fill(0xdd);
  }

  /** Beats since the last look. */
  beats(): LeaderBeat[] {
    return this.#take(SUBJECTS.leader).map((message) => {
      const beat = decodeLeaderBeat(message);
      assert.ok(beat);
      return beat;
    });
  }

  /** What gateways were told since the last look: `#frame: number refusal, …` or `batch reason`. */
  told(source = SOURCE): string[] {
    return this.#take(SUBJECTS.resultsFor(source)).map((message) => {
      const reply = decodeReply(message);
      assert.ok(reply);
      if (reply.kind === 'batch-refused') return `${reply.batch} ${reply.reason}`;
      const results = reply.results.map(({ number, refusal }) => `${number} ${refusal}`);
      return `#${reply.sequence}: ${results.join(', ')}`;
    });
  }

  #take(subject: string): Uint8Array[] {
    const taken = this.said.filter((one) => one.subject === subject);
    const rest = this.said.filter((one) => one.subject !== subject);
    this.said.splice(0, this.said.length, ...rest);
    return taken.map(({ message }) => message);
  }
}

interface Stage {
  readonly time: VirtualTime;
  readonly log: HandLog;
  readonly events: MemoryLog;
  readonly bus: HandBus;
  readonly leader: Leader;
  readonly ends: LeaderEnd[];
  /** Watched moments, as words. */
  readonly seen: string[];
  readonly replica: Replica;
  pass(forMs: number): void;
  /** A batch of so many commands, for the leader's epoch unless told otherwise. */
  send(count: number, change?: { epoch?: number; source?: number; batch?: number }): void;
}

function open(change: Partial<LeaderOptions> = {}): Stage {
  const random = new Random(1);
  const time = new VirtualTime({ startMs: START_MS, random, latenessMsMax: 0 });
  const log = new HandLog(time);
  const events = new MemoryLog(time);
  const clock = time.process(0);
  const path = soundPath(() => 0.5);
  const bus = new HandBus();
  const ends: LeaderEnd[] = [];
  const seen: string[] = [];
  const replica = change.replica ?? Replica.create();
  const leader = new Leader({
    commands: log,
    events: events.connect(clock, path),
    bus,
    clock,
    subjects: SUBJECTS,
    instance: 'a',
    writer: 1,
    intake: INTAKE_DEFAULTS,
    genesis: INITIAL_LIMITS,
    stateHashes: { everyFrames: 4, budgetMs: 1_000 },
    heartbeatMs: HEARTBEAT_MS,
    retryMs: RETRY_MS,
    frameCommandsWanted: 4,
    eventBytesMax: 1_000_000,
    replica,
    eventsEnd: NO_EVENTS,
    eventsLacking: [],
    rebuild: () => assert.fail('nothing is torn'),
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
    send(count, { epoch = leader.epoch, source = SOURCE, batch = ++batches } = {}) {
      const writer = new BatchWriter();
      for (let at = 0; at < count; at++) writer.add(cancelAll({ source, number: ++numbers }));
      bus.deliver(writer.close({ source, batch, epoch, floor: 0 }));
    },
  };
}

const nothing = () => {};
function watcherOf(seen: string[]): LeaderOptions['watcher'] {
  return {
    started: nothing,
    takesOver: nothing,
    standsBack: nothing,
    stuck: nothing,
    agreed: nothing,
    leads: (epoch, sequence) => seen.push(`leads ${epoch} from ${sequence}`),
    frameMade: (commands) => seen.push(`made ${commands}`),
    frameStored: (sequence, commands) => seen.push(`stored ${sequence} of ${commands}`),
    batchRefused: (reason) => seen.push(reason),
    poisonMet: ({ poison }) => seen.push(`poison ${poison}`),
  };
}

/** A leader whose first frame is stored. */
function openLeading(change: Partial<LeaderOptions> = {}): Stage {
  const stage = open(change);
  stage.log.settle();
  stage.pass(5);
  stage.bus.said.length = 0;
  stage.seen.length = 0;
  return stage;
}

function cancelAll(id: CommandId): Command {
  const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
  return { kind: 'CancelAllOrders', ...id, ...user };
}

test('the first frame of an empty log is the limits of the exchange, in epoch 1', () => {
  const { bus, leader, log, pass, seen } = open();
  const { commands, epoch, sequence, timeMs } = log.underWay() ?? assert.fail();
  assert.deepEqual([epoch, sequence, timeMs], [1, 1, START_MS]);
  assert.deepEqual(
    commands.map(({ kind, source }) => [kind, source]),
    [['SetLimits', 0]],
  );
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual([bus.said, leader.isServing], [[], false], 'before that it says nothing');
  log.settle();
  assert.deepEqual(
    bus.beats().map(({ epoch, sequence, state }) => [epoch, sequence, state]),
    [[1, 1, 'leading']],
  );
  assert.deepEqual(seen, ['made 1', 'stored 1 of 1', 'leads 1 from 1']);
  assert.equal(leader.isServing, true);
  assert.deepEqual(bus.told(0), [], 'nobody is told of the first frame');
});

test('the first frame of a later leader is empty, one epoch further, and in the chain', () => {
  const before = openLeading();
  const { log } = open({ commands: before.log, replica: before.replica });
  assert.equal(log.underWay(), undefined);
  const frame = before.log.underWay() ?? assert.fail();
  const last = openSealedFrame(before.log.messages[0]) ?? assert.fail();
  assert.deepEqual([frame.epoch, frame.sequence, frame.commands], [2, 2, []]);
  assert.deepEqual(Buffer.from(frame.previousHash), Buffer.from(hashFrame(last.frame)));
});

test('nobody is told anything of a frame before the log has acknowledged it', () => {
  const { bus, events, log, pass, send, seen } = openLeading();
  send(2);
  pass(3);
  assert.equal(log.underWay()?.commands.length, 2);
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual([bus.told(), events.last, seen], [[], 1, ['made 2']]);
  for (const { commandsApplied, sequence } of bus.beats()) {
    assert.deepEqual([sequence, commandsApplied], [1, 1], 'a beat tells what is acknowledged');
  }
  log.settle();
  assert.deepEqual(bus.told(), ['#2: 1 none, 2 none']);
  pass(5);
  assert.deepEqual(decodeEventBatch(events.message(2)).parts[0].sequence, 2);
  assert.deepEqual(seen, ['made 2', 'stored 2 of 2']);
  pass(HEARTBEAT_MS);
  const beat = bus.beats().at(-1);
  assert.deepEqual([beat?.sequence, beat?.commandsApplied, beat?.eventsSequence], [2, 3, 2]);
});

test('nothing is told when the answer of the log is lost, until the log is seen to have it', () => {
  const { bus, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  log.isSilent = true;
  log.settle('unknown');
  pass(HEARTBEAT_MS);
  assert.deepEqual([bus.told(), bus.beats().at(-1)?.state], [[], 'waiting']);
  assert.deepEqual([leader.isServing, log.underWay()], [false, undefined]);
  log.isSilent = false;
  pass(RETRY_MS);
  assert.equal(log.underWay()?.sequence, 2, 'the log does not have it: it is sent again');
  log.settle();
  assert.deepEqual(bus.told(), ['#2: 1 none']);
});

test('batches that come together go into one frame, and each gateway is told of its own', () => {
  const { bus, log, pass, send } = openLeading();
  for (const [count, source] of [
    [2, SOURCE],
    [1, 42],
    [1, SOURCE],
  ])
    send(count, { source });
  pass(0);
  const names = log.underWay()?.commands.map(({ number, source }) => `${source}:${number}`);
  assert.deepEqual(names, ['41:1', '41:2', '42:3', '41:4']);
  log.settle();
  assert.deepEqual(bus.told(), ['#2: 1 none, 2 none, 4 none']);
  assert.deepEqual(bus.told(42), ['#2: 3 none']);
});

test('a frame travels alone; few commands wait for it, many are made a frame behind it', () => {
  const { log, pass, send, seen } = openLeading();
  send(1);
  pass(0);
  send(3);
  pass(0);
  assert.deepEqual(seen, ['made 1'], 'three are too few');
  send(1);
  pass(0);
  assert.deepEqual(seen, ['made 1', 'made 4'], 'four are worth a frame');
  send(9);
  pass(0);
  assert.deepEqual(seen, ['made 1', 'made 4'], 'but no third frame is made');
  for (const sequence of [2, 3, 4]) {
    assert.equal(log.underWay()?.sequence, sequence);
    log.settle();
    pass(0);
  }
  assert.deepEqual(
    log.frames.map(({ commands }) => commands.length),
    [1, 1, 4, 9],
  );
});

test('frames are chained, numbered and never go back in time', () => {
  const { log, pass, send } = openLeading();
  for (let count = 0; count < 3; count++) {
    send(1);
    pass(7);
    log.settle();
  }
  const { frames } = log;
  assert.deepEqual(
    frames.map(({ epoch, sequence, timeMs }) => [sequence, epoch, timeMs - START_MS]),
    [
      [1, 1, 0],
      [2, 1, 5],
      [3, 1, 12],
      [4, 1, 19],
    ],
  );
  for (let index = 1; index < frames.length; index++) {
    const before = openSealedFrame(log.messages[index - 1]) ?? assert.fail();
    assert.deepEqual(Buffer.from(frames[index].previousHash), Buffer.from(before.frameHash));
  }
});

test('a clock that is behind the log does not take the exchange back in time', () => {
  const ahead = openLeading();
  const random = new Random(1);
  const clock = new VirtualTime({ startMs: START_MS - 60_000, random, latenessMsMax: 0 });
  open({ commands: ahead.log, replica: ahead.replica, clock });
  assert.equal(ahead.log.underWay()?.timeMs, START_MS);
});

test('a batch for an earlier epoch is not taken; one for a later says that another leads', () => {
  const { bus, ends, log, pass, send } = openLeading();
  send(1, { epoch: 0 });
  bus.deliver(new Uint8Array(100));
  pass(10);
  assert.deepEqual([bus.told(), log.underWay(), ends], [[], undefined, []]);
  send(1, { epoch: 2 });
  assert.deepEqual(ends, [{ kind: 'fenced', reason: 'gateways know of epoch 2' }]);
});

test('what the door refuses is told at once, and no copy of it is taken later', () => {
  const intake = { ...INTAKE_DEFAULTS, waitingCommandsMax: 5, frameCommandsMax: 4 };
  const { bus, log, pass, send, seen } = openLeading({ intake });
  for (const count of [5, 3, 3]) send(count);
  assert.deepEqual(bus.told(), ['1 malformed', '3 busy']);
  assert.deepEqual(seen, ['malformed', 'busy']);
  pass(0);
  send(3, { batch: 3 });
  pass(0);
  assert.deepEqual([log.underWay()?.commands.length, bus.told()], [3, []]);
});

test('a batch that may have been applied and forgotten is too old, counting what waits', () => {
  const { bus, send } = openLeading();
  // The window is 1,024 and one command is in the log.
  for (const count of [1_000, 24, 23, 1]) send(count);
  assert.deepEqual(bus.told(), ['2 too_old', '4 too_old']);
});

test('another writer in its place ends it: fenced, and nobody is told of its frame', () => {
  const rival = openLeading();
  const { bus, ends, log, pass, send } = openLeading();
  send(1);
  pass(0);
  log.settle('conflict', rival.log.messages[0]);
  pass(10);
  assert.deepEqual(ends, [{ kind: 'fenced', reason: "message 2 is another writer's" }]);
  bus.beats();
  pass(10 * HEARTBEAT_MS);
  send(1);
  pass(10);
  assert.deepEqual([bus.said, log.underWay(), ends.length], [[], undefined, 1]);
});

test('asked to leave, it stores and tells what it took, and refuses what comes', () => {
  const { bus, ends, events, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  send(2);
  leader.leave();
  send(1);
  assert.deepEqual(bus.told(), ['3 not_leading']);
  assert.equal(bus.beats().at(-1)?.state, 'leaving');
  log.settle();
  pass(10);
  assert.deepEqual([bus.told(), ends], [['#2: 1 none'], []], 'one frame is still under way');
  log.settle();
  assert.deepEqual([bus.told(), ends], [['#3: 2 none, 3 none'], []]);
  pass(10);
  assert.deepEqual(ends, [{ kind: 'left', sequence: 3 }]);
  assert.equal(decodeEventBatch(events.message(events.last)).parts.at(-1)?.sequence, 3);
});

test('asked to leave with nothing to do, it leaves at once, but not before it leads', () => {
  const { bus, ends, leader, log, pass } = open();
  leader.leave();
  pass(HEARTBEAT_MS);
  assert.deepEqual([ends, bus.said], [[], []]);
  log.settle();
  pass(10);
  assert.deepEqual(ends, [{ kind: 'left', sequence: 1 }]);

  const idle = openLeading();
  idle.leader.leave();
  idle.pass(0);
  assert.deepEqual(idle.ends, [{ kind: 'left', sequence: 1 }]);
});

test('it does not leave before the EVENTS log has everything', () => {
  const { ends, events, leader, log, pass, send } = openLeading();
  events.beginOutage();
  send(1);
  pass(0);
  log.settle();
  leader.leave();
  pass(2_000);
  assert.deepEqual(ends, []);
  events.endOutage();
  pass(2_000);
  assert.deepEqual(ends, [{ kind: 'left', sequence: 2 }]);
});

test('while too many events wait for the EVENTS log no frame is made', () => {
  const { events, log, pass, send, seen } = openLeading({ eventBytesMax: 50 });
  events.beginOutage();
  for (let count = 0; count < 2; count++) {
    send(1);
    pass(0);
    log.settle();
  }
  seen.length = 0;
  send(1);
  pass(1_000);
  assert.deepEqual([seen, log.underWay()], [[], undefined]);
  events.endOutage();
  pass(2_000);
  assert.deepEqual(seen, ['made 1'], 'it goes on by itself');
});

test('other events than its own in the EVENTS log end it: failed', () => {
  const { ends, events, log, pass, send } = openLeading();
  const other = openLeading();
  other.time.runUntil(START_MS + 777);
  other.send(1);
  other.pass(0);
  other.log.settle();
  other.pass(10);
  send(1);
  pass(0);
  events.store(other.events.message(2));
  log.settle();
  pass(1_000);
  const reason = 'the EVENTS log has other events for frame 2';
  assert.deepEqual(ends, [{ kind: 'failed', reason }]);
});

test('once stopped it does nothing more', () => {
  const { bus, ends, leader, log, pass, send } = openLeading();
  send(1);
  pass(0);
  leader.stop();
  bus.said.length = 0;
  log.settle();
  send(1);
  pass(10 * HEARTBEAT_MS);
  assert.deepEqual([bus.said, log.underWay(), ends], [[], undefined, []]);
});
