// Sequencer roles, on an in-memory bus and logs: which one leads, when a standby takes over, how a
// leader hands over, and why a sequencer ends.

import assert from 'node:assert/strict';
import test from 'node:test';
import { INITIAL_LIMITS, SCHEMA_VERSION } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  encodeHeartbeat,
  type LeaderHeartbeat,
  linkSubjects,
} from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import { decodeEventBatch, encodeEventBatch, NO_HASH } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { wholeOf } from '../../infra/journal/snapshot-for-test.ts';
import type { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { type Connections, Machine } from '../../testing/simulator/machine.ts';
import { MemorySnapshots } from '../../testing/simulator/memory-snapshots.ts';
import { SimulatedBus } from '../../testing/simulator/simulated-bus.ts';
import { StraightReplay } from '../../testing/simulator/straight-replay.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { storeGenesis } from './genesis-for-test.ts';
import { Sequencer } from './sequencer.ts';
import { SEQUENCER_DEFAULTS, type SequencerSettings } from './sequencer-options.ts';

const START_MS = 1_700_000_000_000;
const { heartbeatMs, takeoverAfterMs } = SEQUENCER_DEFAULTS;
/** By then every standby has noticed an unresponsive leader and ticked once more. */
const TAKEOVER_MS = 1.25 * takeoverAfterMs + 2 * heartbeatMs;

class Stage {
  readonly time: VirtualTime;
  readonly commands: MemoryLog;
  readonly events: MemoryLog;
  readonly snapshots: MemorySnapshots;
  readonly bus: SimulatedBus;
  readonly gateway: Connections;
  readonly client: CommandClient;
  /** Observed events, as text. */
  readonly seen: string[] = [];
  /** Frames up to which a standby found its state equal. */
  readonly statesMatched: number[] = [];
  /** Command outcomes, by number. */
  readonly outcomes: string[] = [];
  readonly #settings: SequencerSettings;
  readonly #machines = new Map<string, Machine>();
  readonly #machine: (name: string) => Machine;
  #writers = 0;

  constructor(settings: Partial<SequencerSettings> = {}) {
    const numbers = new Random(7);
    const random = () => numbers.word() / 2 ** 32;
    const time = new VirtualTime({ startMs: START_MS, random: numbers, latenessMsMax: 0 });
    const delays = {
      random,
      delayMs: { leastMs: 1, mostMs: 1 },
      lateMs: { leastMs: 1, mostMs: 1 },
    };
    this.time = time;
    this.commands = new MemoryLog(time);
    storeGenesis(this.commands, { timeMs: time.nowMs() });
    this.events = new MemoryLog(time);
    this.snapshots = new MemorySnapshots(time);
    this.bus = new SimulatedBus(time, { ...delays, rates: {}, onFault: () => {} });
    const { bus, commands, events, snapshots } = this;
    const around = { time, commands, events, snapshots, bus, random, onFault: () => {} };
    this.#machine = (name) => new Machine(name, around);
    this.#settings = { ...SEQUENCER_DEFAULTS, ...settings };
    this.gateway = this.machine('gateway').boot();
    this.client = new CommandClient({
      ...COMMAND_CLIENT_DEFAULTS,
      ...this.gateway,
      exchange: 'test',
      sender: 'sandbox',
      source: 41,
    });
  }

  machine(name: string): Machine {
    const machine = this.#machines.get(name) ?? this.#machine(name);
    this.#machines.set(name, machine);
    return machine;
  }

  start(name: string, settings: Partial<SequencerSettings> = {}): Sequencer {
    const { seen, statesMatched } = this;
    return new Sequencer({
      ...this.machine(name).boot(),
      exchange: 'test',
      instance: name,
      writer: ++this.#writers,
      authority: commandAuthority('development'),
      settings: { ...this.#settings, ...settings },
      watcher: {
        stateRestored: (sequence) => seen.push(`${name} starts at ${sequence}`),
        takeoverStarted: (reason) => seen.push(`${name} starts takeover: ${reason}`),
        leadershipYielded: (reason) => seen.push(`${name} yields: ${reason}`),
        stoodStill: (reason) => seen.push(`${name} is stalled: ${reason}`),
        leaderElected: (epoch) => seen.push(`${name} leads ${epoch}`),
        clockJumped: () => {},
        frameMade: () => {},
        frameStored: () => {},
        batchRefused: () => {},
        commandForbidden: () => {},
        commandPoisoned: () => {},
        readerStalled: () => {},
        digestMatched: (sequence) => seen.push(`${name} matches up to ${sequence}`),
        stateMatched: (sequence) => statesMatched.push(sequence),
      },
      onEnd: ({ kind, reason }) => seen.push(`${name} ${kind}: ${reason}`),
    });
  }

  pass(forMs: number): void {
    this.time.runUntil(this.time.nowMs() + forMs);
  }

  /** Sends this many commands, each in a separate turn. */
  send(count = 1): void {
    const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
    for (let index = 0; index < count; index++) {
      const id = this.client.nextId();
      this.client.send({ kind: 'CancelAllOrders', ...id, ...user }, 10_000, ({ kind }) => {
        this.outcomes.push(`${id.number} ${kind}`);
      });
      this.pass(5);
    }
  }

  takeSeen(): string[] {
    return this.seen.splice(0);
  }

  /** Replays the log with a separate engine. */
  replay(): StraightReplay {
    const replay = new StraightReplay(INITIAL_LIMITS, new Set([this.commands.last]));
    for (let at = 1; at <= this.commands.last; at++) replay.apply(this.commands.message(at));
    return replay;
  }

  /** Checks that the EVENTS log contains the events of every frame, once and in order. */
  assertEvents(): void {
    const { eventFrames } = this.replay();
    const found: Uint8Array[] = [];
    let hash: Uint8Array = NO_HASH;
    for (let at = 1; at <= this.events.last; at++) {
      const batch = decodeEventBatch(this.events.message(at));
      assert.deepEqual(Buffer.from(batch.previousHash), Buffer.from(hash));
      hash = batch.hash;
      for (const { bytes } of batch.parts) found.push(new Uint8Array(bytes));
    }
    assert.deepEqual(found, eventFrames);
  }
}

/** `a` leads and `b` follows, both on an exchange with a few frames. */
function openPair(settings: Partial<SequencerSettings> = {}) {
  const stage = new Stage(settings);
  const leader = stage.start('a');
  stage.pass(TAKEOVER_MS);
  const standby = stage.start('b');
  stage.send(3);
  stage.pass(500);
  assert.deepEqual([leader.state, standby.state], ['leading', 'following']);
  stage.takeSeen();
  return { stage, leader, standby };
}

test('a single sequencer on a new log waits for a leader and then leads', () => {
  const stage = new Stage();
  const sequencer = stage.start('a');
  stage.pass(takeoverAfterMs);
  assert.deepEqual([stage.takeSeen(), sequencer.state], [['a starts at 0'], 'following']);
  stage.pass(TAKEOVER_MS - takeoverAfterMs);
  assert.deepEqual(stage.takeSeen(), ['a starts takeover: no leader heartbeat', 'a leads 1']);
  stage.send();
  stage.pass(100);
  assert.deepEqual(stage.outcomes, ['1 answered']);
  stage.assertEvents();
});

test('of several sequencers that start together, only one leads and writes', () => {
  for (let count = 2; count <= 5; count++) {
    const stage = new Stage();
    const names = Array.from({ length: count }, (_, at) => `sequencer-${at + 1}`);
    const sequencers = names.map((name) => stage.start(name));
    stage.pass(3 * TAKEOVER_MS);
    const states = sequencers.map(({ state }) => state);
    assert.equal(states.filter((state) => state === 'leading').length, 1);
    const ended = stage
      .takeSeen()
      .filter((one) => one.includes('fenced: another writer stored message 2'));
    assert.equal(states.filter((state) => state === 'ended').length, ended.length);
    assert.equal(stage.commands.last, 2, 'only one of them has written');
  }
});

test("a standby reaches the leader's state and reports how far they match", () => {
  const { leader, stage, standby } = openPair({
    stateHashes: { everyFrames: 10, runFrames: 20 },
  });
  stage.send(70);
  stage.pass(500);
  assert.deepEqual(stage.takeSeen(), ['b matches up to 64']);
  assert.equal(stage.statesMatched.at(-1), 70, 'the state is compared too');
  assert.equal(standby.replica?.sequence, stage.commands.last);
  assert.equal(standby.replica?.stateHash(), leader.replica?.stateHash());
});

test('the standby replaces a dead leader and answers the pending commands', () => {
  const { stage, standby } = openPair();
  stage.machine('a').commandsPath.delayMs = { leastMs: 20, mostMs: 20 };
  // The log will have this frame, but the leader cannot report it.
  stage.send();
  stage.pass(20);
  stage.machine('a').kill();
  stage.send();
  stage.pass(takeoverAfterMs - heartbeatMs);
  assert.deepEqual(stage.takeSeen(), [], 'it is delayed before it takes over');
  stage.pass(TAKEOVER_MS);
  assert.deepEqual(stage.takeSeen(), ['b starts takeover: no leader heartbeat', 'b leads 2']);
  stage.pass(2_000);
  assert.deepEqual(stage.outcomes.slice(3), ['4 answered', '5 answered']);
  const fates = [...stage.replay().histories.values()];
  assert.deepEqual(
    fates.map(({ applications }) => applications),
    [1, 1, 1, 1, 1, 1],
  );
  assert.equal(standby.leader?.isServing, true);
  stage.assertEvents();
});

test('a leader that was paused for a long time is fenced, busy or idle', () => {
  for (const isBusy of [true, false]) {
    const { leader, stage } = openPair();
    if (isBusy) stage.send();
    stage.machine('a').pause();
    stage.send();
    stage.pass(2 * TAKEOVER_MS);
    assert.deepEqual(stage.takeSeen().slice(-1), ['b leads 2']);
    const before = stage.commands.last;
    stage.machine('a').resume();
    stage.pass(TAKEOVER_MS);
    assert.equal(stage.takeSeen().filter((one) => one.startsWith('a fenced: ')).length, 1);
    assert.equal(leader.state, 'ended');
    assert.equal(stage.commands.last, before, 'the old leader has written nothing');
    assert.ok(stage.outcomes.every((word) => word.endsWith('answered')));
    stage.assertEvents();
  }
});

test('a replaced leader is fenced by a heartbeat or by its check of the log', () => {
  for (const hearsHeartbeat of [true, false]) {
    const { stage } = openPair();
    if (hearsHeartbeat) stage.bus.cut({ from: 'a', to: 'b' });
    else stage.bus.isolate('a');
    stage.pass(2 * TAKEOVER_MS);
    const inLog = `another writer stored message ${stage.commands.last}`;
    const reason = hearsHeartbeat ? 'b leads epoch 2' : inLog;
    assert.deepEqual(stage.takeSeen().slice(-2), ['b leads 2', `a fenced: ${reason}`]);
  }
});

test("a leader that finds another writer's message in the log is fenced", () => {
  const { stage } = openPair();
  stage.commands.store(new Uint8Array(100));
  stage.send();
  stage.pass(500);
  assert.ok(
    stage.takeSeen().includes(`a fenced: another writer stored message ${stage.commands.last}`),
  );
  assert.ok(!stage.outcomes.includes('4 answered'));
});

test('a standby that was paused itself does not take over', () => {
  for (const pausedMs of [600, 2_000, 60_000]) {
    const { stage, standby } = openPair();
    stage.machine('b').pause();
    stage.pass(pausedMs);
    stage.machine('b').resume();
    stage.pass(TAKEOVER_MS);
    assert.deepEqual([stage.takeSeen(), standby.state], [[], 'following'], `${pausedMs} ms`);
  }
});

test('a leader that is paused briefly continues', () => {
  const { leader, stage } = openPair();
  stage.machine('a').pause();
  stage.send();
  stage.pass(takeoverAfterMs / 2);
  stage.machine('a').resume();
  stage.pass(TAKEOVER_MS);
  assert.deepEqual([stage.takeSeen(), leader.state], [[], 'leading']);
  assert.deepEqual(stage.outcomes.slice(3), ['4 answered']);
});

test('a leader that shuts down hands over to a standby, which leads immediately', () => {
  const { leader, stage } = openPair();
  stage.send(2);
  const last = stage.commands.last;
  leader.shutDown();
  stage.send();
  stage.pass(50);
  assert.deepEqual(stage.takeSeen(), [
    `a stopped: b continues from frame ${last}`,
    'b starts takeover: a hands over',
    'b leads 2',
  ]);
  stage.pass(1_000);
  assert.deepEqual(stage.outcomes.slice(3), ['4 answered', '5 answered', '6 answered']);
  stage.assertEvents();
});

test('a leader without a live standby shuts down without a handover', () => {
  for (const isGone of [false, true]) {
    const stage = new Stage();
    const leader = stage.start('a');
    if (isGone) stage.start('b');
    stage.pass(2 * TAKEOVER_MS);
    if (isGone) stage.machine('b').kill();
    stage.pass(11 * heartbeatMs);
    stage.takeSeen();
    leader.shutDown();
    stage.pass(50);
    assert.deepEqual(stage.takeSeen(), ['a stopped: shutdown requested; no standby available']);
  }
});

test('a standby shuts down immediately', () => {
  const { stage, standby } = openPair();
  standby.shutDown();
  assert.deepEqual([stage.takeSeen(), standby.state], [['b stopped: shutdown requested'], 'ended']);
  stage.pass(10 * TAKEOVER_MS);
  assert.deepEqual(stage.takeSeen(), []);
});

test('a handover for an earlier epoch or to another standby is ignored', () => {
  const { stage } = openPair();
  const { handOver } = linkSubjects('test');
  for (const word of [
    { from: 'a', to: 'c', toWriter: 0, epoch: 1, sequence: 4 },
    { from: 'a', to: 'b', toWriter: 3, epoch: 1, sequence: 4 },
    { from: 'a', to: 'b', toWriter: 2, epoch: 0, sequence: 4 },
  ]) {
    stage.gateway.bus.publish(handOver, encodeHeartbeat(word));
  }
  stage.pass(500);
  assert.deepEqual(stage.takeSeen(), []);
});

/** Changes the result of the standby's engine, as a bug or faulty memory would. */
const SPOILT: Record<string, { spoil: (replica: Replica) => void; halts: RegExp }> = {
  'its events': {
    spoil: ({ exchange }) => {
      exchange.commandsApplied += 1;
    },
    halts: /^b halted: the events of the frames up to 64 differ from the leader's$/,
  },
  'its state': {
    spoil: ({ exchange }) => {
      exchange.tradesExecuted += 1;
    },
    halts: /^b halted: the state at frame \d+ differs from the leader's$/,
  },
};

for (const [name, { spoil, halts }] of Object.entries(SPOILT)) {
  test(`a standby that differs from the leader in ${name} halts`, () => {
    const stateHashes = { everyFrames: name === 'its state' ? 8 : 1_000, runFrames: 8 };
    const { leader, stage, standby } = openPair({ stateHashes });
    spoil(standby.replica ?? assert.fail());
    stage.send(70);
    stage.pass(500);
    assert.match(stage.takeSeen().join(), halts);
    assert.deepEqual([leader.state, standby.state], ['leading', 'ended']);
  });
}

test('a standby with a different state is detected at the next heartbeat and never leads', () => {
  // A leader publishes hashes starting with the first run that begins in its epoch.
  const stateHashes = { ...SEQUENCER_DEFAULTS.stateHashes, runFrames: 4 };
  const { stage, standby } = openPair({ stateHashes });
  SPOILT['its state'].spoil(standby.replica ?? assert.fail());
  stage.send(3);
  stage.pass(150);
  stage.machine('a').kill();
  stage.pass(5_000);
  assert.match(stage.takeSeen().join(), SPOILT['its state'].halts);
  assert.equal(standby.state, 'ended');
});

/** A leader's report of its state at frame 64, from a release with another schema. */
const OF_OTHER_RELEASE: Record<string, Partial<LeaderHeartbeat>> = {
  events: { outputDigests: [{ sequence: 64, digest: 1 }] },
  state: { stateHash: 'x', stateHashSequence: 64 },
};

for (const [name, report] of Object.entries(OF_OTHER_RELEASE)) {
  test(`the ${name} from a leader with another schema are compared too`, () => {
    const { stage, standby } = openPair({ stateHashes: { everyFrames: 64, runFrames: 64 } });
    stage.send(70);
    stage.machine('a').kill();
    const heartbeat: LeaderHeartbeat = {
      instance: 'a',
      writer: 99,
      epoch: 1,
      state: 'leading',
      sequence: 70,
      commandsApplied: 70,
      unacknowledgedMs: 0,
      acknowledgedMs: 0,
      eventsSequence: 70,
      schemaVersion: SCHEMA_VERSION + 1,
      outputDigests: [],
      stateHash: '',
      stateHashSequence: 0,
      ...report,
    };
    stage.takeSeen();
    stage.gateway.bus.publish(linkSubjects('test').leader, encodeHeartbeat(heartbeat));
    stage.pass(100);
    assert.match(stage.takeSeen().join(), /^b halted: .* differs? from the leader's$/);
    assert.equal(standby.state, 'ended');
  });
}

test('a new leader writes the events that its predecessor did not write', () => {
  const { stage, standby } = openPair();
  stage.machine('a').eventsPath.isCut = true;
  stage.send(5);
  assert.deepEqual(stage.outcomes.slice(3).length, 5, 'commands get responses during the outage');
  stage.pass(1_000);
  stage.machine('a').kill();
  stage.pass(2 * TAKEOVER_MS);
  assert.equal(standby.state, 'leading');
  stage.assertEvents();
});

test('a standby that discarded events missing from EVENTS does not lead; another can', () => {
  const { stage } = openPair();
  stage.machine('b').kill();
  stage.start('c', { eventBytesMax: 20 });
  stage.pass(500);
  stage.machine('a').eventsPath.isCut = true;
  stage.send(8);
  stage.machine('a').kill();
  stage.takeSeen();
  stage.pass(2 * TAKEOVER_MS);
  const [first, second] = stage.takeSeen();
  assert.deepEqual([first, second], ['c starts takeover: no leader heartbeat', 'c starts at 0']);
  const other = stage.start('d');
  stage.pass(2 * TAKEOVER_MS);
  assert.equal(other.state, 'leading');
  stage.assertEvents();
});

const UNFIT: Record<string, { spoil: (stage: Stage) => void; reason: RegExp }> = {
  'a damaged last batch in the EVENTS log': {
    spoil: ({ events }) => {
      events.message(events.last)[100] ^= 1;
    },
    reason: /^c halted: the last batch of the EVENTS log is damaged$/,
  },
  'a frame that breaks the chain': {
    spoil: ({ commands }) => void commands.store(commands.message(2)),
    reason: /^c halted: frame \d+ cannot be applied: ChainFault: frame 2 does not follow frame/,
  },
  'a message that stays damaged': {
    spoil: ({ commands }) => {
      commands.message(3)[100] ^= 1;
    },
    reason: /^c halted: message 3 is damaged$/,
  },
};

for (const [name, { spoil, reason }] of Object.entries(UNFIT)) {
  test(`${name}: a sequencer that starts there halts`, () => {
    const { stage } = openPair();
    for (const machine of ['a', 'b']) stage.machine(machine).kill();
    spoil(stage);
    stage.start('c');
    stage.pass(5_000);
    assert.match(
      stage
        .takeSeen()
        .filter((one) => one.includes('halted'))
        .join(),
      reason,
    );
  });
}

test('a standby that finds different events in the EVENTS log halts', () => {
  const { stage } = openPair();
  stage.machine('a').eventsPath.isCut = true;
  stage.send(1);
  stage.machine('a').kill();
  const { hash } = decodeEventBatch(stage.events.message(stage.events.last));
  const sequence = stage.commands.last;
  const bytes = stage.replay().eventFrames[sequence - 1];
  bytes[bytes.length - 1] ^= 1;
  stage.events.store(encodeEventBatch(hash, [{ sequence, part: 0, isLast: true, bytes }]).message);
  stage.pass(2 * TAKEOVER_MS);
  const reason = `the EVENTS log has different events for frame ${sequence}`;
  assert.equal(stage.takeSeen().at(-1), `b halted: ${reason}`);
});

test('a sequencer waits until logs and snapshots respond, and then starts', () => {
  const { stage } = openPair();
  for (const name of ['a', 'b']) stage.machine(name).kill();
  stage.events.beginOutage();
  stage.machine('c').snapshotFaults.rates = { snapshot_unavailable: 1 };
  const sequencer = stage.start('c');
  stage.pass(5_000);
  assert.equal(sequencer.state, 'starting');
  stage.events.endOutage();
  stage.pass(1_000);
  assert.equal(sequencer.state, 'starting');
  stage.machine('c').snapshotFaults.rates = {};
  stage.pass(2 * TAKEOVER_MS);
  assert.equal(sequencer.state, 'leading');
});

test('a sequencer starts from the newest snapshot whose events are all stored', () => {
  const { leader, stage } = openPair();
  const keep = () => {
    const snapshot = wholeOf(leader.replica?.snapshot() ?? assert.fail());
    stage.snapshots.write(snapshot);
    stage.snapshots.confirm(snapshot.info.sequence);
    return snapshot.info.sequence;
  };
  const first = keep();
  stage.send(3);
  stage.pass(100);
  const second = keep();
  stage.machine('a').eventsPath.isCut = true;
  stage.send(3);
  keep();
  for (const name of ['a', 'b']) stage.machine(name).kill();
  const sequencer = stage.start('c');
  stage.pass(2 * TAKEOVER_MS);
  assert.equal(stage.takeSeen()[0], `c starts at ${second}`);
  assert.ok(first < second);
  assert.equal(sequencer.state, 'leading');
  stage.assertEvents();
});

test('a log that was rolled back stops leader and standby, and neither writes to it', () => {
  const { leader, stage, standby } = openPair();
  stage.send(5);
  stage.pass(500);
  stage.takeSeen();
  const { last } = stage.commands;
  stage.commands.putBack(last - 4);
  stage.pass(60_000);
  const reason = `halted: the log ends at ${last - 4}, but it had message ${last}`;
  const seen = stage.takeSeen();
  for (const name of ['a', 'b']) {
    assert.ok(
      seen.some((line) => line.startsWith(`${name} ${reason}`)),
      seen.join(),
    );
  }
  assert.deepEqual([leader.state, standby.state], ['ended', 'ended']);
  assert.equal(stage.commands.last, last - 4);
});

test('without a leader, a sequencer that cannot lead reports why after some seconds', () => {
  const { stage } = openPair();
  stage.events.beginOutage();
  stage.machine('a').kill();
  stage.pass(4_000);
  const standsStill = () => stage.takeSeen().filter((line) => line.includes('is stalled'));
  assert.deepEqual(standsStill(), []);
  stage.pass(10_000);
  assert.deepEqual(standsStill(), ['b is stalled: EVENTS does not respond']);
  stage.pass(60_000);
  assert.deepEqual(standsStill(), ['b is stalled: EVENTS does not respond'], 'once per minute');
  stage.events.endOutage();
  stage.pass(70_000);
  assert.deepEqual(standsStill(), []);
});
