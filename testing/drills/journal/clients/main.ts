// The process of the drill's clients: several gateway sessions at a steady rate, and an ear for
// when frames are acknowledged. Told what to do by the drill, and gone when the drill is.

import { connectNats, NatsBus } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../../tools/command-line.ts';
import {
  type ClientPlan,
  recordsFile,
  type WordFromClients,
  type WordToClients,
} from './client-words.ts';
import { FramesHeard, type FrameWanted, steadyMs } from './frames-heard.ts';
import { TradingClient } from './trading-client.ts';
import { LISTINGS } from './traffic.ts';

startedBy('npm run drill -- journal');

const TICK_MS = 5;
/** Commands that could not be sent for this long are dropped. */
const BACKLOG_MS = 50;
const COUNTS_EVERY_MS = 100;

const plan = JSON.parse(process.argv[2]) as ClientPlan;
const frames = new FramesHeard();
const awaited = new Map<number, FrameWanted>();
let round = 0;
let isSlow = false;
let isFinishing = false;

process.on('disconnect', () => process.exit(1));
process.on('message', (word: WordToClients) => hear(word));

const nats = await connectNats({ urls: plan.urls, name: 'drill clients' });
const bus = new NatsBus(nats);
const clients = Array.from({ length: plan.clients }, (_, index) => {
  const { exchange, pendingMaxPerClient: pendingMax, seed } = plan;
  return new TradingClient({
    bus,
    exchange,
    pendingMax,
    seed,
    source: index + 1,
    round: () => round,
    onFrame: ({ epoch, sequence, timeMs }) => {
      if (frames.hear(sequence, { atMs: steadyMs(), epoch, madeMs: timeMs })) lookForAwaited();
    },
  });
});

setInterval(sendCounts, COUNTS_EVERY_MS);
for (const listing of LISTINGS) await clients[0].ask(listing);
say({ kind: 'trading' });
trade();

function trade(): void {
  let lastMs = steadyMs();
  let due = 0;
  const timer = setInterval(() => {
    const nowMs = steadyMs();
    const commandsPerSecond = isSlow ? plan.slowCommandsPerSecond : plan.commandsPerSecond;
    due += ((nowMs - lastMs) * commandsPerSecond) / 1_000;
    due = Math.min(due, (BACKLOG_MS * commandsPerSecond) / 1_000);
    lastMs = nowMs;
    if (isFinishing) {
      if (clients.some(({ pending }) => pending > 0)) return;
      clearInterval(timer);
      finish();
      return;
    }
    for (const client of clients) due -= client.sendSome(Math.floor(due / clients.length));
  }, TICK_MS);
}

function hear(word: WordToClients): void {
  switch (word.kind) {
    case 'round':
      round = word.round;
      break;
    case 'pace':
      isSlow = word.isSlow;
      break;
    case 'await-frame':
      awaited.set(word.id, word.wanted);
      lookForAwaited();
      break;
    case 'ask-gap': {
      const gapMs = frames.longestGapMs(word.sinceMs, steadyMs());
      say({ kind: 'gap', id: word.id, gapMs });
      break;
    }
    case 'finish':
      isFinishing = true;
      break;
  }
}

function lookForAwaited(): void {
  for (const [id, wanted] of awaited) {
    const found = frames.first(wanted);
    if (found === undefined) continue;
    awaited.delete(id);
    say({ kind: 'heard', id, atMs: found.atMs });
  }
}

function sendCounts(): void {
  const counts = { answered: 0, notTaken: 0, unknown: 0, pending: 0 };
  for (const client of clients) {
    counts.answered += client.counts.answered;
    counts.notTaken += client.counts.not_taken;
    counts.unknown += client.counts.unknown;
    counts.pending += client.pending;
  }
  say({ kind: 'counts', counts });
}

function finish(): void {
  for (const [index, { records }] of clients.entries()) {
    records.write(recordsFile(plan.folder, index + 1));
  }
  sendCounts();
  say({ kind: 'finished' });
}

function say(word: WordFromClients): void {
  process.send?.(word);
}
