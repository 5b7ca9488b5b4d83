// The archive alone rebuilds the exchange, and verify locates any damage.

import assert from 'node:assert/strict';
import { readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type CommandFrame,
  decodeCommandFrame,
  encodeCommandFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import type { AssetId } from '../../core/money/index.ts';
import { pack } from '../../infra/journal/archive-pack.ts';
import { openSegment } from '../../infra/journal/archive-segment.ts';
import { FolderSnapshots } from '../../infra/journal/index.ts';
import { Replica, replayTo } from '../../infra/replica/index.ts';
import { chosenSeed, drive } from '../../testing/flows/index.ts';
import { ArchiveRecorder } from './archive-recorder-for-test.ts';
import { ask, folderFor } from './replay-for-test.ts';
import { openSource } from './source.ts';
import { recordStory } from './story-archive-for-test.ts';
import { verify } from './verify.ts';

const seed = chosenSeed();
const fail = (problem: unknown) => assert.fail(String(problem));

const REBUILT = 'the archive alone rebuilds the exchange: log, servers and snapshots are lost';

test(`${REBUILT}, seed ${seed}`, async (t) => {
  const folder = await folderFor(t);
  const recorder = await ArchiveRecorder.start(folder);
  const { replica } = recorder;
  let poisons = 0;
  const apply = (frame: CommandFrame) => {
    // Occasionally a command on which the engine failed at the time.
    const isPoison = frame.sequence % 40 === 0 && frame.commands.length > 0;
    if (!isPoison) return recorder.apply({ ...frame, epoch: Math.ceil(frame.sequence / 70) });
    poisons++;
    const poisoned = [replica.exchange.commandsApplied + 1];
    return recorder.apply({ ...frame, epoch: Math.ceil(frame.sequence / 70), poisoned });
  };
  for (const _ of drive({ flow: 'adversarial', seed, commands: 2_500, apply })) {
    if (replica.sequence % 50 === 0) await recorder.endSegment();
    if (replica.sequence % 60 === 0) await recorder.keepSnapshot();
  }
  await recorder.endSegment();
  assert.ok(poisons > 0, 'there was poison in the log');
  await rm(join(folder, 'snapshots'), { recursive: true });

  const found = await verify({ folder, usesSnapshots: false, onProblem: fail });
  const { segments } = found;
  assert.equal(found.difference, null);
  assert.equal(found.stateHash, replica.stateHash(), 'the state is the one that was lost');
  assert.equal(found.frameHash, Buffer.from(replica.frameHash).toString('hex'));
  assert.deepEqual(
    [found.frames, found.commands, found.outputHashesEqual, found.stateHashesEqual],
    [replica.sequence, replica.exchange.commandsApplied, segments, segments],
  );
  assert.ok(segments > 1);
});

const [FIRST, SECOND, THIRD] = [1, 4, 7].map(
  (sequence) => `commands-${String(sequence).padStart(16, '0')}.segment`,
);

interface Damage {
  readonly do: (folder: string) => Promise<void>;
  /** File in which the difference is reported. */
  readonly file: string;
  readonly sequence: number | null;
  readonly detail: RegExp;
}

const DAMAGES: Record<string, Damage> = {
  'a flipped byte in a body': {
    do: async (folder) => {
      const bytes = await readFile(join(folder, SECOND));
      bytes[bytes.length - 20] ^= 1;
      await writeFile(join(folder, SECOND), bytes);
    },
    file: SECOND,
    sequence: null,
    detail: /^expected body hash \w{64}, found \w{64}$/,
  },
  'two segments in each other’s place': {
    do: async (folder) => {
      await rename(join(folder, FIRST), join(folder, 'aside'));
      await rename(join(folder, SECOND), join(folder, FIRST));
      await rename(join(folder, 'aside'), join(folder, SECOND));
    },
    file: FIRST,
    sequence: null,
    detail: /starts with frame 4, which its name contradicts/,
  },
  'a missing segment': {
    do: (folder) => rm(join(folder, SECOND)),
    file: THIRD,
    sequence: null,
    detail: /^starts with frame 7, but frame 4 is missing$/,
  },
  'a truncated file': {
    do: (folder) => truncate(join(folder, THIRD), 1_000),
    file: THIRD,
    sequence: null,
    detail: /^expected \d+ bytes, found 1000$/,
  },
  'a foreign file': {
    do: (folder) => writeFile(join(folder, 'commands.bak'), ''),
    file: 'commands.bak',
    sequence: null,
    detail: /not the name of a segment/,
  },
  'a frame that follows another': {
    do: (folder) => forge(folder, SECOND, { change: (frame) => ({ ...frame, epoch: 3 }) }),
    file: SECOND,
    sequence: 6,
    detail: /the previous frame has hash \w+, but this one names/,
  },
  'a wrong hash of the events': {
    do: (folder) => forge(folder, THIRD, { checkpoint: { outputHash: 'ab'.repeat(32) } }),
    file: THIRD,
    sequence: 8,
    detail: /^the events have another hash: the archive says (ab)+/,
  },
  'a wrong state hash': {
    do: (folder) => forge(folder, THIRD, { checkpoint: { stateHash: 'abcd' } }),
    file: THIRD,
    sequence: 8,
    detail: /^the state has another hash: the archive says abcd,/,
  },
  'a checkpoint changed in the middle': {
    do: (folder) => forge(folder, FIRST, { checkpoint: { stateHash: 'abcd' } }),
    file: SECOND,
    sequence: null,
    detail: /has hash \w+, but this segment names/,
  },
};

interface Forgery {
  /** Changes the second frame. */
  readonly change?: (frame: CommandFrame) => CommandFrame;
  readonly checkpoint?: object;
}

/** Packs a segment again, so only its content is wrong. */
async function forge(folder: string, file: string, { change, checkpoint }: Forgery): Promise<void> {
  const bytes = await readFile(join(folder, file));
  const label = JSON.parse(bytes.toString('latin1').split('\n')[1]);
  const frames = [...(await openSegment(file, bytes)).frames];
  if (change !== undefined) {
    const changed = change(decodeCommandFrame(frames[1]));
    frames[1] = encodeCommandFrame(new FrameWriter(), changed);
  }
  const about = { ...label, checkpoint: { ...label.checkpoint, ...checkpoint } };
  const packed = await pack('segment', about, Buffer.concat(frames));
  await writeFile(join(folder, file), packed.bytes);
}

for (const [title, damage] of Object.entries(DAMAGES)) {
  test(`verify finds ${title} and says where`, async (t) => {
    const folder = await folderFor(t);
    await recordStory(folder);
    await damage.do(folder);
    const { code, printed } = await ask(`verify --json --archive ${folder}`);
    const { isSound, difference } = JSON.parse(printed);
    assert.deepEqual(
      { code, isSound, file: difference.file, sequence: difference.sequence },
      { code: 1, isSound: false, file: damage.file, sequence: damage.sequence },
    );
    assert.match(difference.detail, damage.detail);
    const text = (await ask(`verify --archive ${folder}`)).printed;
    const frame = damage.sequence === null ? '' : `, frame ${damage.sequence}`;
    assert.ok(text.includes(`\nNOT SOUND\nat          ${damage.file}${frame}\nbecause     `), text);
  });
}

test('a folder without a segment is not sound', async (t) => {
  const { code, printed } = await ask(`verify --archive ${await folderFor(t)}`);
  assert.equal(code, 1);
  assert.match(printed, /NOT SOUND\nat {10}the archive\nbecause {5}there is no segment/);
});

test('a frame on which the engine fails is named', async (t) => {
  const folder = await folderFor(t);
  await recordStory(folder);
  // A snapshot of an impossible state: user 8 has an order without a hold.
  const { archive } = await openSource({ folder, usesSnapshots: false, onProblem: fail });
  const replica = Replica.create();
  await replayTo(archive, replica, 4);
  const { accounts } = replica.exchange.ledger;
  accounts.setHeldAtoms(accounts.find(8, 2 as AssetId), 0n);
  await rm(join(folder, 'snapshots'), { recursive: true });
  const snapshots = new FolderSnapshots(join(folder, 'snapshots'), fail);
  await new Promise((done) => snapshots.write(replica.snapshot(), done));
  await new Promise((done) => snapshots.confirm(4, done));
  const { code, printed } = await ask(`verify --from-snapshot --json --archive ${folder}`);
  assert.equal(code, 1);
  const { detail, file, sequence } = JSON.parse(printed).difference;
  assert.deepEqual([file, sequence], [SECOND, 5]);
  assert.match(detail, /^the engine fails: command 10 is poison/);
});

test('a snapshot of another log is not started from', async (t) => {
  const folder = await folderFor(t);
  await recordStory(folder);
  await bringForeignSnapshot(t, folder, 4);
  const { printed } = await ask(`verify --from-snapshot --json --archive ${folder}`);
  const { detail, file, sequence } = JSON.parse(printed).difference;
  assert.deepEqual([file, sequence], [SECOND, 4]);
  assert.match(detail, /the snapshot follows another frame/);
  const refused = await ask(`balance --user 7 --asset btc --archive ${folder}`);
  assert.equal(refused.code, 1);
  assert.match(refused.noted, /frame 5 does not chain to frame 4/);
});

test('neither when it stands at the end, where no frame could tell', async (t) => {
  const folder = await folderFor(t);
  await recordStory(folder);
  await bringForeignSnapshot(t, folder, 8);
  const refused = await ask(`balance --user 7 --asset btc --archive ${folder}`);
  assert.equal(refused.code, 1);
  assert.match(refused.noted, /frame 8: snapshot 8 is of another log; --from-genesis/);
  const genesis = await ask(`balance --user 7 --asset btc --from-genesis --archive ${folder}`);
  assert.equal(genesis.code, 0);
});

/** Replaces the archive's snapshot with one from a log of empty frames. */
async function bringForeignSnapshot(t: TestContext, folder: string, at: number): Promise<void> {
  const other = await folderFor(t);
  const recorder = await ArchiveRecorder.start(other);
  for (let sequence = 1; sequence <= at; sequence++) {
    const none = { previousHash: new Uint8Array(32), commands: [] };
    recorder.apply({ ...none, sequence, epoch: 1, timeMs: 1 as CommandFrame['timeMs'] });
  }
  await recorder.keepSnapshot();
  const [name] = await readdir(join(other, 'snapshots'));
  await rename(join(other, 'snapshots', name), join(folder, 'snapshots', name));
}

test('a damaged snapshot is passed over with a note', async (t) => {
  const folder = await folderFor(t);
  await recordStory(folder);
  const [name] = await readdir(join(folder, 'snapshots'));
  await truncate(join(folder, 'snapshots', name), 700);
  const { code, printed, noted } = await ask(`order --id 16 --archive ${folder}`);
  assert.equal(code, 0);
  assert.match(printed, /^state {6}open at frame 8/m);
  assert.match(
    noted,
    /snapshot-0000000000000004\.snapshot: snapshot 4, chunk 0: the checksum does not match/,
  );
});
