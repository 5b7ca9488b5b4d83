// Measures how long an exchange that has lost every process takes to trade again: a snapshot with
// many open orders, ten minutes of log after it in frames of one command each, which is the slowest
// kind, and a sequencer that starts from nothing. Real servers, a real process.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from '../../../core/messages/index.ts';
import { connectNats, type Nats } from '../../../infra/bus/index.ts';
import {
  createStreams,
  JetStreamLog,
  journalNames,
  ObjectStoreSnapshots,
  readChunks,
  type Snapshot,
} from '../../../infra/journal/index.ts';
import { GENESIS_LIMITS } from '../../../services/sequencer/index.ts';
import { inDevelopment, nameWrittenLog } from '../../create-log/create-log.ts';
import { type NatsServers, startNats } from '../../services/nats.ts';
import { Recorder, restingOrder, seeded, setUp, USERS } from '../core/flow.ts';
import { startSequencer, stopProcess } from '../processes.ts';
import { LogAuthor } from './log-author.ts';

interface Sizes {
  readonly openOrders: number;
  readonly framesBehind: number;
}

/** Ten minutes at 1,000 commands/s. */
const FULL: Sizes = { openOrders: 1_000_000, framesBehind: 600_000 };
const QUICK: Sizes = { openOrders: 50_000, framesBehind: 20_000 };
const EXCHANGE = 'rialto';
const FRAME_COMMANDS = 2_000;
const SEED = 20_260_101;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const sizes = quick ? QUICK : FULL;
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-'));
  // Writing the log is not measured, so it is not synced.
  let servers = await startNats({ folder, nodes: 1, syncAlways: false });
  try {
    const written = await writeLog(servers, sizes);
    console.log(`wrote ${JSON.stringify(written)}`);
    await servers.stop();
    servers = await startNats({ folder, nodes: 1 });
    return { ...written, ...(await startCold(servers)) };
  } finally {
    await servers.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeLog(servers: NatsServers, sizes: Sizes): Promise<Record<string, number>> {
  const nats = await connectNats({ urls: servers.urls, name: 'author' });
  const options = inDevelopment({ exchange: EXCHANGE });
  await createStreams(nats, options);
  const names = journalNames(EXCHANGE);
  const commands = new JetStreamLog({ nats, ...names.commands });
  const events = new JetStreamLog({ nats, ...names.events });
  const author = new LogAuthor({ commands, events, fromMs: 1_800_000_000_000 });
  const recorder = new Recorder('none');
  await writeBooks(author, recorder, sizes.openOrders);
  await author.finish();
  const snapshot = author.replica.snapshot();
  const snapshotBytes = await keep(nats, names.bucket, snapshot);
  const random = seeded(SEED);
  for (let count = 0; count < sizes.framesBehind; count++) {
    await author.frame([restingOrder(recorder, random)], 1);
  }
  await author.finish();
  await nameWrittenLog(nats, options);
  await nats.close();
  return {
    openOrders: sizes.openOrders,
    framesBehind: sizes.framesBehind,
    snapshotMiB: Math.round(snapshotBytes / 2 ** 20),
  };
}

async function writeBooks(author: LogAuthor, recorder: Recorder, orders: number): Promise<void> {
  const limits = { ...GENESIS_LIMITS, ordersPerUserMax: 1_000_000 };
  await author.frame([{ kind: 'SetLimits', source: 9, number: 1, ...limits }], 1);
  let waiting: Command[] = [];
  recorder.apply = (commands) => {
    waiting.push(...commands);
    return [];
  };
  setUp(recorder, USERS);
  // The recorder's own limits are lower than those at the start of the log.
  await author.frame(waiting.slice(1), 1);
  const random = seeded(SEED);
  for (let placed = 0; placed < orders; placed += FRAME_COMMANDS) {
    waiting = Array.from({ length: FRAME_COMMANDS }, () => restingOrder(recorder, random));
    await author.frame(waiting, 1);
  }
}

async function keep(nats: Nats, bucket: string, snapshot: Snapshot): Promise<number> {
  const onProblem = (problem: unknown) => console.error(problem);
  const store = new ObjectStoreSnapshots({ nats, bucket, onProblem });
  const { sequence } = snapshot.info;
  await done((next) => store.write(snapshot, next));
  let bytes = 0;
  const counting = { add: (chunk: Uint8Array) => void (bytes += chunk.length) };
  await new Promise<void>((read, fail) => {
    store.readDraft(sequence, (answer) => {
      if (typeof answer === 'string') fail(new Error(`the snapshot is ${answer}`));
      else readChunks(answer, counting, () => read());
    });
  });
  await done((next) => store.confirm(sequence, next));
  return bytes;
}

function done(begin: (next: (isDone: boolean) => void) => void): Promise<void> {
  return new Promise((resolve, fail) => {
    begin((isDone) => (isDone ? resolve() : fail(new Error('the snapshot cannot be stored'))));
  });
}

/** Measures from nothing to the first frame of a new epoch. */
async function startCold(servers: NatsServers): Promise<Record<string, number>> {
  const startedMs = performance.now();
  const child = startSequencer({ natsUrls: servers.urls, stdout: 'pipe' });
  const figures: Record<string, number> = {};
  for await (const line of createInterface({ input: child.stdout! })) {
    const { msg, sequence } = JSON.parse(line) as { msg: string; sequence?: number };
    const seconds = Number(((performance.now() - startedMs) / 1000).toFixed(2));
    if (msg === 'state restored') figures.restoredSeconds = seconds;
    if (msg !== 'leader elected') continue;
    Object.assign(figures, { coldStartSeconds: seconds, sequence, rssMiB: rssMiB(child) });
    break;
  }
  await stopProcess(child);
  return figures;
}

function rssMiB({ pid }: ChildProcess): number {
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kib) / 1024);
}
