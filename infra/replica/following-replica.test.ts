// A replica that starts from the newest usable snapshot, or from the first frame, and follows the
// log. An inconsistency is reported once and ends it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { encodeCommandFrame, FrameWriter } from '../../core/messages/index.ts';
import type { MarketId, TimeMs, UserId } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { VirtualTime } from '../../testing/simulator/virtual-time.ts';
import {
  exchangeIdOf,
  hashFrame,
  openSealedFrame,
  type Snapshot,
  type SnapshotAnswer,
  sealFrame,
} from '../journal/index.ts';
import { MemoryLog } from '../journal/memory-log.ts';
import { faultlessPath } from '../journal/memory-log-path.ts';
import { chunked, wholeOf } from '../journal/snapshot-for-test.ts';
import type { SnapshotChunks } from '../journal/snapshot-port.ts';
import { FollowingReplica, type FollowOptions } from './following-replica.ts';
import { Replica } from './replica.ts';

const RETRY_MS = 50;
const WATCH_MS = 200;

class Stage {
  readonly time = new VirtualTime({ startMs: 0, random: new Random(1), latenessMsMax: 0 });
  readonly log = new MemoryLog(this.time);
  readonly author = Replica.create();
  /** The pending requests for a snapshot. */
  readonly requests: { atMost: number; answer: (answer: SnapshotAnswer) => void }[] = [];
  readonly seen: string[] = [];

  /** Writes this many frames, as a leader does. */
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

  /** Hash of the author's current state. */
  snapshot(): Snapshot {
    return chunked(wholeOf(this.author.snapshot()));
  }

  follow(change: Partial<FollowOptions> = {}): FollowingReplica {
    const clock = this.time.process(0);
    const commands = this.log.connect(
      clock,
      faultlessPath(() => 0.5),
    );
    const snapshots = {
      newest: (atMost: number, answer: (answer: SnapshotAnswer) => void) => {
        this.requests.push({ atMost, answer });
      },
    };
    return new FollowingReplica({
      commands,
      snapshots,
      clock,
      retryMs: RETRY_MS,
      watchMs: WATCH_MS,
      atMost: 1_000,
      onStarted: ({ sequence }) => this.seen.push(`starts at ${sequence}`),
      onApplied: ({ frame }, replica, sealed) => {
        assert.equal(replica.sequence, frame.sequence);
        assert.deepEqual(replica.frameHash, sealed.frameHash);
        this.seen.push(`${frame.sequence}`);
      },
      onFault: (reason, cause) => this.seen.push(cause ? `${reason}: ${cause}` : reason),
      ...change,
    });
  }

  answer(answer: SnapshotAnswer): void {
    (this.requests.shift() ?? assert.fail('no snapshot was requested')).answer(answer);
    this.pass(10);
  }

  pass(forMs: number): void {
    this.time.runUntil(this.time.nowMs() + forMs);
  }
}

test('without a snapshot, following starts before the first frame and applies all', () => {
  const stage = new Stage();
  stage.write(3);
  const follower = stage.follow();
  assert.deepEqual([stage.seen, follower.replica], [[], undefined]);
  stage.answer('none');
  assert.deepEqual(stage.seen, ['starts at 0', '1', '2', '3']);
  stage.write(1);
  stage.pass(10);
  assert.equal(stage.seen.at(-1), '4');
  assert.equal(follower.replica?.stateHash(), stage.author.stateHash());
});

test('with a snapshot, following starts there and applies the later frames', () => {
  const stage = new Stage();
  stage.write(3);
  const snapshot = stage.snapshot();
  stage.write(2);
  const follower = stage.follow({ atMost: 4 });
  assert.equal(stage.requests[0].atMost, 4);
  stage.answer(snapshot);
  assert.deepEqual(stage.seen, ['starts at 3', '4', '5']);
  assert.equal(follower.replica?.stateHash(), stage.author.stateHash());
});

test('while the snapshot store is unavailable, the start is retried', () => {
  const stage = new Stage();
  stage.write(2);
  const snapshot = stage.snapshot();
  stage.follow();
  for (let count = 0; count < 3; count++) {
    stage.answer('unavailable');
    assert.equal(stage.requests.length, 0);
    stage.pass(RETRY_MS);
  }
  assert.deepEqual(stage.seen, []);
  stage.answer(snapshot);
  assert.deepEqual(stage.seen, ['starts at 2']);
});

test('a snapshot that cannot be restored is a fault and ends following', () => {
  const stage = new Stage();
  stage.write(2);
  const { bytes, info } = wholeOf(stage.author.snapshot());
  stage.follow();
  stage.answer(chunked({ bytes: bytes.subarray(0, -1), info }));
  stage.pass(10 * WATCH_MS);
  assert.equal(stage.seen.length, 1);
  assert.match(stage.seen[0], /^the snapshot cannot be restored: ChainFault: snapshot 2 hashes to/);
  assert.equal(stage.requests.length, 0);
});

test('a damaged chunk causes a fallback to the previous snapshot', () => {
  const stage = new Stage();
  stage.write(2);
  const older = stage.snapshot();
  stage.write(1);
  const newer = stage.snapshot();
  const follower = stage.follow();
  const chunks = newer.chunks();
  let read = 0;
  const next: SnapshotChunks['next'] = (done) => (read++ < 1 ? chunks.next(done) : done('damaged'));
  stage.answer({ info: newer.info, chunks: () => ({ next }) });
  assert.equal(read, 2);
  assert.deepEqual([stage.seen, stage.requests[0].atMost], [[], 2]);
  stage.answer(older);
  assert.deepEqual(stage.seen, ['starts at 2', '3']);
  assert.equal(follower.replica?.stateHash(), stage.author.stateHash());
});

test('an unavailable chunk restarts the entire read later', () => {
  const stage = new Stage();
  stage.write(2);
  const snapshot = stage.snapshot();
  stage.follow();
  stage.answer({ info: snapshot.info, chunks: () => ({ next: (done) => done('unavailable') }) });
  assert.equal(stage.requests.length, 0);
  stage.pass(RETRY_MS);
  stage.answer(snapshot);
  assert.deepEqual(stage.seen, ['starts at 2']);
});

test('nothing is applied while paused, and everything afterwards', () => {
  const stage = new Stage();
  stage.write(2);
  const follower = stage.follow();
  follower.pause(true);
  stage.answer('none');
  stage.pass(10 * WATCH_MS);
  assert.deepEqual(stage.seen, ['starts at 0']);
  follower.pause(false);
  stage.pass(10);
  assert.deepEqual(stage.seen, ['starts at 0', '1', '2']);
  follower.pause(true);
  stage.write(2);
  stage.pass(10 * WATCH_MS);
  assert.equal(stage.seen.length, 3);
  follower.pause(false);
  stage.pass(10);
  assert.deepEqual(stage.seen.slice(3), ['3', '4']);
});

const FAULTS: Record<string, { spoil: (stage: Stage) => void; seen: RegExp }> = {
  'a frame that breaks the chain': {
    spoil: ({ log }) => void log.store(log.message(2)),
    seen: /^frame 4 cannot be applied: ChainFault: frame 2 does not follow frame 3$/,
  },
  'a message that is not a frame': {
    spoil: ({ log }) => {
      const bytes = new Uint8Array(50);
      log.store(sealFrame(bytes, hashFrame(bytes)));
    },
    seen: /^frame 4 cannot be applied: CodecFault: /,
  },
  'a message that stays damaged': {
    spoil: ({ log }) => void log.store(new Uint8Array(50)),
    seen: /^message 4 is damaged$/,
  },
};

for (const [name, { spoil, seen }] of Object.entries(FAULTS)) {
  test(`${name} is reported once and ends it`, () => {
    const stage = new Stage();
    stage.write(3);
    spoil(stage);
    const follower = stage.follow();
    stage.answer('none');
    stage.pass(10 * WATCH_MS);
    stage.log.store(stage.log.message(1));
    stage.pass(10 * WATCH_MS);
    assert.deepEqual(stage.seen.slice(0, 4), ['starts at 0', '1', '2', '3']);
    assert.equal(stage.seen.length, 5);
    assert.match(stage.seen[4], seen);
    assert.equal(follower.replica?.sequence, 3);
  });
}

test('frames purged from the log are missed only if no snapshot covers them', () => {
  const stage = new Stage();
  stage.write(3);
  const snapshot = stage.snapshot();
  stage.write(3);
  stage.log.trim(4);
  stage.follow();
  stage.answer(snapshot);
  assert.deepEqual(stage.seen, ['starts at 3', '4', '5', '6']);
  stage.seen.length = 0;
  stage.follow();
  stage.answer('none');
  stage.pass(2 * WATCH_MS);
  assert.deepEqual(stage.seen, ['starts at 0', 'the log starts at 4; message 1 no longer exists']);
});

test('following never starts after an early stop()', () => {
  for (const answer of ['none', 'unavailable'] as const) {
    const stage = new Stage();
    stage.write(2);
    const follower = stage.follow();
    follower.stop();
    stage.answer(answer);
    stage.pass(10 * WATCH_MS);
    assert.deepEqual([stage.seen, stage.requests.length], [[], 0]);
  }
});

test('stop() ends the retries', () => {
  const stage = new Stage();
  const follower = stage.follow();
  stage.answer('unavailable');
  follower.stop();
  stage.pass(10 * RETRY_MS);
  assert.equal(stage.requests.length, 0);
});

test('a callback can stop following, and the replica is unchanged', () => {
  for (const stopAt of ['starts at 0', '2']) {
    const stage = new Stage();
    stage.write(4);
    const stopIf = (word: string) => {
      stage.seen.push(word);
      if (word === stopAt) follower.stop();
    };
    const follower = stage.follow({
      onStarted: ({ sequence }) => stopIf(`starts at ${sequence}`),
      onApplied: ({ frame }) => stopIf(`${frame.sequence}`),
    });
    stage.answer('none');
    stage.pass(10 * WATCH_MS);
    assert.equal(stage.seen.at(-1), stopAt);
    assert.equal(follower.replica?.sequence, stopAt === '2' ? 2 : 0);
  }
});

test('a log named after another exchange than its first frame is refused', () => {
  const stage = new Stage();
  stage.write(2);
  const first = openSealedFrame(stage.log.message(1)) ?? assert.fail();
  const exchangeId = exchangeIdOf(first.frame);
  stage.follow({ exchangeId });
  stage.requests.pop()?.answer('none');
  stage.time.runUntil(100);
  assert.deepEqual(stage.seen.splice(0), ['starts at 0', '1', '2']);
  stage.follow({ exchangeId: 'another' });
  stage.requests.pop()?.answer('none');
  stage.time.runUntil(1_000);
  const fault = `frame 1 is that of exchange ${exchangeId}, but the log is named another`;
  assert.deepEqual(stage.seen, ['starts at 0', fault]);
});
