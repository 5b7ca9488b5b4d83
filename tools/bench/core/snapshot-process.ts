// Program for the snapshot metrics, run by snapshot.ts: `write FILE SIZE` fills an exchange and
// writes it, `restore FILE` restores it. Prints one JSON object.

import { readFileSync, writeFileSync } from 'node:fs';
import {
  accountsOf,
  type Exchange,
  hashExchange,
  restoreExchange,
  StateSampler,
  snapshotExchange,
} from '../../../core/engine/index.ts';
import type { AssetId, Atoms, UserId } from '../../../core/money/index.ts';
import { Recorder, restingOrder, seeded, setUp, USERS } from './flow.ts';

export interface WriteFigures {
  readonly orders: number;
  readonly accounts: number;
  readonly bytes: number;
  readonly snapshotMs: number;
  readonly snapshotPeakMiB: number;
  readonly hash: string;
}

export interface RestoreFigures {
  readonly restoreMs: number;
  readonly restorePeakMiB: number;
  readonly hashMs: number;
  /** State sample that a sequencer hashes after each frame. */
  readonly sampleUs: number;
  readonly hash: string;
}

const BATCH = 250;
const SAMPLED_FRAMES = 50_000;
const [mode, file, size] = process.argv.slice(2);
console.log(JSON.stringify(mode === 'write' ? write(Number(size)) : restore()));

function write(count: number): WriteFigures {
  const exchange = filled(count);
  const [bytes, snapshotMs] = timed(() => snapshotExchange(exchange));
  const snapshotPeakMiB = peakMiB();
  writeFileSync(file, bytes);
  return {
    orders: exchange.books.orders.size,
    accounts: accountsOf(exchange).length,
    bytes: bytes.length,
    snapshotMs,
    snapshotPeakMiB,
    hash: hashExchange(exchange),
  };
}

function restore(): RestoreFigures {
  const bytes = readFileSync(file);
  const [exchange, restoreMs] = timed(() => restoreExchange(bytes));
  const restorePeakMiB = peakMiB();
  const [hash, hashMs] = timed(() => hashExchange(exchange));
  return { restoreMs, restorePeakMiB, hashMs, hash, sampleUs: sampleUs(exchange) };
}

function sampleUs(exchange: Exchange): number {
  const sampler = new StateSampler({ runFrames: 1_024 });
  exchange.sequence = 0;
  const [, sampleMs] = timed(() => {
    for (let frame = 1; frame <= SAMPLED_FRAMES; frame++) {
      exchange.sequence = frame;
      sampler.after(exchange);
    }
  });
  return Math.round((sampleMs * 10_000) / SAMPLED_FRAMES) / 10;
}

function filled(count: number): Exchange {
  const recorder = new Recorder('half');
  setUp(recorder, USERS);
  const random = seeded(1);
  for (let placed = 0; placed < count; placed += BATCH) {
    recorder.apply(Array.from({ length: BATCH }, () => restingOrder(recorder, random)));
  }
  const { exchange } = recorder;
  let sequence = exchange.channelSequences[1];
  for (let user = USERS + 1; exchange.ledger.accounts.size < count; user++) {
    recorder.apply([
      {
        kind: 'CreditDeposit',
        ...recorder.id(),
        channel: 1,
        channelSequence: ++sequence,
        user: user as UserId,
        asset: 1 as AssetId,
        amountAtoms: 1_000n as Atoms,
        reference: 'bench',
      },
    ]);
  }
  return exchange;
}

function peakMiB(): number {
  return Math.round(process.resourceUsage().maxRSS / 1024);
}

function timed<Result>(work: () => Result): [Result, number] {
  const start = performance.now();
  const result = work();
  return [result, Math.round(performance.now() - start)];
}
