// The drill's client process: several gateway sessions at a steady rate, which record when frames
// are acknowledged. The drill controls the process, and it exits with the drill.

import { connectNats, NatsBus } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../../tools/command-line.ts';
import {
  type ClientPlan,
  type MessageFromClients,
  type MessageToClients,
  recordsFile,
} from './client-messages.ts';
import { FrameArrivals, type FrameWanted, steadyMs } from './frame-arrivals.ts';
import { TradingClient } from './trading-client.ts';
import { LISTINGS } from './traffic.ts';

startedBy('npm run drill -- journal');

const TICK_MS = 5;
/** Commands that could not be sent for this long are dropped. */
const BACKLOG_MS = 50;
const COUNTS_EVERY_MS = 100;

const plan = JSON.parse(process.argv[2]) as ClientPlan;
const frames = new FrameArrivals();
const awaited = new Map<number, FrameWanted>();
let round = 0;
let isSlow = false;
let isFinishing = false;

process.on('disconnect', () => process.exit(1));
process.on('message', (message: MessageToClients) => onMessage(message));

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
      if (frames.add(sequence, { atMs: steadyMs(), epoch, madeMs: timeMs })) lookForAwaited();
    },
  });
});

setInterval(sendCounts, COUNTS_EVERY_MS);
for (const listing of LISTINGS) await clients[0].ask(listing);
send({ kind: 'trading' });
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

function onMessage(message: MessageToClients): void {
  switch (message.kind) {
    case 'round':
      round = message.round;
      break;
    case 'pace':
      isSlow = message.isSlow;
      break;
    case 'await-frame':
      awaited.set(message.id, message.wanted);
      lookForAwaited();
      break;
    case 'ask-gap': {
      const gapMs = frames.longestGapMs(message.sinceMs, steadyMs());
      send({ kind: 'gap', id: message.id, gapMs });
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
    send({ kind: 'frame', id, atMs: found.atMs });
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
  send({ kind: 'counts', counts });
}

function finish(): void {
  for (const [index, { records }] of clients.entries()) {
    records.write(recordsFile(plan.folder, index + 1));
  }
  sendCounts();
  send({ kind: 'finished' });
}

function send(message: MessageFromClients): void {
  process.send?.(message);
}
