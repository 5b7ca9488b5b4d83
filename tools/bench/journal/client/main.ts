// A gateway's share of the benchmark, in a process of its own: sends the flow through the client
// library, keeps so many commands open, and prints what it saw as one line of JSON.

import { parseArgs } from 'node:util';
import type { Command } from '../../../../core/messages/index.ts';
import type { MarketId, UserId } from '../../../../core/money/index.ts';
import { connectNats, NatsBus } from '../../../../infra/bus/index.ts';
import { openCommandClient } from '../../../../infra/command-link/index.ts';
import { claimedIdentity, SANDBOX_IDENTITY } from '../../../../infra/identities/index.ts';
import { systemClock } from '../../../../infra/process/index.ts';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { flowCommands } from '../flow-commands.ts';

startedBy('npm run bench -- journal');

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '' },
    exchange: { type: 'string', default: 'rialto' },
    commands: { type: 'string', default: '100000' },
    open: { type: 'string', default: '8192' },
    single: { type: 'string', default: '1000' },
  },
});

const TIMEOUT_MS = 120_000;
const SAMPLE_ONE_IN = 16;
/** Sent together once so many have been answered, as requests come in bunches to a gateway. */
const REFILL = 256;

const open = Number(values.open);
const single = Number(values.single);
const flow = flowCommands(Number(values.commands), 20_260_101);
const nats = await connectNats({ urls: values.urls.split(','), name: 'bench' });
const client = openCommandClient({
  bus: new NatsBus(nats),
  clock: systemClock,
  exchange: values.exchange,
  identity: claimedIdentity(SANDBOX_IDENTITY),
  // A retry would take a number in the log, and every order after it would have another.
  retryMs: TIMEOUT_MS,
  retryMsMax: TIMEOUT_MS,
});
while (client.epoch === 0) await new Promise<void>((done) => systemClock.after(10, done));

const half = Math.floor(flow.measured.length / 2);
await run(flow.preparing, 2_000);
await run(flow.measured.slice(0, half), open);
const later = flow.measured.slice(half);
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
const latenciesMs = await run(later, open);
const seconds = (performance.now() - startedMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const measured = later.length;
const singles = await run(flow.measured.slice(0, single).map(onlyCancel), 1);
console.log(
  JSON.stringify({
    commandsPerSecond: Math.round(measured / seconds),
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
    oneInFlightP50Ms: percentile(singles, 50),
    oneInFlightP99Ms: percentile(singles, 99),
    measured,
    clientCpuUsPerCommand: (cpu.user + cpu.system) / measured,
  }),
);
process.exit(0);

/** Cheap for the engine, so that the way there and back is what is measured. */
function onlyCancel(command: Command): Command {
  const user = 'user' in command ? command.user : (1 as UserId);
  const unnumbered = { source: 0, number: 0 };
  const market = 8 as MarketId;
  return { kind: 'CancelAllOrders', ...unnumbered, user, market, byOperator: false };
}

/** Latencies of some of them, in milliseconds. Each must be answered by the engine. */
function run(commands: readonly Command[], openMax: number): Promise<number[]> {
  return new Promise((done, fail) => {
    const latencies: number[] = [];
    const sampleOneIn = openMax === 1 ? 1 : SAMPLE_ONE_IN;
    let sent = 0;
    let answered = 0;
    sendMore();

    function sendMore(): void {
      while (sent - answered < openMax && sent < commands.length) sendOne(sent++);
    }

    function sendOne(index: number): void {
      const isSample = index % sampleOneIn === 0;
      const sentMs = isSample ? performance.now() : 0;
      // Numbered here, not all before: a client that pauses for seconds loses its link.
      const command = { ...commands[index], ...client.nextId() };
      client.send(command, TIMEOUT_MS, (outcome) => {
        answered++;
        if (outcome.kind !== 'answered') fail(new Error(JSON.stringify(outcome)));
        if (isSample) latencies.push(performance.now() - sentMs);
        if (answered === commands.length) done(latencies);
        else if (sent - answered <= Math.max(openMax - REFILL, 0)) sendMore();
      });
    }
  });
}
