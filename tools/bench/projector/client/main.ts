// Sends the flow at a steady rate, in a process of its own: prepares the exchange, says so on
// standard error, waits for a line, and prints what it saw as one line of JSON.

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import type { Command } from '../../../../core/messages/index.ts';
import { connectNats, NatsBus } from '../../../../infra/bus/index.ts';
import { openCommandClient } from '../../../../infra/command-link/index.ts';
import { claimedIdentity, SANDBOX_IDENTITY } from '../../../../infra/identities/index.ts';
import { systemClock } from '../../../../infra/process/index.ts';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { flowCommands } from '../../journal/flow-commands.ts';

startedBy('npm run bench -- projector');

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '' },
    exchange: { type: 'string', default: 'rialto' },
    rate: { type: 'string', default: '5000' },
    seconds: { type: 'string', default: '5' },
  },
});

const TIMEOUT_MS = 120_000;
const TICK_MS = 2;
const PREPARING_RATE = 20_000;
const SEED = 20_260_101;

const rate = Number(values.rate);
const flow = flowCommands(rate * Number(values.seconds), SEED);
const nats = await connectNats({ urls: values.urls.split(','), name: 'bench' });
const client = openCommandClient({
  bus: new NatsBus(nats),
  clock: systemClock,
  exchange: values.exchange,
  identity: claimedIdentity(SANDBOX_IDENTITY),
  source: 77,
  // A retry would take a number in the log, and every order after it would have another.
  retryMs: TIMEOUT_MS,
  retryMsMax: TIMEOUT_MS,
});
while (client.epoch === 0) await pause(10);
await sendAt(flow.preparing, PREPARING_RATE);
console.error('prepared');
await once(process.stdin, 'data');
const startedMs = performance.now();
const latenciesMs = await sendAt(flow.measured, rate);
const seconds = (performance.now() - startedMs) / 1_000;
console.log(
  JSON.stringify({
    answered: latenciesMs.length,
    commandsPerSecond: Math.round(latenciesMs.length / seconds),
    acknowledgedP50Ms: percentile(latenciesMs, 50),
    acknowledgedP99Ms: percentile(latenciesMs, 99),
  }),
);
process.exit(0);

function pause(ms: number): Promise<void> {
  return new Promise((done) => systemClock.after(ms, done));
}

/** Latencies of all. Each must be answered by the engine. */
async function sendAt(commands: readonly Command[], perSecond: number): Promise<number[]> {
  const latencies: number[] = [];
  const beganMs = performance.now();
  let sent = 0;
  while (latencies.length < commands.length) {
    const due = Math.floor(((performance.now() - beganMs) * perSecond) / 1_000);
    for (; sent < Math.min(due, commands.length); sent++) sendOne(commands[sent], latencies);
    await pause(TICK_MS);
  }
  return latencies;
}

function sendOne(command: Command, latencies: number[]): void {
  const sentMs = performance.now();
  client.send({ ...command, ...client.nextId() }, TIMEOUT_MS, (outcome) => {
    if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
    latencies.push(performance.now() - sentMs);
  });
}
