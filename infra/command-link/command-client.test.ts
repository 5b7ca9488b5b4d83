// The command client against a leader that the test plays: which batches it sends to which epoch,
// and that each command gets exactly one outcome, which states exactly what is known about it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type Command, decodeCommandRecords } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { type VirtualProcess, VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { MemoryBus } from '../bus/bus-for-test.ts';
import { BATCH_COMMANDS_MAX, type Batch, decodeBatch } from './batch.ts';
import { CommandClient, type CommandClientOptions, type Outcome } from './command-client.ts';
import { encodeHeartbeat, type LeaderHeartbeat } from './heartbeats.ts';
import { type BatchRefusal, encodeBatchRefused, ResultsWriter } from './results.ts';
import { linkSubjects } from './subjects.ts';

const SOURCE = 41;
const SUBJECTS = linkSubjects('test');
const SENDER = 'gateway-http';
const SETTINGS = { pendingMax: 100, retryMs: 1_000, retryMsMax: 4_000, tickMs: 50 };
const TIMEOUT_MS = 10_000;

/** The batches sent since the last call. */
function takeBatches(bus: MemoryBus): Batch[] {
  return bus.take(SUBJECTS.commandsFrom(SENDER)).map((message) => {
    const batch = decodeBatch(message);
    assert.ok(batch);
    return batch;
  });
}

/** The same, as `epoch/floor: numbers`. */
function takeSent(bus: MemoryBus): string[] {
  return takeBatches(bus).map(({ epoch, floor, records }) => {
    const numbers = decodeCommandRecords(records).map(({ number }) => number);
    return `${epoch}/${floor}: ${numbers.join(' ')}`;
  });
}

interface Stage {
  readonly bus: MemoryBus;
  readonly client: CommandClient;
  readonly process: VirtualProcess;
  readonly time: VirtualTime;
  /** `1 answered`, `2 not_taken busy`, `3 unknown`. */
  readonly outcomes: string[];
  send(count?: number, timeoutMs?: number): void;
  pass(forMs: number): void;
  sendHeartbeat(heartbeat: Partial<LeaderHeartbeat>): void;
  answer(...numbers: number[]): void;
  refuse(batch: number, reason: BatchRefusal): void;
}

function open(change: Partial<CommandClientOptions> = {}): Stage {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const bus = new MemoryBus();
  const own = { exchange: 'test', sender: SENDER, source: SOURCE };
  const process = time.process(0);
  const options = { bus, clock: process, ...own, ...SETTINGS, ...change };
  const client = new CommandClient(options);
  const outcomes: string[] = [];
  const pass = (forMs: number) => time.runUntil(time.nowMs() + forMs);
  return {
    bus,
    client,
    process,
    time,
    outcomes,
    pass,
    send(count = 1, timeoutMs = TIMEOUT_MS) {
      for (let index = 0; index < count; index++) {
        const command = commandOf(client.nextId());
        client.send(command, timeoutMs, (outcome) =>
          outcomes.push(textOf(command.number, outcome)),
        );
      }
      pass(0);
    },
    sendHeartbeat(heartbeat) {
      bus.deliver(SUBJECTS.leader, encodeHeartbeat({ ...HEARTBEAT, ...heartbeat }));
      pass(0);
    },
    answer: (...numbers) => bus.deliver(SUBJECTS.resultsFor(SENDER, SOURCE), resultsOf(numbers)),
    refuse(batch, reason) {
      const refused = { kind: 'batch-refused', epoch: 1, batch, reason } as const;
      bus.deliver(SUBJECTS.resultsFor(SENDER, SOURCE), encodeBatchRefused(refused));
      pass(0);
    },
  };
}

/** A client that knows the leader of epoch 1, whose log has 500 commands. */
function openWithLeader(change: Partial<CommandClientOptions> = {}): Stage {
  const stage = open(change);
  stage.sendHeartbeat({});
  return stage;
}

const HEARTBEAT: LeaderHeartbeat = {
  instance: 'a',
  writer: 99,
  epoch: 1,
  state: 'leading',
  sequence: 9,
  commandsApplied: 500,
  unacknowledgedMs: 0,
  acknowledgedMs: 0,
  eventsSequence: 9,
  schemaVersion: 2,
  outputDigests: [],
  stateHash: '',
  stateHashSequence: 0,
};

function commandOf(id: { source: number; number: number }): Command {
  const user = 1 as UserId;
  return { kind: 'CancelAllOrders', ...id, user, market: 0 as MarketId, byOperator: false };
}

function resultsOf(numbers: readonly number[], commandsApplied = 600): Uint8Array {
  const writer = new ResultsWriter({ results: numbers.length, eventBytes: 0 });
  for (const number of numbers) {
    const accepted = { refusal: 'none', order: 0, isRepeat: false } as const;
    writer.add(
      { number, command: 500 + number, ...accepted, hasAllEvents: true, eventCount: 0 },
      0,
      0,
    );
  }
  return writer.close({ epoch: 1, sequence: 10, timeMs: 1_000, commandsApplied });
}

function textOf(number: number, outcome: Outcome): string {
  return `${number} ${outcome.kind}${outcome.kind === 'not_taken' ? ` ${outcome.reason}` : ''}`;
}

test("commands from one turn are sent in one batch, to the leader's epoch", () => {
  const { bus, client, pass, send } = openWithLeader();
  for (let number = 1; number <= 3; number++) {
    client.send(commandOf(client.nextId()), TIMEOUT_MS, () => {});
  }
  assert.deepEqual(takeSent(bus), [], 'nothing is sent inside the call');
  pass(0);
  const header = decodeBatch(bus.messages[0].message);
  assert.deepEqual([header?.batch, header?.source], [1, SOURCE]);
  assert.deepEqual(takeSent(bus), ['1/500: 1 2 3']);
  send();
  assert.deepEqual(takeSent(bus), ['1/500: 4']);
});

test('commands beyond a full batch are sent in another batch', () => {
  const { bus, send } = openWithLeader({ pendingMax: 2 * BATCH_COMMANDS_MAX });
  send(BATCH_COMMANDS_MAX + 1);
  assert.deepEqual(
    takeBatches(bus).map(({ records }) => records.count),
    [BATCH_COMMANDS_MAX, 1],
  );
});

test('a response is reported once, with its frame, and ends the resends', () => {
  const { answer, bus, client, pass, send, outcomes } = openWithLeader();
  let outcome: Outcome | undefined;
  client.send(commandOf(client.nextId()), TIMEOUT_MS, (found) => {
    outcome = found;
  });
  pass(0);
  send(2);
  answer(1, 3);
  assert.ok(outcome?.kind === 'answered');
  const { result, frame } = outcome;
  assert.deepEqual([result.number, result.command, result.refusal], [1, 501, 'none']);
  assert.equal(frame.sequence, 10);
  assert.equal(frame.timeMs, 1_000);
  assert.deepEqual([outcomes, client.pending], [['3 answered'], 1]);
  answer(1, 3, 77);
  assert.deepEqual([outcomes, client.pending], [['3 answered'], 1]);
  takeSent(bus);
  pass(1_000);
  assert.deepEqual(takeSent(bus), ['1/500: 2'], 'only the open command is resent');
});

test("commands are queued until a leader's first heartbeat", () => {
  const { sendHeartbeat, bus, client, pass, send } = open();
  send(2);
  pass(500);
  assert.deepEqual([takeSent(bus), client.epoch], [[], 0]);
  sendHeartbeat({ epoch: 7 });
  assert.deepEqual([takeSent(bus), client.epoch], [['7/500: 1 2'], 7]);
});

test('a leader that waits for the log gets new commands but no resends', () => {
  const { sendHeartbeat, bus, pass, send } = openWithLeader();
  send();
  sendHeartbeat({ state: 'waiting' });
  send();
  assert.deepEqual(takeSent(bus), ['1/500: 1', '1/500: 2']);
  pass(8_000);
  assert.deepEqual(takeSent(bus), []);
  sendHeartbeat({ state: 'leading' });
  pass(SETTINGS.tickMs);
  assert.deepEqual(takeSent(bus), ['1/500: 1 2'], 'resent once the leader could have answered');
});

test('commands for a leaving leader are sent to its successor', () => {
  const { sendHeartbeat, bus, pass, send } = openWithLeader();
  sendHeartbeat({ state: 'leaving' });
  send(2);
  pass(2_000);
  assert.deepEqual(takeSent(bus), []);
  sendHeartbeat({ epoch: 2 });
  assert.deepEqual(takeSent(bus), ['2/500: 1 2']);
});

test('an unanswered command is resent at growing intervals, with its first floor', () => {
  const { sendHeartbeat, bus, pass, send } = openWithLeader();
  send(1, 60_000);
  sendHeartbeat({ commandsApplied: 900 });
  const sentAtMs: number[] = [];
  for (let passedMs = 0; passedMs < 20_000; passedMs += SETTINGS.tickMs) {
    for (const sent of takeSent(bus)) {
      assert.equal(sent, '1/500: 1');
      sentAtMs.push(passedMs);
    }
    pass(SETTINGS.tickMs);
  }
  assert.deepEqual(sentAtMs, [0, 1_000, 3_000, 7_000, 11_000, 15_000, 19_000]);
});

test('a new leader gets all open commands, with the same IDs and the first floor', () => {
  const { answer, sendHeartbeat, bus, send } = openWithLeader();
  send(2);
  sendHeartbeat({ commandsApplied: 700 });
  send(2);
  answer(2);
  assert.deepEqual(takeSent(bus), ['1/500: 1 2', '1/700: 3 4']);
  sendHeartbeat({ epoch: 2, commandsApplied: 800 });
  assert.deepEqual(takeSent(bus), ['2/500: 1 3 4']);
  send();
  assert.deepEqual(takeSent(bus), ['2/800: 5']);
});

test('in a new exchange the first floor is 0 and does not change', () => {
  const { sendHeartbeat, bus, pass, send } = open();
  sendHeartbeat({ commandsApplied: 0 });
  send();
  sendHeartbeat({ commandsApplied: 500 });
  pass(1_000);
  assert.deepEqual(takeSent(bus), ['1/0: 1', '1/0: 1']);
});

test('results and heartbeats raise the floor, and nothing lowers it', () => {
  const { answer, sendHeartbeat, bus, send } = openWithLeader();
  send();
  answer(1);
  send();
  sendHeartbeat({ commandsApplied: 550 });
  send();
  assert.deepEqual(takeSent(bus), ['1/500: 1', '1/600: 2', '1/600: 3']);
});

test('heartbeats from an earlier epoch and malformed heartbeats are ignored', () => {
  const { sendHeartbeat, bus, client, send } = openWithLeader();
  sendHeartbeat({ epoch: 3 });
  sendHeartbeat({ epoch: 2 });
  bus.deliver(SUBJECTS.leader, new TextEncoder().encode('{"epoch":9}'));
  send();
  assert.deepEqual([client.epoch, takeSent(bus)], [3, ['3/500: 1']]);
});

const REFUSALS: Record<BatchRefusal, { first: string[]; later: string[] }> = {
  // First: no leader has accepted any copy. Later: a leader may have accepted an earlier copy.
  busy: { first: ['1 not_taken busy'], later: [] },
  too_old: { first: ['1 not_taken too_old'], later: ['1 unknown'] },
  malformed: { first: ['1 not_taken malformed'], later: ['1 unknown'] },
  not_leading: { first: [], later: [] },
  not_permitted: { first: ['1 not_taken not_permitted'], later: ['1 unknown'] },
};

for (const [reason, { first, later }] of Object.entries(REFUSALS) as [
  BatchRefusal,
  { first: string[]; later: string[] },
][]) {
  test(`refusal ${reason} is certain for a first copy and not for a later one`, () => {
    const fresh = openWithLeader();
    fresh.send();
    fresh.refuse(1, reason);
    assert.deepEqual(fresh.outcomes, first);

    const again = openWithLeader();
    again.send();
    again.pass(1_000);
    assert.equal(takeBatches(again.bus).length, 2);
    again.refuse(2, reason);
    assert.deepEqual(again.outcomes, later);

    const next = openWithLeader();
    next.send();
    next.sendHeartbeat({ epoch: 2 });
    next.refuse(2, reason);
    assert.deepEqual(next.outcomes, later, 'the first copy went to the previous leader');
  });
}

test('a later copy refused as busy is resent, and is unknown without a response', () => {
  const { bus, pass, refuse, send, outcomes } = openWithLeader();
  send();
  pass(1_000);
  refuse(2, 'busy');
  takeSent(bus);
  pass(1_950);
  assert.deepEqual(takeSent(bus), []);
  pass(50);
  assert.deepEqual(takeSent(bus), ['1/500: 1']);
  refuse(3, 'busy');
  pass(TIMEOUT_MS);
  assert.deepEqual(outcomes, ['1 unknown']);
});

test('refusals of other copies do not prevent the response', () => {
  const { answer, pass, refuse, send, outcomes } = openWithLeader();
  send();
  pass(1_000);
  for (const batch of [1, 1, 77]) refuse(batch, 'too_old');
  refuse(2, 'busy');
  assert.deepEqual(outcomes, []);
  answer(1);
  pass(2 * TIMEOUT_MS);
  assert.deepEqual(outcomes, ['1 answered']);
});

test('a refusal does not affect a command that has moved to another batch', () => {
  const { answer, sendHeartbeat, bus, pass, refuse, send, outcomes } = openWithLeader();
  send();
  pass(1_500);
  send();
  // Both go to the next leader in batch 4; the younger one is resent sooner, in batch 5.
  sendHeartbeat({ epoch: 2 });
  pass(2_000);
  assert.deepEqual(takeSent(bus).slice(3), ['2/500: 1 2', '2/500: 2']);
  refuse(4, 'too_old');
  answer(2);
  assert.deepEqual(outcomes, ['1 unknown', '2 answered']);
});

test('a refusal applies to the open commands in its batch', () => {
  const { answer, refuse, send, outcomes } = openWithLeader();
  send(2);
  send();
  answer(1);
  refuse(1, 'busy');
  assert.deepEqual(outcomes, ['1 answered', '2 not_taken busy']);
});

test('a command refused as not_leading is held for the next epoch and stays certain', () => {
  for (const hasSuccessor of [true, false]) {
    const { sendHeartbeat, bus, pass, refuse, send, outcomes } = openWithLeader();
    send(2, 5_000);
    sendHeartbeat({ state: 'leaving' });
    refuse(1, 'not_leading');
    takeSent(bus);
    pass(4_000);
    if (hasSuccessor) sendHeartbeat({ epoch: 2 });
    assert.deepEqual(takeSent(bus), hasSuccessor ? ['2/500: 1 2'] : []);
    pass(1_000);
    const end = hasSuccessor ? 'unknown' : 'not_taken no_leader';
    assert.deepEqual(outcomes, [`1 ${end}`, `2 ${end}`]);
  }
});

test('a command is in a batch once, however often it was queued', () => {
  const { bus, pass, refuse, send } = openWithLeader();
  send();
  // The leader leaves, but its heartbeat is lost: the client still believes that it leads.
  refuse(1, 'not_leading');
  takeSent(bus);
  pass(1_000);
  assert.deepEqual(takeSent(bus), ['1/500: 1']);
});

const DEADLINES: Record<string, { heartbeats: Partial<LeaderHeartbeat>[]; outcomes: string }> = {
  'never sent': { heartbeats: [], outcomes: '1 not_taken no_leader' },
  'sent once': { heartbeats: [{}], outcomes: '1 unknown' },
  'sent, and the leader leaves': { heartbeats: [{}, { state: 'leaving' }], outcomes: '1 unknown' },
  'sent to two leaders': { heartbeats: [{}, { epoch: 2 }], outcomes: '1 unknown' },
};

for (const [name, { heartbeats, outcomes }] of Object.entries(DEADLINES)) {
  test(`at its deadline a command that was ${name} is reported as ${outcomes.slice(2)}`, () => {
    const stage = open();
    stage.send(1, 500);
    for (const heartbeat of heartbeats) stage.sendHeartbeat(heartbeat);
    stage.pass(500 - SETTINGS.tickMs);
    assert.deepEqual(stage.outcomes, []);
    stage.pass(SETTINGS.tickMs);
    assert.deepEqual(stage.outcomes, [outcomes]);
    takeSent(stage.bus);
    stage.answer(1);
    stage.sendHeartbeat({ epoch: 9 });
    stage.pass(5_000);
    assert.deepEqual(
      [stage.outcomes, takeSent(stage.bus), stage.client.pending],
      [[outcomes], [], 0],
    );
  });
}

test('an abandoned command is never sent, even after a late heartbeat from its leader', () => {
  const { sendHeartbeat, bus, pass, send, outcomes } = openWithLeader();
  sendHeartbeat({ state: 'leaving' });
  send(1, 500);
  send(1, 5_000);
  pass(500);
  sendHeartbeat({ state: 'leading' });
  assert.deepEqual([outcomes, takeSent(bus)], [['1 not_taken no_leader'], ['1/500: 2']]);
});

test('a command that cannot be encoded is not taken, and the others are sent', () => {
  const { bus, client, pass, outcomes } = openWithLeader();
  for (const user of [1, -1, 1]) {
    const command = { ...commandOf(client.nextId()), user: user as UserId } as Command;
    client.send(command, TIMEOUT_MS, (outcome) => {
      outcomes.push(textOf(command.number, outcome));
      // Closing here must not send anything that was reported as not taken.
      client.close();
    });
  }
  pass(0);
  assert.deepEqual(takeSent(bus), ['1/500: 1 3']);
  assert.deepEqual(outcomes, ['2 not_taken malformed', '1 unknown', '3 unknown']);
});

test('one command more than pendingMax is refused as busy immediately', () => {
  const { answer, bus, client, send, outcomes } = openWithLeader({ pendingMax: 3 });
  send(4);
  assert.deepEqual([outcomes, client.pending], [['4 not_taken busy'], 3]);
  assert.deepEqual(takeSent(bus), ['1/500: 1 2 3']);
  answer(2);
  send();
  assert.deepEqual([takeSent(bus), client.pending], [['1/600: 5'], 3]);
});

test('close() reports what is known about each open command and ends all traffic', () => {
  const { answer, sendHeartbeat, bus, client, pass, send, outcomes } = openWithLeader();
  send();
  sendHeartbeat({ state: 'leaving' });
  send();
  takeSent(bus);
  client.close();
  assert.deepEqual(outcomes, ['1 unknown', '2 not_taken no_leader']);
  send();
  assert.deepEqual(outcomes.slice(2), ['3 not_taken busy']);
  answer(1);
  sendHeartbeat({ epoch: 2 });
  pass(2 * TIMEOUT_MS);
  assert.deepEqual([takeSent(bus), bus.subjects, outcomes.length], [[], [], 3]);
});

test('a callback can close the client, and each command still gets one outcome', () => {
  for (const moment of ['deadline', 'close'] as const) {
    const { client, pass } = openWithLeader();
    const outcomes: number[] = [];
    for (let count = 0; count < 3; count++) {
      const command = commandOf(client.nextId());
      client.send(command, 500, () => {
        outcomes.push(command.number);
        client.close();
      });
    }
    if (moment === 'close') client.close();
    pass(1_000);
    assert.deepEqual(outcomes, [1, 2, 3], moment);
  }
});

test('a callback can send the next command', () => {
  const { answer, bus, client, pass, outcomes } = openWithLeader();
  client.send(commandOf(client.nextId()), 500, () => {
    const next = commandOf(client.nextId());
    client.send(next, 500, (outcome) => outcomes.push(textOf(next.number, outcome)));
  });
  pass(0);
  answer(1);
  pass(0);
  assert.deepEqual(takeSent(bus), ['1/500: 1', '1/600: 2']);
  pass(500 + SETTINGS.tickMs);
  assert.deepEqual(outcomes, ['2 unknown']);
});

test('each command has its own deadline, counted from when it was sent', () => {
  const { pass, send, outcomes } = open();
  for (const afterMs of [0, 600, 600]) [pass(afterMs), send(1, 1_000)];
  assert.deepEqual(outcomes, ['1 not_taken no_leader']);
  pass(450);
  assert.deepEqual(outcomes, ['1 not_taken no_leader', '2 not_taken no_leader']);
});

test('a pause of the process itself causes neither a resend nor a timeout', () => {
  const { answer, bus, outcomes, pass, process, send } = openWithLeader();
  send(1);
  send(1, 2_000);
  takeSent(bus);
  process.pause();
  pass(3_000);
  process.resume();
  pass(1);
  assert.deepEqual([takeSent(bus), outcomes], [[], []], 'the responses are queued in the socket');
  answer(1, 2);
  pass(SETTINGS.retryMs);
  assert.deepEqual([takeSent(bus), outcomes], [[], ['1 answered', '2 answered']]);
});
