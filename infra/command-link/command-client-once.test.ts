// The command client with a leader that replies at random, in any order: each command gets exactly
// one outcome, and no batch holds a command twice.

import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeCommandRecords } from '../../core/messages/index.ts';
import type { MarketId, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { MemoryBus } from '../bus/bus-for-test.ts';
import { decodeBatch } from './batch.ts';
import { COMMAND_CLIENT_DEFAULTS, CommandClient } from './command-client.ts';
import { encodeHeartbeat, LEADER_STATES } from './heartbeats.ts';
import { BATCH_REFUSALS, encodeBatchRefused, ResultsWriter } from './results.ts';
import { linkSubjects } from './subjects.ts';

const SOURCE = 41;
const SUBJECTS = linkSubjects('test');
const SENDER = 'gateway-http';
const STEPS = 300;

/** Random replies about commands and batches that were sent, will be sent, or never are. */
class RandomLeader {
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
    const reason = this.#random.pick(BATCH_REFUSALS);
    const batch = this.#random.between(1, this.batches + 1);
    return encodeBatchRefused({ kind: 'batch-refused', epoch: this.#epoch, batch, reason });
  }

  heartbeat(): Uint8Array {
    if (this.#random.chance(30)) this.#epoch++;
    return encodeHeartbeat({
      instance: 'a',
      writer: 99,
      epoch: this.#epoch,
      state: this.#random.pick(LEADER_STATES),
      sequence: 1,
      commandsApplied: 0,
      unacknowledgedMs: 0,
      acknowledgedMs: 0,
      eventsSequence: 0,
      schemaVersion: 2,
      outputDigests: [],
      stateHash: '',
      stateHashSequence: 0,
    });
  }
}

/** The outcomes of each command after some seconds of random replies. */
function run(seed: number): string[][] {
  const random = new Random(seed);
  const time = new VirtualTime({ startMs: 0, random, latenessMsMax: 5 });
  const leader = new RandomLeader(random);
  const bus = new MemoryBus();
  bus.subscribe(SUBJECTS.commandsFrom(SENDER), (message) => {
    const batch = decodeBatch(message);
    assert.ok(batch);
    leader.batches = batch.batch;
    const numbers = decodeCommandRecords(batch.records).map(({ number }) => number);
    assert.equal(new Set(numbers).size, numbers.length, `seed ${seed}: twice in ${numbers}`);
  });
  const client = new CommandClient({
    ...COMMAND_CLIENT_DEFAULTS,
    pendingMax: 20,
    exchange: 'test',
    sender: SENDER,
    source: SOURCE,
    clock: time.process(0),
    bus,
  });
  const all: string[][] = [];
  const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
  for (let step = 0; step < STEPS; step++) {
    const dice = random.below(100);
    if (dice < 40) {
      const outcomes: string[] = [];
      all.push(outcomes);
      const command = { kind: 'CancelAllOrders', ...client.nextId(), ...user } as const;
      client.send(command, random.between(1, 4_000), ({ kind }) => outcomes.push(kind));
    } else if (dice < 55)
      bus.deliver(SUBJECTS.resultsFor(SENDER, SOURCE), leader.results(all.length));
    else if (dice < 70) bus.deliver(SUBJECTS.resultsFor(SENDER, SOURCE), leader.refusal());
    else if (dice < 80) bus.deliver(SUBJECTS.leader, leader.heartbeat());
    else time.runUntil(time.nowMs() + random.between(1, 700));
  }
  time.runUntil(time.nowMs() + 10_000);
  assert.equal(client.pending, 0, `seed ${seed}`);
  return all;
}

test("each command gets exactly one outcome, regardless of the leader's replies", () => {
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 100; seed++) {
    for (const [index, outcomes] of run(seed).entries()) {
      assert.equal(outcomes.length, 1, `seed ${seed}: command ${index + 1} got ${outcomes}`);
      kinds.add(outcomes[0]);
    }
  }
  assert.deepEqual([...kinds].sort(), ['answered', 'not_taken', 'unknown']);
});
