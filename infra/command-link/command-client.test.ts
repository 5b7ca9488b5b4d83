// The gateway's end of the link, against a bus in the test's hands: what is sent to whom, and that
// each command is told exactly once what is known of it, never less and never more.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type Command, decodeCommandRecords } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import type { Bus } from '../bus/index.ts';
import { BATCH_COMMANDS_MAX, type Batch, decodeBatch } from './batch.ts';
import { encodeBeat, type LeaderBeat } from './beats.ts';
import { CommandClient, type CommandClientOptions, type Outcome } from './command-client.ts';
import { type DoorRefusal, encodeBatchRefused, ResultsWriter } from './results.ts';
import { linkSubjects } from './subjects.ts';

const SOURCE = 41;
const SUBJECTS = linkSubjects('test');
const SETTINGS = { pendingMax: 100, retryMs: 1_000, retryMsMax: 4_000, tickMs: 50 };
const TIMEOUT_MS = 10_000;

/** Keeps what is published; the test plays the leader. */
class HandBus implements Bus {
  readonly batches: Batch[] = [];
  readonly #receivers = new Map<string, (message: Uint8Array, subject: string) => void>();

  publish(subject: string, message: Uint8Array): void {
    assert.equal(subject, SUBJECTS.commands);
    const batch = decodeBatch(new Uint8Array(message));
    assert.ok(batch);
    this.batches.push(batch);
  }

  subscribe(subject: string, receive: (message: Uint8Array, subject: string) => void) {
    this.#receivers.set(subject, receive);
    return { stop: () => void this.#receivers.delete(subject) };
  }

  /** The bytes are of no use after the call, as the port says. */
  deliver(subject: string, message: Uint8Array): void {
    const delivered = new Uint8Array(message);
    this.#receivers.get(subject)?.(delivered, subject);
    delivered.fill(0xdd);
  }

  get subjects(): string[] {
    return [...this.#receivers.keys()];
  }

  /** What was sent since the last look: `epoch/floor: numbers`. */
  took(): string[] {
    return this.batches.splice(0).map(({ epoch, floor, records }) => {
      const numbers = decodeCommandRecords(records).map(({ number }) => number);
      return `${epoch}/${floor}: ${numbers.join(' ')}`;
    });
  }
}

interface Stage {
  readonly bus: HandBus;
  readonly client: CommandClient;
  readonly time: VirtualTime;
  /** `1 answered`, `2 not_taken busy`, `3 unknown`. */
  readonly told: string[];
  send(count?: number, timeoutMs?: number): void;
  pass(forMs: number): void;
  beat(beat: Partial<LeaderBeat>): void;
  answer(...numbers: number[]): void;
  refuse(batch: number, reason: DoorRefusal): void;
}

function open(change: Partial<CommandClientOptions> = {}): Stage {
  const time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  const bus = new HandBus();
  const options = { bus, clock: time, exchange: 'test', source: SOURCE, ...SETTINGS, ...change };
  const client = new CommandClient(options);
  const told: string[] = [];
  const pass = (forMs: number) => time.runUntil(time.nowMs() + forMs);
  return {
    bus,
    client,
    time,
    told,
    pass,
    send(count = 1, timeoutMs = TIMEOUT_MS) {
      for (let index = 0; index < count; index++) {
        const command = commandOf(client.nextId());
        client.send(command, timeoutMs, (outcome) => told.push(textOf(command.number, outcome)));
      }
      pass(0);
    },
    beat(beat) {
      bus.deliver(SUBJECTS.leader, encodeBeat({ ...BEAT, ...beat }));
      pass(0);
    },
    answer: (...numbers) => bus.deliver(SUBJECTS.resultsFor(SOURCE), resultsOf(numbers)),
    refuse(batch, reason) {
      const refused = { kind: 'batch-refused', epoch: 1, batch, reason } as const;
      bus.deliver(SUBJECTS.resultsFor(SOURCE), encodeBatchRefused(refused));
      pass(0);
    },
  };
}

/** A client that has heard the leader of epoch 1, whose log has 500 commands. */
function openWithLeader(change: Partial<CommandClientOptions> = {}): Stage {
  const stage = open(change);
  stage.beat({});
  return stage;
}

const BEAT: LeaderBeat = {
  instance: 'a',
  epoch: 1,
  state: 'leading',
  sequence: 9,
  commandsApplied: 500,
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

test('commands of one turn go out together, to the epoch of the leader', () => {
  const { bus, client, pass, send } = openWithLeader();
  for (let number = 1; number <= 3; number++) {
    client.send(commandOf(client.nextId()), TIMEOUT_MS, () => {});
  }
  assert.deepEqual(bus.took(), [], 'nothing is sent inside the call');
  pass(0);
  assert.deepEqual(
    bus.batches.map(({ batch, source }) => [batch, source]),
    [[1, SOURCE]],
  );
  assert.deepEqual(bus.took(), ['1/500: 1 2 3']);
  send();
  assert.deepEqual(bus.took(), ['1/500: 4']);
});

test('a full batch is sent, and the rest in another', () => {
  const { bus, send } = openWithLeader({ pendingMax: 2 * BATCH_COMMANDS_MAX });
  send(BATCH_COMMANDS_MAX + 1);
  assert.deepEqual(
    bus.batches.map(({ records }) => records.count),
    [BATCH_COMMANDS_MAX, 1],
  );
});

test('an answer is told once, with the frame it stands in, and ends the matter', () => {
  const { answer, bus, client, pass, send, told } = openWithLeader();
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
  assert.deepEqual([told, client.pending], [['3 answered'], 1]);
  answer(1, 3, 77);
  assert.deepEqual([told, client.pending], [['3 answered'], 1]);
  bus.took();
  pass(1_000);
  assert.deepEqual(bus.took(), ['1/500: 2'], 'only the open one is sent again');
});

test('without a leader commands wait, and go out when one is heard', () => {
  const { beat, bus, client, pass, send } = open();
  send(2);
  pass(500);
  assert.deepEqual([bus.took(), client.epoch], [[], 0]);
  beat({ epoch: 7 });
  assert.deepEqual([bus.took(), client.epoch], [['7/500: 1 2'], 7]);
});

test('a leader that waits for the log is sent what is new, and not asked again', () => {
  const { beat, bus, pass, send } = openWithLeader();
  send();
  beat({ state: 'waiting' });
  send();
  assert.deepEqual(bus.took(), ['1/500: 1', '1/500: 2']);
  pass(8_000);
  assert.deepEqual(bus.took(), []);
  beat({ state: 'leading' });
  pass(SETTINGS.tickMs);
  assert.deepEqual(bus.took(), ['1/500: 1 2'], 'asked again when it could have answered');
});

test('a leader that leaves is sent nothing; its successor gets it', () => {
  const { beat, bus, pass, send } = openWithLeader();
  beat({ state: 'leaving' });
  send(2);
  pass(2_000);
  assert.deepEqual(bus.took(), []);
  beat({ epoch: 2 });
  assert.deepEqual(bus.took(), ['2/500: 1 2']);
});

test('without an answer a command is sent again, each time later, with the first floor', () => {
  const { beat, bus, pass, send } = openWithLeader();
  send(1, 60_000);
  beat({ commandsApplied: 900 });
  const sentAtMs: number[] = [];
  for (let passedMs = 0; passedMs < 20_000; passedMs += SETTINGS.tickMs) {
    for (const sent of bus.took()) {
      assert.equal(sent, '1/500: 1');
      sentAtMs.push(passedMs);
    }
    pass(SETTINGS.tickMs);
  }
  assert.deepEqual(sentAtMs, [0, 1_000, 3_000, 7_000, 11_000, 15_000, 19_000]);
});

test('a new leader gets everything that is open, with the same ids and the first floor', () => {
  const { answer, beat, bus, send } = openWithLeader();
  send(2);
  beat({ commandsApplied: 700 });
  send(2);
  answer(2);
  assert.deepEqual(bus.took(), ['1/500: 1 2', '1/700: 3 4']);
  beat({ epoch: 2, commandsApplied: 800 });
  assert.deepEqual(bus.took(), ['2/500: 1 3 4']);
  send();
  assert.deepEqual(bus.took(), ['2/800: 5']);
});

test('in a new exchange the first floor is 0, and stays so', () => {
  const { beat, bus, pass, send } = open();
  beat({ commandsApplied: 0 });
  send();
  beat({ commandsApplied: 500 });
  pass(1_000);
  assert.deepEqual(bus.took(), ['1/0: 1', '1/0: 1']);
});

test('the floor follows results as well as beats, and never goes back', () => {
  const { answer, beat, bus, send } = openWithLeader();
  send();
  answer(1);
  send();
  beat({ commandsApplied: 550 });
  send();
  assert.deepEqual(bus.took(), ['1/500: 1', '1/600: 2', '1/600: 3']);
});

test('beats of an earlier epoch, and what is no beat, are not heard', () => {
  const { beat, bus, client, send } = openWithLeader();
  beat({ epoch: 3 });
  beat({ epoch: 2 });
  bus.deliver(SUBJECTS.leader, new TextEncoder().encode('{"epoch":9}'));
  send();
  assert.deepEqual([client.epoch, bus.took()], [3, ['3/500: 1']]);
});

const DOOR: Record<DoorRefusal, { first: string[]; later: string[] }> = {
  // First: nobody has taken any copy. Later: an earlier copy may have been taken.
  busy: { first: ['1 not_taken busy'], later: [] },
  too_old: { first: ['1 not_taken too_old'], later: ['1 unknown'] },
  malformed: { first: ['1 not_taken malformed'], later: ['1 unknown'] },
  not_leading: { first: [], later: [] },
};

for (const [reason, { first, later }] of Object.entries(DOOR) as [
  DoorRefusal,
  { first: string[]; later: string[] },
][]) {
  test(`refused at the door as ${reason}: certain of a first copy, not of a later one`, () => {
    const fresh = openWithLeader();
    fresh.send();
    fresh.refuse(1, reason);
    assert.deepEqual(fresh.told, first);

    const again = openWithLeader();
    again.send();
    again.pass(1_000);
    assert.equal(again.bus.batches.length, 2);
    again.refuse(2, reason);
    assert.deepEqual(again.told, later);

    const next = openWithLeader();
    next.send();
    next.beat({ epoch: 2 });
    next.refuse(2, reason);
    assert.deepEqual(next.told, later, 'the first copy went to the leader before');
  });
}

test('busy for a later copy: it is asked again, and ends as unknown when nobody answers', () => {
  const { bus, pass, refuse, send, told } = openWithLeader();
  send();
  pass(1_000);
  refuse(2, 'busy');
  bus.took();
  pass(1_950);
  assert.deepEqual(bus.took(), []);
  pass(50);
  assert.deepEqual(bus.took(), ['1/500: 1']);
  refuse(3, 'busy');
  pass(TIMEOUT_MS);
  assert.deepEqual(told, ['1 unknown']);
});

test('neither a refusal of an earlier copy nor busy for a later one keeps off the answer', () => {
  const { answer, pass, refuse, send, told } = openWithLeader();
  send();
  pass(1_000);
  for (const batch of [1, 1, 77]) refuse(batch, 'too_old');
  refuse(2, 'busy');
  assert.deepEqual(told, []);
  answer(1);
  pass(2 * TIMEOUT_MS);
  assert.deepEqual(told, ['1 answered']);
});

test('a refusal says nothing of a command that has left its batch', () => {
  const { answer, beat, bus, pass, refuse, send, told } = openWithLeader();
  send();
  pass(1_500);
  send();
  // Both go to the next leader in batch 4; the younger one is asked for again sooner, in batch 5.
  beat({ epoch: 2 });
  pass(2_000);
  assert.deepEqual(bus.took().slice(3), ['2/500: 1 2', '2/500: 2']);
  refuse(4, 'too_old');
  answer(2);
  assert.deepEqual(told, ['1 unknown', '2 answered']);
});

test('a refusal is for the commands of its batch that are still open', () => {
  const { answer, refuse, send, told } = openWithLeader();
  send(2);
  send();
  answer(1);
  refuse(1, 'busy');
  assert.deepEqual(told, ['1 answered', '2 not_taken busy']);
});

test('refused as not leading, a command waits for the next epoch and is certain until then', () => {
  for (const hasSuccessor of [true, false]) {
    const { beat, bus, pass, refuse, send, told } = openWithLeader();
    send(2, 5_000);
    beat({ state: 'leaving' });
    refuse(1, 'not_leading');
    bus.took();
    pass(4_000);
    if (hasSuccessor) beat({ epoch: 2 });
    assert.deepEqual(bus.took(), hasSuccessor ? ['2/500: 1 2'] : []);
    pass(1_000);
    const end = hasSuccessor ? 'unknown' : 'not_taken no_leader';
    assert.deepEqual(told, [`1 ${end}`, `2 ${end}`]);
  }
});

test('a command stands once in a batch, however often it came to wait', () => {
  const { bus, pass, refuse, send } = openWithLeader();
  send();
  // The leader leaves, but its word of that is lost: for all we know it leads.
  refuse(1, 'not_leading');
  bus.took();
  pass(1_000);
  assert.deepEqual(bus.took(), ['1/500: 1']);
});

const DEADLINES: Record<string, { beats: Partial<LeaderBeat>[]; told: string }> = {
  'never sent': { beats: [], told: '1 not_taken no_leader' },
  'sent once': { beats: [{}], told: '1 unknown' },
  'sent, and the leader leaves': { beats: [{}, { state: 'leaving' }], told: '1 unknown' },
  'sent to two leaders': { beats: [{}, { epoch: 2 }], told: '1 unknown' },
};

for (const [name, { beats, told }] of Object.entries(DEADLINES)) {
  test(`at its deadline a command that was ${name} is told as ${told.slice(2)}`, () => {
    const stage = open();
    stage.send(1, 500);
    for (const beat of beats) stage.beat(beat);
    stage.pass(500 - SETTINGS.tickMs);
    assert.deepEqual(stage.told, []);
    stage.pass(SETTINGS.tickMs);
    assert.deepEqual(stage.told, [told]);
    stage.bus.took();
    stage.answer(1);
    stage.beat({ epoch: 9 });
    stage.pass(5_000);
    assert.deepEqual([stage.told, stage.bus.took(), stage.client.pending], [[told], [], 0]);
  });
}

test('what was given up is never sent, even when a late beat says that its leader leads', () => {
  const { beat, bus, pass, send, told } = openWithLeader();
  beat({ state: 'leaving' });
  send(1, 500);
  send(1, 5_000);
  pass(500);
  beat({ state: 'leading' });
  assert.deepEqual([told, bus.took()], [['1 not_taken no_leader'], ['1/500: 2']]);
});

test('a command that can not be encoded is certainly not taken, and the others are sent', () => {
  const { bus, client, pass, told } = openWithLeader();
  for (const user of [1, -1, 1]) {
    const command = { ...commandOf(client.nextId()), user: user as UserId } as Command;
    client.send(command, TIMEOUT_MS, (outcome) => {
      told.push(textOf(command.number, outcome));
      // Even so, nothing that is told as not sent has been, or will be.
      client.close();
    });
  }
  pass(0);
  assert.deepEqual(bus.took(), ['1/500: 1 3']);
  assert.deepEqual(told, ['2 not_taken malformed', '1 unknown', '3 unknown']);
});

test('no more than so many commands wait; one more is busy, at once', () => {
  const { answer, bus, client, send, told } = openWithLeader({ pendingMax: 3 });
  send(4);
  assert.deepEqual([told, client.pending], [['4 not_taken busy'], 3]);
  assert.deepEqual(bus.took(), ['1/500: 1 2 3']);
  answer(2);
  send();
  assert.deepEqual([bus.took(), client.pending], [['1/600: 5'], 3]);
});

test('closed, it tells each open command what is known, and neither sends nor hears', () => {
  const { answer, beat, bus, client, pass, send, told } = openWithLeader();
  send();
  beat({ state: 'leaving' });
  send();
  bus.took();
  client.close();
  assert.deepEqual(told, ['1 unknown', '2 not_taken no_leader']);
  send();
  assert.deepEqual(told.slice(2), ['3 not_taken busy']);
  answer(1);
  beat({ epoch: 2 });
  pass(2 * TIMEOUT_MS);
  assert.deepEqual([bus.took(), bus.subjects, told.length], [[], [], 3]);
});

test('whoever is told may close the client, and each command is still told once', () => {
  for (const moment of ['deadline', 'close'] as const) {
    const { client, pass } = openWithLeader();
    const told: number[] = [];
    for (let count = 0; count < 3; count++) {
      const command = commandOf(client.nextId());
      client.send(command, 500, () => {
        told.push(command.number);
        client.close();
      });
    }
    if (moment === 'close') client.close();
    pass(1_000);
    assert.deepEqual(told, [1, 2, 3], moment);
  }
});

test('whoever is told may send the next command from there', () => {
  const { answer, bus, client, pass, told } = openWithLeader();
  client.send(commandOf(client.nextId()), 500, () => {
    const next = commandOf(client.nextId());
    client.send(next, 500, (outcome) => told.push(textOf(next.number, outcome)));
  });
  pass(0);
  answer(1);
  pass(0);
  assert.deepEqual(bus.took(), ['1/500: 1', '1/600: 2']);
  pass(500 + SETTINGS.tickMs);
  assert.deepEqual(told, ['2 unknown']);
});

test('each command has its own time, counted from when it was sent', () => {
  const { pass, send, told } = open();
  for (const afterMs of [0, 600, 600]) [pass(afterMs), send(1, 1_000)];
  assert.deepEqual(told, ['1 not_taken no_leader']);
  pass(450);
  assert.deepEqual(told, ['1 not_taken no_leader', '2 not_taken no_leader']);
});
