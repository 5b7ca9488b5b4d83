// Engine failures and timers in a complete sequencer: the engine fails on a command or on a time
// step, and switches fire without any command.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  type CommandFrame,
  decodeCommandFrame,
  INITIAL_LIMITS,
  type Limits,
} from '../../core/messages/index.ts';
import {
  COMMAND_CLIENT_DEFAULTS,
  CommandClient,
  type Outcome,
} from '../../infra/command-link/index.ts';
import { commandAuthority } from '../../infra/identities/index.ts';
import { openSealedFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import type { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { order } from '../../testing/flows/set-up.ts';
import type { CommandWithoutId } from '../../testing/reference-models/index.ts';
import { Machine } from '../../testing/simulator/machine.ts';
import { MemorySnapshots } from '../../testing/simulator/memory-snapshots.ts';
import { SimulatedBus } from '../../testing/simulator/simulated-bus.ts';
import { StraightReplay } from '../../testing/simulator/straight-replay.ts';
import { LISTINGS, withId } from '../../testing/simulator/trading-commands.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { storeGenesis } from './genesis-for-test.ts';
import { Sequencer } from './sequencer.ts';
import { SEQUENCER_DEFAULTS, type SequencerSettings } from './sequencer-options.ts';

const START_MS = 1_700_000_000_000;
const USDT = 1;
const ALICE = 1;
const BOB = 2;

interface Stage {
  readonly bus: SimulatedBus;
  readonly commands: MemoryLog;
  readonly seen: string[];
  readonly client: CommandClient;
  pass(forMs: number): void;
  /** Starts a sequencer on this machine, killing one that already runs there. */
  start(name: string): Sequencer;
  machine(name: string): Machine;
  kill(name: string): void;
  /** Sends these together and returns their outcomes. */
  send(...bodies: CommandWithoutId[]): string[];
  frames(): CommandFrame[];
}

function open(settings: Partial<SequencerSettings>, genesis: Limits): Stage {
  const numbers = new Random(7);
  const random = () => numbers.word() / 2 ** 32;
  const time = new VirtualTime({ startMs: START_MS, random: numbers, latenessMsMax: 0 });
  const commands = new MemoryLog(time);
  storeGenesis(commands, { timeMs: START_MS, limits: genesis });
  const delays = { random, delayMs: { leastMs: 1, mostMs: 1 }, lateMs: { leastMs: 1, mostMs: 1 } };
  const bus = new SimulatedBus(time, { ...delays, rates: {}, onFault: () => {} });
  const logs = { commands, events: new MemoryLog(time), snapshots: new MemorySnapshots(time) };
  const around = { ...logs, time, bus, random, onFault: () => {} };
  const machines = new Map<string, Machine>();
  const seen: string[] = [];
  let writers = 0;
  const gateway = new Machine('gateway', around).boot();
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    ...gateway,
    exchange: 'test',
    sender: 'sandbox',
    source: 41,
  });
  const pass = (forMs: number) => time.runUntil(time.nowMs() + forMs);
  return {
    bus,
    commands,
    seen,
    client,
    pass,
    start(name) {
      const machine = machines.get(name) ?? new Machine(name, around);
      machines.set(name, machine);
      return new Sequencer({
        ...machine.boot(),
        exchange: 'test',
        instance: name,
        writer: ++writers,
        authority: commandAuthority('development'),
        settings: { ...SEQUENCER_DEFAULTS, ...settings },
        watcher: {
          stateRestored: () => {},
          takeoverStarted: () => {},
          leadershipYielded: () => {},
          stoodStill: () => {},
          leaderElected: (epoch) => seen.push(`${name} leads ${epoch}`),
          clockJumped: () => {},
          frameMade: () => {},
          frameStored: () => {},
          batchRefused: (reason) => seen.push(reason),
          commandForbidden: () => {},
          commandPoisoned: ({ poison }) => seen.push(`poison ${poison}`),
          readerStalled: () => {},
          digestMatched: () => {},
          stateMatched: () => {},
        },
        onEnd: ({ kind, reason }) => seen.push(`${name} ${kind}: ${reason}`),
      });
    },
    machine: (name) => machines.get(name) ?? assert.fail(),
    kill: (name) => machines.get(name)?.kill(),
    send(...bodies) {
      const outcomes: string[] = [];
      for (const [index, body] of bodies.entries()) {
        client.send(withId(body, client.nextId()), 5_000, (outcome) => {
          outcomes[index] = textOf(outcome);
        });
      }
      pass(5_000);
      return outcomes;
    },
    frames: () =>
      Array.from({ length: commands.last }, (_, at) => {
        const sealed = openSealedFrame(commands.message(at + 1));
        return decodeCommandFrame(sealed?.frame ?? assert.fail());
      }),
  };
}

function textOf(outcome: Outcome): string {
  return outcome.kind === 'answered' ? outcome.result.refusal : outcome.kind;
}

function deposit(user: number, asset: number, channelSequence: number): CommandWithoutId {
  return {
    kind: 'CreditDeposit',
    channel: 1,
    channelSequence,
    user,
    asset,
    amountAtoms: 10n ** 10n,
    reference: '',
  };
}

function buy(user: number, priceTicks: number): CommandWithoutId {
  return order({ user, market: 1, side: 'buy', priceTicks, sizeLots: 10 });
}

function sell(user: number, priceTicks: number): CommandWithoutId {
  return order({ user, market: 1, side: 'sell', priceTicks, sizeLots: 10 });
}

function armSwitch(user: number, timeoutMs: number): CommandWithoutId {
  return { kind: 'SetDeadManSwitch', user, key: 0, timeoutMs };
}

/** Returns a sequencer that leads an exchange with one market and two funded users. */
function openTrading(
  settings: Partial<SequencerSettings> = {},
  genesis = INITIAL_LIMITS,
): Stage & { leader: Sequencer } {
  const stage = open(settings, genesis);
  const leader = stage.start('a');
  stage.pass(2_000);
  const money = [
    deposit(ALICE, 1, 1),
    deposit(ALICE, 2, 2),
    deposit(BOB, 1, 3),
    deposit(BOB, 2, 4),
  ];
  const outcomes = stage.send(...LISTINGS, ...money);
  assert.deepEqual(new Set(outcomes), new Set(['none']));
  assert.deepEqual(stage.seen.splice(0), ['a leads 1']);
  return { ...stage, leader };
}

/** Makes this process's engine fail at its next fill. */
function spoilFills({ replica }: Sequencer): void {
  const { exchange } = replica ?? assert.fail();
  const fill = () => {
    throw new Error('injected bug');
  };
  exchange.matchListener = { ...exchange.matchListener, fill };
}

/** Makes the engine fail when it releases this user's hold on an asset. */
function spoilHold({ replica }: Sequencer, user: number, asset: number): void {
  const { accounts } = (replica ?? assert.fail()).exchange.ledger;
  accounts.setHeldAtoms(accounts.find(user, asset as never), 0n);
}

/** Makes the engine fail on these deposit commands. */
function spoilDeposits({ exchange }: Replica, commands: readonly number[]): void {
  const { ledger } = exchange;
  const issue = ledger.issue.bind(ledger);
  ledger.issue = (...credit) => {
    if (commands.includes(exchange.command)) throw new Error('injected bug');
    issue(...credit);
  };
}

/** Replays the log from its first frame, without the sequencer. */
function replayed({ commands }: Stage): string | undefined {
  const replay = new StraightReplay(INITIAL_LIMITS, new Set([commands.last]));
  for (let at = 1; at <= commands.last; at++) replay.apply(commands.message(at));
  return replay.milestone(commands.last)?.stateHash;
}

test('a poison command freezes its market, and other commands are applied', () => {
  const stage = openTrading();
  const { leader, seen, send } = stage;
  assert.deepEqual(send(buy(BOB, 10_000)), ['none']);
  const number = 1 + (leader.replica?.exchange.commandsApplied ?? 0) + 1;
  spoilFills(leader);
  const outcomes = send(
    sell(ALICE, 10_100),
    sell(ALICE, 10_000),
    deposit(BOB, 1, 5),
    buy(BOB, 9_900),
  );
  assert.deepEqual(outcomes, ['none', 'command_is_poisoned', 'none', 'market_is_frozen']);
  assert.deepEqual(seen, [`poison ${number}`]);
  assert.deepEqual(stage.frames().at(-1)?.poisoned, [number]);
  const all: CommandWithoutId = {
    kind: 'CancelAllOrders',
    user: ALICE,
    market: 1,
    byOperator: false,
  };
  assert.deepEqual(send(sell(ALICE, 10_000), all), ['market_is_frozen', 'none']);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('a standby that replays a poison command reaches the same state and can lead', () => {
  const stage = openTrading();
  const { kill, leader, pass, seen, send, start } = stage;
  send(buy(BOB, 10_000));
  spoilFills(leader);
  assert.deepEqual(send(sell(ALICE, 10_000)), ['command_is_poisoned']);
  const standby = start('b');
  pass(500);
  assert.equal(standby.replica?.stateHash(), leader.replica?.stateHash());
  kill('a');
  pass(2_000);
  assert.deepEqual(seen.slice(1), ['b leads 2']);
  assert.deepEqual(send(sell(ALICE, 10_000)), ['market_is_frozen']);
  assert.equal(standby.replica?.stateHash(), replayed(stage));
});

test('a repeated poison command gets a response without another failure', () => {
  const { client, leader, pass, seen, send } = openTrading();
  send(buy(BOB, 10_000));
  spoilFills(leader);
  const command = withId(sell(ALICE, 10_000), client.nextId());
  const outcomes: string[] = [];
  for (let count = 0; count < 2; count++) {
    client.send(command, 5_000, (outcome) => outcomes.push(textOf(outcome)));
    pass(2_000);
  }
  assert.deepEqual(outcomes, ['command_is_poisoned', 'command_is_poisoned']);
  assert.equal(seen.length, 1);
});

test('a leader that rebuilds its state refuses batches as busy and then continues', () => {
  const stage = openTrading();
  const { client, leader, machine, pass, seen, send } = stage;
  send(buy(BOB, 10_000));
  spoilFills(leader);
  machine('a').snapshotFaults.rates = { snapshot_unavailable: 1 };
  const outcomes: string[] = [];
  const ask = (body: CommandWithoutId) => {
    client.send(withId(body, client.nextId()), 60_000, (outcome) => {
      outcomes.push(outcome.kind === 'not_taken' ? outcome.reason : textOf(outcome));
    });
    pass(500);
  };
  ask(sell(ALICE, 10_000));
  ask(deposit(BOB, 1, 5));
  assert.deepEqual([outcomes, leader.leader?.isServing], [['busy'], false]);
  machine('a').snapshotFaults.rates = {};
  pass(500);
  ask(deposit(BOB, 1, 5));
  assert.deepEqual(outcomes, ['busy', 'command_is_poisoned', 'none']);
  assert.deepEqual(seen.slice(1), ['busy']);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('a leader that shuts down during a rebuild first stores what it accepted', () => {
  const stage = openTrading();
  const { client, leader, machine, pass, seen, send } = stage;
  send(buy(BOB, 10_000));
  spoilFills(leader);
  machine('a').snapshotFaults.rates = { snapshot_unavailable: 1 };
  const outcomes: string[] = [];
  const command = withId(sell(ALICE, 10_000), client.nextId());
  client.send(command, 60_000, (outcome) => outcomes.push(textOf(outcome)));
  pass(500);
  leader.shutDown();
  pass(500);
  assert.deepEqual([outcomes, seen.length], [[], 1]);
  machine('a').snapshotFaults.rates = {};
  pass(500);
  assert.deepEqual(outcomes, ['command_is_poisoned']);
  assert.match(seen[1], /^a stopped: /);
});

test('a standby takes over from a leader that met poison, and flags the command', () => {
  const stage = openTrading();
  const { client, leader, pass, seen, send, start } = stage;
  send(buy(BOB, 10_000));
  const standby = start('b');
  pass(500);
  spoilFills(leader);
  // Each engine has the bug: only the flag keeps the standby from failing as well.
  spoilFills(standby);
  const outcomes: string[] = [];
  for (const body of [sell(ALICE, 10_000), deposit(BOB, 1, 5)]) {
    client.send(withId(body, client.nextId()), 5_000, (outcome) => outcomes.push(textOf(outcome)));
  }
  pass(300);
  assert.deepEqual(outcomes, ['command_is_poisoned', 'none']);
  const { last } = stage.commands;
  const [poisoned] = stage.frames().flatMap((frame) => frame.poisoned ?? []);
  assert.deepEqual(seen, [
    `poison ${poisoned}`,
    `a fenced: the state is inconsistent after poison; b continues from frame ${last - 2}`,
    'b leads 2',
  ]);
  assert.equal(standby.replica?.stateHash(), replayed(stage));
});

test('a standby that does not receive the handover takes over without it', () => {
  const stage = openTrading();
  const { bus, client, leader, pass, seen, send, start } = stage;
  send(buy(BOB, 10_000));
  start('b');
  pass(500);
  spoilFills(leader);
  bus.cut({ from: 'a', to: 'b' });
  const outcomes: string[] = [];
  const command = withId(sell(ALICE, 10_000), client.nextId());
  client.send(command, 60_000, (outcome) => outcomes.push(textOf(outcome)));
  pass(3_000);
  assert.deepEqual([seen.at(-1), outcomes], ['b leads 2', ['none']]);
});

test('a time step on which the engine fails is flagged by the standby that takes over', () => {
  const stage = openTrading();
  const { leader, pass, seen, send, start } = stage;
  send(buy(BOB, 9_000), armSwitch(BOB, 20_000));
  const standby = start('b');
  pass(500);
  for (const one of [leader, standby]) spoilHold(one, BOB, USDT);
  pass(20_000);
  assert.equal(seen.filter((line) => line.startsWith('poison ')).length, 1);
  assert.equal(seen.at(-1), 'b leads 2');
  const { commands, poisoned } = stage.frames().at(-1) ?? assert.fail();
  assert.deepEqual([commands, poisoned?.length], [[], 1]);
  assert.deepEqual(send(buy(BOB, 9_001)), ['none']);
});

test('commands with much work are split into several frames, and each has one result', () => {
  const stage = openTrading({ frameVisitsMax: 2 });
  const { leader, send } = stage;
  const before = stage.commands.last;
  const bids = [buy(BOB, 10_000), buy(BOB, 9_999), buy(BOB, 9_998), buy(BOB, 9_997)];
  assert.deepEqual(send(...bids), Array(4).fill('none'));
  assert.equal(stage.commands.last, before + 1, 'orders without a match share a frame');
  const sweep = { ...sell(ALICE, 9_998), sizeLots: 20 } as CommandWithoutId;
  const outcomes = send(sell(ALICE, 10_000), sweep, sell(ALICE, 10_001), sell(ALICE, 9_997));
  assert.deepEqual(outcomes, Array(4).fill('none'));
  const sizes = stage.frames().map(({ commands }) => commands.length);
  assert.deepEqual(sizes.slice(before + 1), [2, 2]);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('several commands in one frame can be poison', () => {
  const stage = openTrading();
  const { client, leader, pass, seen } = stage;
  const { exchange } = leader.replica ?? assert.fail();
  const last = exchange.commandsApplied;
  const outcomes: string[] = [];
  for (const [index, user] of [ALICE, BOB, ALICE].entries()) {
    const body = { ...deposit(user, USDT, 1), channel: 5 + index } as CommandWithoutId;
    client.send(withId(body, client.nextId()), 5_000, (outcome) => outcomes.push(textOf(outcome)));
  }
  // Each rebuilt state has the bug as well.
  const spoiled = new Set<Replica>();
  for (let step = 0; step < 1_000; step++) {
    const { replica } = leader;
    if (replica !== undefined && !spoiled.has(replica))
      spoilDeposits(replica, [last + 1, last + 3]);
    if (replica !== undefined) spoiled.add(replica);
    pass(0.05);
  }
  assert.deepEqual(seen, [`poison ${last + 1}`, `poison ${last + 3}`]);
  assert.deepEqual(outcomes, ['command_is_poisoned', 'none', 'command_is_poisoned']);
  assert.deepEqual(stage.frames().at(-1)?.poisoned, [last + 1, last + 3]);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('poison behind a frame in flight is handled after that frame, which loses nothing', () => {
  const stage = openTrading({ frameCommandsWanted: 1 });
  const { client, leader, machine, pass, seen } = stage;
  machine('a').commandsPath.delayMs = { leastMs: 50, mostMs: 50 };
  const outcomes: string[] = [];
  for (const body of [buy(BOB, 10_000), sell(ALICE, 10_000)]) {
    client.send(withId(body, client.nextId()), 5_000, (outcome) => outcomes.push(textOf(outcome)));
    pass(20);
    spoilFills(leader);
  }
  assert.deepEqual([seen.length, outcomes], [1, []], 'found before the first frame is stored');
  pass(5_000);
  assert.deepEqual(outcomes, ['none', 'command_is_poisoned']);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('a time step on which the engine fails is poison, and the leader continues', () => {
  const stage = openTrading();
  const { leader, pass, seen, send } = stage;
  send(buy(BOB, 9_000), armSwitch(BOB, 20_000));
  spoilHold(leader, BOB, USDT);
  pass(20_000);
  assert.equal(seen.length, 1);
  const frame = stage.frames().at(-1);
  assert.deepEqual([frame?.commands, frame?.poisoned?.length], [[], 1]);
  assert.deepEqual(send(buy(BOB, 9_001)), ['none']);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('the log continues after poison in the first frame of an epoch', () => {
  const stage = openTrading();
  const { commands, kill, pass, seen, send, start } = stage;
  send(buy(BOB, 9_000), armSwitch(BOB, 6_000));
  const standby = start('b');
  pass(200);
  spoilHold(standby, BOB, USDT);
  const last = commands.last;
  // The switch becomes due while there is no leader.
  kill('a');
  pass(5_000);
  assert.equal(seen.at(-1), 'b leads 2');
  const { epoch, poisoned, sequence } = stage.frames()[last];
  assert.deepEqual([sequence, epoch, poisoned?.length], [last + 1, 2, 1]);
  assert.deepEqual(send(buy(BOB, 9_001)), ['none']);
  assert.equal(standby.replica?.stateHash(), replayed(stage));
});

/** Returns the times of empty frames after an epoch's first, in milliseconds after `sinceMs`. */
function wakings(stage: Stage, sinceMs: number): number[] {
  const frames = stage
    .frames()
    .filter(({ commands, sequence }) => commands.length > 0 || sequence > 2);
  return frames.flatMap(({ commands, timeMs }) =>
    commands.length === 0 ? [timeMs - sinceMs] : [],
  );
}

test('switches fire on time without any command, regardless of arming order', () => {
  const stage = openTrading();
  const { leader, pass, send } = stage;
  send(buy(ALICE, 9_000), armSwitch(ALICE, 60_000));
  const aliceArmedAtMs = leader.replica?.exchange.timeMs ?? 0;
  send(buy(BOB, 9_000), armSwitch(BOB, 15_000));
  const armedAtMs = leader.replica?.exchange.timeMs ?? 0;
  pass(9_990);
  assert.deepEqual(wakings(stage, armedAtMs), []);
  pass(20);
  assert.deepEqual(wakings(stage, armedAtMs), [15_000]);
  assert.equal(leader.replica?.exchange.switches.size, 1);
  pass(60_000);
  assert.deepEqual(wakings(stage, armedAtMs), [15_000, aliceArmedAtMs + 60_000 - armedAtMs]);
  assert.equal(leader.replica?.exchange.switches.size, 0);
  assert.equal(leader.replica?.stateHash(), replayed(stage));
});

test('a switch that is rearmed in time does not fire', () => {
  const stage = openTrading();
  const { leader, send } = stage;
  for (let count = 0; count < 6; count++) send(armSwitch(BOB, 6_000));
  assert.equal(leader.replica?.exchange.switches.size, 1);
  assert.ok(wakings(stage, 0).length <= 6);
});

test('pending stops are activated without any command', () => {
  const stage = openTrading({}, { ...INITIAL_LIMITS, stopsPerStepMax: 1 });
  const { leader, send } = stage;
  const stop = { ...sell(BOB, 9_000), stopTicks: 9_500 } as CommandWithoutId;
  assert.deepEqual(send(stop, stop, stop, buy(ALICE, 9_400)), ['none', 'none', 'none', 'none']);
  const { length } = stage.frames();
  assert.deepEqual(send(sell(BOB, 9_400)), ['none']);
  // One stop is activated with the trade, each further stop in a separate frame.
  const commands = stage.frames().slice(length);
  assert.deepEqual(
    commands.map(({ commands }) => commands.length),
    [1, 0, 0],
  );
  assert.ok(commands[2].timeMs - commands[0].timeMs < 100);
  assert.equal(leader.replica?.exchange.books.firstReady(1 as never), 0);
});
