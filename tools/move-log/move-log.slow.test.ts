// The log moves to new streams under load, with real servers and a real sequencer: no command is
// lost or executed twice, no reader misses a frame, and the new streams can be trimmed.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { decodeCommandFrame } from '../../core/messages/index.ts';
import type { Nats } from '../../infra/bus/index.ts';
import {
  JetStreamLog,
  journalNames,
  LogReader,
  ObjectStoreSnapshots,
  openArchive,
  openSealedFrame,
  type SealedFrame,
} from '../../infra/journal/index.ts';
import { createLogger, systemClock } from '../../infra/process/index.ts';
import { FollowingReplica, Replica } from '../../infra/replica/index.ts';
import { startArchivist } from '../../services/archivist/app.ts';
import { archivistConfig } from '../../services/archivist/config.ts';
import { startSequencer } from '../../services/sequencer/app.ts';
import { sequencerConfig } from '../../services/sequencer/config.ts';
import { Prober } from '../../testing/drills/harness/prober.ts';
import { startNatsForTest } from '../../testing/nats/nats-for-test.ts';
import { createLogOnce } from '../create-log/create-log.ts';
import { until } from '../services/wait-until.ts';
import { moveLog } from './move-log.ts';

const EXCHANGE = 'rialto';
const NAMES = journalNames(EXCHANGE);
const log = createLogger({ service: 'test', instance: 'test', level: 'silent' });
const SETTINGS = {
  RIALTO_MODE: 'development',
  RIALTO_REPLICAS: '1',
  RIALTO_EXCHANGE: EXCHANGE,
  RIALTO_SEGMENT_EVERY_MS: '200',
  RIALTO_SNAPSHOT_EVERY_MS: '500',
  RIALTO_TRIM_EVERY_MS: '500',
};

async function api<Answer>(nats: Nats, call: string, body: object = {}): Promise<Answer> {
  return (await nats.client.request(`$JS.API.${call}`, JSON.stringify(body))).json<Answer>();
}

/** Creates streams like an earlier release. */
async function createOldStreams(nats: Nats): Promise<void> {
  for (const { stream: name, subject } of [NAMES.commands, NAMES.events]) {
    const safe = { storage: 'file', discard: 'new', deny_delete: true, num_replicas: 1 };
    const old = { ...safe, deny_purge: true, duplicate_window: 100_000_000 };
    const made = await api<{ config?: object }>(nats, `STREAM.CREATE.${name}`, {
      ...old,
      name,
      subjects: [subject],
    });
    assert.ok(made.config !== undefined, JSON.stringify(made));
  }
}

async function startExchange(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-move-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const { servers, connect } = await startNatsForTest(context, { nodes: 1 });
  const nats = await connect();
  await createOldStreams(nats);
  await createLogOnce(nats, { exchange: EXCHANGE });
  const settings = { ...SETTINGS, RIALTO_NATS_URLS: servers.urls.join(',') };
  const onFault = (fault: unknown) => assert.fail(String(fault));
  const sequencer = await startSequencer({
    config: sequencerConfig(settings),
    log,
    onEnd: (end) => assert.fail(JSON.stringify(end)),
  });
  const folders = { archive: join(folder, 'archive'), copy: join(folder, 'copy') };
  const archivist = await startArchivist({
    config: archivistConfig({
      ...settings,
      RIALTO_ARCHIVE_FOLDER: folders.archive,
      RIALTO_ARCHIVE_COPY_FOLDER: folders.copy,
    }),
    log,
    onFault,
  });
  const prober = new Prober(nats, EXCHANGE);
  return { nats, sequencer, archivist, folders, prober };
}

/** Reads from the first frame, and must not notice the move. */
function readFrames(nats: Nats) {
  const commands = new JetStreamLog({ nats, ...NAMES.commands });
  const frames: SealedFrame[] = [];
  const reader = new LogReader<SealedFrame>({
    log: commands,
    clock: systemClock,
    from: 1,
    retryMs: 50,
    watchMs: 200,
    open: (message) => openSealedFrame(Buffer.from(message)),
    receive: (sealed) => frames.push(sealed),
    onLost: (reason) => assert.fail(reason),
  });
  return { frames, stop: () => reader.stop() };
}

/** Returns the numbers of the executed commands, and the state after all frames. */
function replayed(frames: readonly SealedFrame[]) {
  const replica = Replica.create();
  const executions = new Map<number, number>();
  for (const sealed of frames) {
    const { commands } = decodeCommandFrame(sealed.frame);
    const { events } = replica.follow(sealed);
    const repeated = new Set<number>(
      events.events.flatMap((event) => (event.kind === 'CommandRepeated' ? [event.command] : [])),
    );
    for (const [at, { number, source }] of commands.entries()) {
      if (source === 0 || repeated.has(events.firstCommand + at)) continue;
      executions.set(number, (executions.get(number) ?? 0) + 1);
    }
  }
  return { executions, stateHash: replica.stateHash() };
}

/** Returns the state from the newest snapshot and the new stream. */
function stateFromNewStream(nats: Nats, last: number): Promise<string> {
  const commands = new JetStreamLog({ nats, ...NAMES.commands });
  return new Promise((resolve, reject) => {
    const finish = (replica: Replica) => {
      if (replica.sequence !== last) return;
      follower.stop();
      resolve(replica.stateHash());
    };
    const follower = new FollowingReplica({
      commands,
      snapshots: new ObjectStoreSnapshots({ nats, bucket: NAMES.bucket, onProblem: reject }),
      clock: systemClock,
      retryMs: 50,
      watchMs: 200,
      atMost: last,
      onStarted: (replica) => setImmediate(() => finish(replica)),
      onApplied: (_, replica) => finish(replica),
      onFault: (reason, cause) => reject(new Error(reason, { cause })),
    });
  });
}

async function purge(nats: Nats, seq: number): Promise<boolean> {
  const answer = await api<{ success?: boolean }>(nats, `STREAM.PURGE.${NAMES.commands.stream}`, {
    seq,
  });
  return answer.success === true;
}

/** Kills the tool after each of its steps, and repeats it. */
async function moveWithInterruptions(
  context: TestContext,
  nats: Nats,
  folders: { readonly archive: string; readonly copy: string },
): Promise<void> {
  const interrupted = new Set<string>();
  for (let isMoved = false; !isMoved; ) {
    try {
      await moveLog({
        nats,
        exchange: EXCHANGE,
        replicas: 1,
        archive: await openArchive(folders.archive, 'read'),
        copy: await openArchive(folders.copy, 'read'),
        marginFrames: 10,
        print(line) {
          context.diagnostic(line);
          const step = line.replaceAll(/\d/g, '');
          if (interrupted.has(step)) return;
          interrupted.add(step);
          throw new Error('interrupted');
        },
      });
      isMoved = true;
    } catch (fault) {
      if ((fault as Error).message !== 'interrupted') throw fault;
    }
  }
  assert.equal(interrupted.size, 9);
}

test('the log moves to new streams under load, and nothing is lost or doubled', async (context) => {
  const { archivist, folders, nats, prober, sequencer } = await startExchange(context);
  await until('it leads', () => sequencer.sequencer.leader?.isServing === true);
  const reader = readFrames(nats);
  prober.start();
  await until('both copies hold frames, and there is a snapshot', async () => {
    const copy = await openArchive(folders.copy, 'read');
    return copy.end.sequence > 50 && archivist.archivist.snapshotAgeMs !== undefined;
  });
  assert.equal(await purge(nats, 2), false, 'an old stream cannot be trimmed');

  const movedMs = performance.now();
  await moveWithInterruptions(context, nats, folders);
  const wanted = prober.acknowledgements + 100;
  await until('commands are acknowledged on the new streams', () => {
    return prober.acknowledgements > wanted;
  });
  context.diagnostic(`longest gap ${prober.longestGapMs(movedMs)} ms`);

  await prober.finish();
  const epoch = sequencer.sequencer.leader?.epoch;
  const { stored = 0 } = sequencer.sequencer.leader ?? {};
  await until('the reader has every frame', () => reader.frames.length === stored);
  reader.stop();
  const { executions, stateHash } = replayed(reader.frames);
  const answered = prober.sent.filter(({ outcome }) => outcome?.kind === 'answered');
  const lost = answered.filter(({ id }) => !executions.has(id.number));
  const doubled = [...executions.values()].filter((count) => count > 1);
  assert.deepEqual([lost.length, doubled.length, epoch], [0, 0, 1]);
  assert.equal(await stateFromNewStream(nats, stored), stateHash);
  const commands = new JetStreamLog({ nats, ...NAMES.commands });
  const extent = await new Promise<{ first: number } | undefined>((done) => commands.extent(done));
  assert.ok(extent !== undefined && extent.first > 1, 'the archived frames were left behind');
  assert.equal(await purge(nats, extent.first + 1), true);
  commands.stop();
  await archivist.stop();
  await sequencer.stop();
});
