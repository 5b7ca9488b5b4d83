// The engine at an earlier frame: for every kept frame, the accounts are those of the engine after
// that frame, although the replica is ahead.

import assert from 'node:assert/strict';
import test from 'node:test';
import { accountsOf } from '../../core/engine/index.ts';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { OrderNumber, TimeMs } from '../../core/money/index.ts';
import type { EngineAccount } from '../../features/reconciliation/index.ts';
import { hashFrame, sealFrame } from '../../infra/journal/index.ts';
import { MemoryLog } from '../../infra/journal/memory-log.ts';
import { faultlessPath } from '../../infra/journal/memory-log-path.ts';
import { Replica } from '../../infra/replica/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { MemorySnapshots } from '../../testing/simulator/memory-snapshots.ts';
import { LISTINGS, Trader, withId } from '../../testing/simulator/trading-commands.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { REPLICA_STATE_DEFAULTS, ReplicaState } from './replica-state.ts';

const FRAMES = 300;

class Stage {
  readonly time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  readonly commands = new MemoryLog(this.time);
  readonly snapshots = new MemorySnapshots(this.time);
  readonly leader = Replica.create();
  readonly #trader = new Trader(new Random(7), { user: 1, channel: 1 });
  #numbers = 0;
  /** Accounts after each frame. */
  readonly after = new Map<number, string[]>();

  write(count: number): void {
    for (let index = 0; index < count; index++) {
      const { frameHash: previousHash, sequence } = this.leader;
      const bodies = sequence === 0 ? LISTINGS : [this.#trader.next(), this.#trader.next()];
      const commands = bodies.map((body) => withId(body, { source: 1, number: ++this.#numbers }));
      const timeMs = (1_000 * sequence) as TimeMs;
      const frame = { sequence: sequence + 1, epoch: 1, timeMs, previousHash, commands };
      const bytes = encodeCommandFrame(new FrameWriter(), frame);
      const frameHash = hashFrame(bytes);
      this.leader.apply(frame, frameHash);
      this.commands.store(sealFrame(bytes, frameHash));
      this.after.set(sequence + 1, linesOf(accountsOf(this.leader.exchange)));
    }
  }

  open(postingsMax = REPLICA_STATE_DEFAULTS.postingsMax): ReplicaState {
    const clock = this.time.process(0);
    return new ReplicaState({
      commands: this.commands.connect(
        clock,
        faultlessPath(() => 0.5),
      ),
      snapshots: this.snapshots.connect(clock, {
        random: () => 0.5,
        delayMs: { leastMs: 1, mostMs: 1 },
        rates: {},
        onFault: () => {},
      }),
      clock,
      settings: { ...REPLICA_STATE_DEFAULTS, postingsMax },
      recordedTo: Number.MAX_SAFE_INTEGER,
      onStarted: () => {},
      onStalled: (reason) => assert.fail(reason),
      onFault: (reason) => assert.fail(reason),
    });
  }

  pass(ms: number): void {
    this.time.runUntil(this.time.nowMs() + ms);
  }
}

/** Accounts with money, in any order. */
function linesOf(accounts: Iterable<EngineAccount>): string[] {
  return [...accounts]
    .filter(({ availableAtoms, heldAtoms }) => availableAtoms !== 0n || heldAtoms !== 0n)
    .map((one) => `${one.owner} ${one.asset} ${one.availableAtoms} ${one.heldAtoms}`)
    .sort();
}

test("the accounts at every earlier frame match the engine's accounts at that frame", () => {
  const stage = new Stage();
  const state = stage.open();
  stage.pass(100);
  stage.write(FRAMES);
  stage.pass(5_000);
  assert.equal(state.frame, FRAMES);
  let changed = 0;
  for (let frame = 1; frame <= FRAMES; frame++) {
    const expected = stage.after.get(frame)!;
    assert.deepEqual(linesOf(state.accountsAt(frame)!), expected, `frame ${frame}`);
    if (`${expected}` !== `${stage.after.get(FRAMES)}`) changed++;
  }
  assert.ok(changed > FRAMES / 2, 'most frames differ from the last one');
});

test('frames that are too old, forgotten or in the future are unknown', () => {
  const stage = new Stage();
  const state = stage.open(50);
  stage.pass(100);
  stage.write(FRAMES);
  stage.pass(5_000);
  assert.equal(state.accountsAt(10), undefined, 'fifty postings do not reach back so far');
  assert.equal(state.accountsAt(FRAMES + 1), undefined, 'not yet applied');
  assert.deepEqual(linesOf(state.accountsAt(FRAMES)!), stage.after.get(FRAMES));
  assert.equal(state.accountsAt(FRAMES - 1), undefined, 'positions only increase');
});

test('a check waits for a frame and gives up after a while', async () => {
  const stage = new Stage();
  const state = stage.open();
  const reached: string[] = [];
  void state.reach(5).then((isReached) => reached.push(`5 ${isReached}`));
  void state.reach(500).then((isReached) => reached.push(`500 ${isReached}`));
  stage.pass(100);
  stage.write(10);
  stage.pass(1_000);
  await new Promise(setImmediate);
  assert.deepEqual(reached, ['5 true']);
  stage.pass(REPLICA_STATE_DEFAULTS.reachMs);
  await new Promise(setImmediate);
  assert.deepEqual(reached, ['5 true', '500 false']);
  assert.equal(await state.reach(10), true);
});

test('open orders, users and the end of the log match the engine', () => {
  const stage = new Stage();
  const state = stage.open();
  stage.pass(100);
  stage.write(FRAMES);
  stage.pass(5_000);
  const { books, users } = stage.leader.exchange;
  const orders = [...state.orders()];
  assert.ok(orders.length > 0);
  assert.equal(orders.length, books.orders.size);
  for (const { order, remainingLots, sizeLots } of orders) {
    const slot = books.orders.find(order as OrderNumber);
    assert.equal(remainingLots, books.orders.remainingLots(slot));
    assert.equal(sizeLots, books.orders.sizeLots(slot));
  }
  assert.equal(state.ordersChangedAfter(FRAMES)?.size, 0);
  assert.ok(state.ordersChangedAfter(1)!.size >= orders.length);
  assert.equal(state.ordersChangedAfter(FRAMES + 1), undefined, 'not yet applied');
  assert.equal(state.users().length, users.size);
  const part = state.log.framesBetween(0, FRAMES);
  assert.deepEqual([part.after, part.to], [0, FRAMES]);
  assert.ok(part.items.length > FRAMES / 2, 'most frames have rows');
});
