// A replica from nothing: from the newest snapshot that may be used, or from the first frame, and
// then the log. Whatever can not be right is told once, and ends it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { MarketId, TimeMs, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import { hashFrame, type SnapshotAnswer, type SnapshotStore, sealFrame } from '../journal/index.ts';
import { MemoryLog } from '../journal/memory-log.ts';
import { soundPath } from '../journal/memory-log-path.ts';
import { FollowingReplica, type FollowOptions } from './following-replica.ts';
import { Replica } from './replica.ts';

const RETRY_MS = 50;
const WATCH_MS = 200;

class Stage {
  readonly time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  readonly log = new MemoryLog(this.time);
  readonly author = Replica.create();
  /** The questions for a snapshot, and how to answer them. */
  readonly asked: { atMost: number; answer: (answer: SnapshotAnswer) => void }[] = [];
  readonly told: string[] = [];

  /** So many frames, as a leader writes them. */
  write(count: number): void {
    for (let index = 0; index < count; index++) {
      const { frameHash: previousHash, sequence } = this.author;
      const id = { source: 1, number: sequence + 1 };
      const user = { user: 1 as UserId, market: 0 as MarketId, byOperator: false };
      const frame = {
        sequence: sequence + 1,
        epoch: 1,
        timeMs: 1 as TimeMs,
        previousHash,
        commands: [{ kind: 'CancelAllOrders', ...id, ...user }] as const,
      };
      const bytes = encodeCommandFrame(new FrameWriter(), frame);
      const frameHash = hashFrame(bytes);
      this.author.apply(frame, frameHash);
      this.log.store(sealFrame(bytes, frameHash));
    }
  }

  follow(change: Partial<FollowOptions> = {}): FollowingReplica {
    const clock = this.time.process(0);
    const commands = this.log.connect(
      clock,
      soundPath(() => 0.5),
    );
    const snapshots = {
      newest: (atMost: number, answer: (answer: SnapshotAnswer) => void) => {
        this.asked.push({ atMost, answer });
      },
    } as unknown as SnapshotStore;
    return new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs: RETRY_MS,
      watchMs: WATCH_MS,
      atMost: 1_000,
      onStarted: ({ sequence }) => this.told.push(`starts at ${sequence}`),
      onApplied: ({ frame }, replica, sealed) => {
        assert.equal(replica.sequence, frame.sequence);
        assert.deepEqual(replica.frameHash, sealed.frameHash);
        this.told.push(`${frame.sequence}`);
      },
      onFault: (reason, cause) => this.told.push(cause ? `${reason}: ${cause}` : reason),
      ...change,
    });
  }

  answer(answer: SnapshotAnswer): void {
    (this.asked.shift() ?? assert.fail('nothing was asked')).answer(answer);
    this.pass(10);
  }

  pass(forMs: number): void {
    this.time.runUntil(this.time.nowMs() + forMs);
  }
}

test('without a snapshot it starts before the first frame and applies all of them', () => {
  const stage = new Stage();
  stage.write(3);
  const follower = stage.follow();
  assert.deepEqual([stage.told, follower.replica], [[], undefined]);
  stage.answer('none');
  assert.deepEqual(stage.told, ['starts at 0', '1', '2', '3']);
  stage.write(1);
  stage.pass(10);
  assert.equal(stage.told.at(-1), '4');
  assert.equal(follower.replica?.stateHash(), stage.author.stateHash());
});

test('with a snapshot it starts there and applies what came after it', () => {
  const stage = new Stage();
  stage.write(3);
  const snapshot = stage.author.snapshot();
  stage.write(2);
  const follower = stage.follow({ atMost: 4 });
  assert.equal(stage.asked[0].atMost, 4);
  stage.answer(snapshot);
  assert.deepEqual(stage.told, ['starts at 3', '4', '5']);
  assert.equal(follower.replica?.stateHash(), stage.author.stateHash());
});

test('while no snapshot can be had it asks again, and does not start without', () => {
  const stage = new Stage();
  stage.write(2);
  const snapshot = stage.author.snapshot();
  stage.follow();
  for (let count = 0; count < 3; count++) {
    stage.answer('unavailable');
    assert.equal(stage.asked.length, 0);
    stage.pass(RETRY_MS);
  }
  assert.deepEqual(stage.told, []);
  stage.answer(snapshot);
  assert.deepEqual(stage.told, ['starts at 2']);
});

test('a snapshot that can not be restored is a fault, and nothing follows', () => {
  const stage = new Stage();
  stage.write(2);
  const { bytes, info } = stage.author.snapshot();
  stage.follow();
  stage.answer({ bytes: bytes.subarray(0, -1), info });
  stage.pass(10 * WATCH_MS);
  assert.equal(stage.told.length, 1);
  assert.match(
    stage.told[0],
    /^the snapshot can not be restored: ChainFault: snapshot 2 hashes to/,
  );
  assert.equal(stage.asked.length, 0);
});

const FAULTS: Record<string, { spoil: (stage: Stage) => void; told: RegExp }> = {
  'a frame that does not follow': {
    spoil: ({ log }) => void log.store(log.message(2)),
    told: /^frame 4 can not be applied: ChainFault: frame 2 does not follow frame 3$/,
  },
  'a message that is no frame': {
    spoil: ({ log }) => {
      const bytes = new Uint8Array(50);
      log.store(sealFrame(bytes, hashFrame(bytes)));
    },
    told: /^frame 4 can not be applied: CodecFault: /,
  },
  'a message that is damaged for good': {
    spoil: ({ log }) => void log.store(new Uint8Array(50)),
    told: /^message 4 is damaged$/,
  },
};

for (const [name, { spoil, told }] of Object.entries(FAULTS)) {
  test(`${name} is told once, and nothing follows`, () => {
    const stage = new Stage();
    stage.write(3);
    spoil(stage);
    const follower = stage.follow();
    stage.answer('none');
    stage.pass(10 * WATCH_MS);
    stage.log.store(stage.log.message(1));
    stage.pass(10 * WATCH_MS);
    assert.deepEqual(stage.told.slice(0, 4), ['starts at 0', '1', '2', '3']);
    assert.equal(stage.told.length, 5);
    assert.match(stage.told[4], told);
    assert.equal(follower.replica?.sequence, 3);
  });
}

test('frames given up by the log are missed only when no snapshot covers them', () => {
  const stage = new Stage();
  stage.write(3);
  const snapshot = stage.author.snapshot();
  stage.write(3);
  stage.log.trim(4);
  stage.follow();
  stage.answer(snapshot);
  assert.deepEqual(stage.told, ['starts at 3', '4', '5', '6']);
  stage.told.length = 0;
  stage.follow();
  stage.answer('none');
  stage.pass(2 * WATCH_MS);
  assert.deepEqual(stage.told, ['starts at 0', 'the log begins at 4, message 1 is gone']);
});

test('stopped before it has started, it never starts', () => {
  for (const answer of ['none', 'unavailable'] as const) {
    const stage = new Stage();
    stage.write(2);
    const follower = stage.follow();
    follower.stop();
    stage.answer(answer);
    stage.pass(10 * WATCH_MS);
    assert.deepEqual([stage.told, stage.asked.length], [[], 0]);
  }
});

test('stopped while it waits to ask again, it asks no more', () => {
  const stage = new Stage();
  const follower = stage.follow();
  stage.answer('unavailable');
  follower.stop();
  stage.pass(10 * RETRY_MS);
  assert.equal(stage.asked.length, 0);
});

test('whoever is told may stop it, and the replica stays as it is', () => {
  for (const stopAt of ['starts at 0', '2']) {
    const stage = new Stage();
    stage.write(4);
    const stopIf = (word: string) => {
      stage.told.push(word);
      if (word === stopAt) follower.stop();
    };
    const follower = stage.follow({
      onStarted: ({ sequence }) => stopIf(`starts at ${sequence}`),
      onApplied: ({ frame }) => stopIf(`${frame.sequence}`),
    });
    stage.answer('none');
    stage.pass(10 * WATCH_MS);
    assert.equal(stage.told.at(-1), stopAt);
    assert.equal(follower.replica?.sequence, stopAt === '2' ? 2 : 0);
  }
});
