// The engine on a log: a follower computes the leader's events, accepts only the next frame, and
// continues from a valid snapshot as if it had never stopped.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  CodecFault,
  type Command,
  type CommandFrame,
  encodeCommandFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { Random } from '../../testing/flows/index.ts';
import { order } from '../../testing/flows/set-up.ts';
import type { CommandWithoutId } from '../../testing/reference-models/index.ts';
import { LISTINGS, Trader, withId } from '../../testing/simulator/trading-commands.ts';
import { hashFrame, NO_HASH, type SealedFrame, type SnapshotInfo } from '../journal/index.ts';
import { type WholeSnapshot, wholeOf } from '../journal/snapshot-for-test.ts';
import { PoisonFault } from './index.ts';
import { ChainFault, Replica } from './replica.ts';
import { restored } from './restored-for-test.ts';

/** Makes frames as a leader does, and records them. */
class Author {
  readonly replica = Replica.create();
  readonly log: SealedFrame[] = [];
  readonly #writer = new FrameWriter();
  #numbers = 0;

  /** The next frame with some fields changed; not applied. */
  frame(bodies: readonly CommandWithoutId[], change: Partial<CommandFrame> = {}): CommandFrame {
    const commands = bodies.map((body): Command => {
      return withId(body, { source: 1, number: ++this.#numbers });
    });
    const sequence = this.replica.sequence + 1;
    const timeMs = (1_000 * sequence) as TimeMs;
    const previousHash = this.replica.frameHash;
    return { sequence, epoch: 3, timeMs, previousHash, commands, ...change };
  }

  seal(frame: CommandFrame): SealedFrame {
    const bytes = new Uint8Array(encodeCommandFrame(this.#writer, frame));
    return { frame: bytes, frameHash: hashFrame(bytes) };
  }

  write(bodies: readonly CommandWithoutId[]): SealedFrame {
    const frame = this.frame(bodies);
    const sealed = this.seal(frame);
    this.replica.apply(frame, sealed.frameHash, frame.commands.length);
    this.log.push(sealed);
    return sealed;
  }
}

/** An exchange with a market, two traders, and some frames of trading. */
function tradingAuthor(frames = 40): Author {
  const author = new Author();
  const random = new Random(5);
  const traders = [1, 2].map((user) => new Trader(random, { user, channel: user }));
  author.write(LISTINGS);
  for (let count = 1; count < frames; count++) {
    author.write(traders.flatMap((trader) => [trader.next(), trader.next()]));
  }
  return author;
}

function followed(log: readonly SealedFrame[], replica = Replica.create()): Replica {
  for (const sealed of log) replica.follow(sealed);
  return replica;
}

test('a follower computes the same events, digests and state as the leader', () => {
  const author = tradingAuthor(130);
  const leader = Replica.create();
  const follower = Replica.create();
  for (const sealed of author.log) {
    const applied = follower.follow(sealed);
    const again = leader.apply(applied.frame, sealed.frameHash, applied.frame.commands.length);
    assert.deepEqual(applied.encoded.parts, again.encoded.parts);
    assert.deepEqual(applied.events, again.events);
  }
  assert.equal(follower.stateHash(), author.replica.stateHash());
  assert.deepEqual(follower.outputDigests, author.replica.outputDigests);
  assert.equal(follower.outputDigests.length, 2);
  const { epoch, frameHash, sequence } = follower;
  assert.deepEqual([epoch, sequence], [3, 130]);
  assert.deepEqual(frameHash, author.log[129].frameHash);
});

test('before the first frame the sequence is 0 and the hash is empty', () => {
  const { epoch, frameHash, outputDigests, sequence } = Replica.create();
  assert.deepEqual([sequence, epoch, frameHash, outputDigests], [0, 0, NO_HASH, []]);
});

const MISFITS: Record<string, { change: Partial<CommandFrame>; reason: RegExp }> = {
  'a frame after a gap': { change: { sequence: 12 }, reason: /frame 12 does not follow frame 10/ },
  'the last frame again': { change: { sequence: 10 }, reason: /frame 10 does not follow frame 10/ },
  'a frame after a different frame': {
    change: { previousHash: new Uint8Array(32).fill(7) },
    reason: /frame 11 does not chain to frame 10/,
  },
  'an earlier epoch': { change: { epoch: 2 }, reason: /frame 11 goes back to epoch 2/ },
};

for (const [name, { change, reason }] of Object.entries(MISFITS)) {
  test(`${name} is rejected and changes nothing`, () => {
    const author = tradingAuthor(10);
    const replica = followed(author.log);
    const before = replica.stateHash();
    const wrong = author.seal(author.frame([], change));
    assert.throws(
      () => replica.follow(wrong),
      (fault) => fault instanceof ChainFault && reason.test(fault.message),
    );
    assert.equal(replica.stateHash(), before);
    replica.follow(author.write([]));
    assert.equal(replica.sequence, 11);
  });
}

test('a later epoch is accepted, and earlier epochs are rejected after that', () => {
  const author = tradingAuthor(3);
  const replica = followed(author.log);
  const next = author.frame([], { epoch: 9 });
  replica.follow(author.seal(next));
  assert.equal(replica.epoch, 9);
  const previousHash = replica.frameHash;
  const back = author.seal({ ...next, sequence: 5, epoch: 8, previousHash });
  assert.throws(() => replica.follow(back), /goes back to epoch 8/);
});

test('bytes that are not a frame are a codec fault', () => {
  const bytes = new Uint8Array(100);
  const sealed = { frame: bytes, frameHash: hashFrame(bytes) };
  assert.throws(() => Replica.create().follow(sealed), CodecFault);
});

test('a frame on which the engine fails is a poison fault', () => {
  const author = tradingAuthor(1);
  const money = [1, 2].map((asset): CommandWithoutId => {
    const position = { channel: 1, channelSequence: asset };
    const amountAtoms = 10n ** 11n;
    return { kind: 'CreditDeposit', ...position, user: 1, asset, amountAtoms, reference: '' };
  });
  author.write(money);
  const meets = [7_000, 7_000].map((priceTicks, index) => {
    const side = index === 0 ? 'buy' : 'sell';
    return order({ user: 1, market: 1, side, priceTicks, sizeLots: 10, selfTrade: 'off' });
  });
  const sealed = author.write(meets);
  const replica = followed(author.log.slice(0, -1));
  const { exchange } = replica;
  const fill = () => {
    throw new Error('a bug');
  };
  exchange.matchListener = { ...exchange.matchListener, fill };
  assert.throws(() => replica.follow(sealed), PoisonFault);
});

test('a replica restored from any snapshot continues as if it had never stopped', () => {
  const author = tradingAuthor(100);
  for (const at of [1, 7, 64, 99]) {
    const snapshot = wholeOf(followed(author.log.slice(0, at)).snapshot());
    const replica = restored(snapshot);
    assert.deepEqual([replica.sequence, replica.epoch], [at, 3]);
    assert.deepEqual(replica.frameHash, new Uint8Array(author.log[at - 1].frameHash));
    const continued = followed(author.log.slice(at), replica);
    assert.equal(continued.stateHash(), author.replica.stateHash(), `from ${at}`);
  }
});

test('a restored replica has the digests of the runs that it applied completely', () => {
  const author = tradingAuthor(130);
  const snapshot = wholeOf(followed(author.log.slice(0, 20)).snapshot());
  const replica = followed(author.log.slice(20), restored(snapshot));
  assert.deepEqual(replica.outputDigests, author.replica.outputDigests.slice(1));
});

test('a snapshot describes its state', () => {
  const { log, replica } = tradingAuthor(10);
  const { commandsApplied } = replica.exchange;
  assert.deepEqual(replica.snapshot().info, {
    sequence: 10,
    epoch: 3,
    timeMs: 10_000,
    commandsApplied,
    frameHash: Buffer.from(log[9].frameHash).toString('hex'),
    stateHash: replica.stateHash(),
  });
});

test('a snapshot with any byte changed is rejected', () => {
  const { bytes, info } = wholeOf(tradingAuthor(3).replica.snapshot());
  const step = Math.max(1, Math.floor(bytes.length / 500));
  for (let at = 0; at < bytes.length; at += at < 12 ? 1 : step) {
    const changed = new Uint8Array(bytes);
    changed[at] ^= 1;
    assert.throws(() => restored({ info, bytes: changed }), `byte ${at}`);
  }
  for (const length of [0, 11, 12, bytes.length - 1]) {
    const cut = bytes.subarray(0, length);
    assert.throws(() => restored({ info, bytes: cut }), `${length} bytes`);
  }
});

const WRONG: Record<string, { change: (snapshot: WholeSnapshot) => Partial<SnapshotInfo> }> = {
  'another state': { change: () => ({ stateHash: 'another' }) },
  'another frame': { change: ({ info }) => ({ sequence: info.sequence + 1 }) },
};

for (const [name, { change }] of Object.entries(WRONG)) {
  test(`a snapshot that claims ${name} is rejected`, () => {
    const snapshot = wholeOf(tradingAuthor(5).replica.snapshot());
    const info = { ...snapshot.info, ...change(snapshot) };
    assert.throws(() => restored({ ...snapshot, info }), ChainFault);
  });
}

test('a snapshot with a wrong frame hash accepts no frame from the log', () => {
  const author = tradingAuthor(5);
  const { bytes, info } = wholeOf(author.replica.snapshot());
  const replica = restored({ bytes, info: { ...info, frameHash: 'ab'.repeat(32) } });
  assert.throws(() => replica.follow(author.write([])), /does not chain to frame 5/);
});
