// The gateway's part of the benchmark, in a separate process: sends the flow through the client
// library, keeps a number of commands open, and prints its results as one line of JSON.

import { parseArgs } from 'node:util';
import type { Command } from '../../../../core/messages/index.ts';
import type { MarketId, UserId } from '../../../../core/money/index.ts';
import { connectNats } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { CommandLoad } from '../../command-load.ts';
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

const open = Number(values.open);
const single = Number(values.single);
const flow = flowCommands(Number(values.commands), 20_260_101);
const nats = await connectNats({ urls: values.urls.split(','), name: 'bench' });
const load = await CommandLoad.open(nats, values.exchange);

const half = Math.floor(flow.measured.length / 2);
await load.keepOpen(flow.preparing, 2_000);
await load.keepOpen(flow.measured.slice(0, half), open);
const later = flow.measured.slice(half);
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
const latenciesMs = await load.keepOpen(later, open);
const seconds = (performance.now() - startedMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
const measured = later.length;
const singles = await load.keepOpen(flow.measured.slice(0, single).map(onlyCancel), 1);
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

/** Cheap for the engine, so the round trip is what is measured. */
function onlyCancel(command: Command): Command {
  const user = 'user' in command ? command.user : (1 as UserId);
  const unnumbered = { source: 0, number: 0 };
  const market = 8 as MarketId;
  return { kind: 'CancelAllOrders', ...unnumbered, user, market, byOperator: false };
}
