// The gateway's end of the link under a leader and a bus that say anything at all, in any order:
// whatever happens, each command is told exactly once, and stands once in a batch.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeCommandRecords } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { decodeBatch } from './batch.ts';
import { encodeBeat, LEADER_STATES } from './beats.ts';
import { COMMAND_CLIENT_DEFAULTS, CommandClient } from './command-client.ts';
import { DOOR_REFUSALS, encodeBatchRefused, ResultsWriter } from './results.ts';
import { linkSubjects } from './subjects.ts';

const SOURCE = 41;
const SUBJECTS = linkSubjects('test');
const STEPS = 300;

/** What the leader may say, about commands and batches that were sent, or will be, or never. */
class AnyLeader {
  readonly #random: Random;
  #epoch = 1;
  batches = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  results(commands: number): Uint8Array {
    const writer = new ResultsWriter({ results: 2, eventBytes: 0 });
    for (let index = 0; index < 2; index++) {
      const number = this.#random.between(1, commands + 1);
      const accepted = { refusal: 'none', order: 0, isRepeat: false, hasAllEvents: true } as const;
      writer.add({ number, command: number, ...accepted, eventCount: 0 }, 0, 0);
    }
    return writer.close({ epoch: this.#epoch, sequence: 1, timeMs: 1, commandsApplied: commands });
  }

  refusal(): Uint8Array {
    const reason = this.#random.pick(DOOR_REFUSALS);
    const batch = this.#random.between(1, this.batches + 1);
    return encodeBatchRefused({ kind: 'batch-refused', epoch: this.#epoch, batch, reason });
  }

  beat(): Uint8Array {
    if (this.#random.chance(30)) this.#epoch++;
    return encodeBeat({
      instance: 'a',
      epoch: this.#epoch,
      state: this.#random.pick(LEADER_STATES),
      sequence: 1,
      commandsApplied: 0,
      eventsSequence: 0,
      schemaVersion: 2,
      outputDigests: [],
      stateHash: '',
      stateHashSequence: 0,
    });
  }
}

/** What each command was told, after some seconds of this. */
function run(seed: number): string[][] {
  const random = new Random(seed);
  const time = new VirtualTime({ startMs: 0, random, latenessMsMax: 5 });
  const leader = new AnyLeader(random);
  const receivers = new Map<string, (message: Uint8Array, subject: string) => void>();
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    pendingMax: 20,
    exchange: 'test',
    source: SOURCE,
    clock: time.process(0),
    bus: {
      publish(_, message) {
        const batch = decodeBatch(message);
        assert.ok(batch);
        leader.batches = batch.batch;
        const numbers = decodeCommandRecords(batch.records).map(({ number }) => number);
        assert.equal(new Set(numbers).size, numbers.length, `seed ${seed}: twice in ${numbers}`);
      },
      subscribe(subject, receive) {
        receivers.set(subject, receive);
        return { stop: () => receivers.delete(subject) };
      },
    },
  });
  const say = (subject: string, message: Uint8Array) => receivers.get(subject)?.(message, subject);
  const told: string[][] = [];
  const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
  for (let step = 0; step < STEPS; step++) {
    const dice = random.below(100);
    if (dice < 40) {
      const outcomes: string[] = [];
      told.push(outcomes);
      const command = { kind: 'CancelAllOrders', ...client.nextId(), ...user } as const;
      client.send(command, random.between(1, 4_000), ({ kind }) => outcomes.push(kind));
    } else if (dice < 55) say(SUBJECTS.resultsFor(SOURCE), leader.results(told.length));
    else if (dice < 70) say(SUBJECTS.resultsFor(SOURCE), leader.refusal());
    else if (dice < 80) say(SUBJECTS.leader, leader.beat());
    else time.runUntil(time.nowMs() + random.between(1, 700));
  }
  time.runUntil(time.nowMs() + 10_000);
  assert.equal(client.pending, 0, `seed ${seed}`);
  return told;
}

test('whatever is said in whatever order, each command is told exactly once', () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    for (const [index, told] of run(seed).entries()) {
      assert.equal(told.length, 1, `seed ${seed}: command ${index + 1} was told ${told}`);
      kinds.add(told[0]);
    }
  }
  assert.deepEqual([...kinds].sort(), ['answered', 'not_taken', 'unknown']);
});
