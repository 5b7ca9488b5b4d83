// Sends the flow at a steady rate, in a separate process: prepares the exchange, reports that on
// standard error, waits for a line, and prints its results as one line of JSON.

import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { connectNats } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { CommandLoad } from '../../command-load.ts';
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

const PREPARING_RATE = 20_000;
const SEED = 20_260_101;

const rate = Number(values.rate);
const flow = flowCommands(rate * Number(values.seconds), SEED);
const nats = await connectNats({ urls: values.urls.split(','), name: 'bench' });
const load = await CommandLoad.open(nats, values.exchange);
await load.atRate(flow.preparing, PREPARING_RATE);
console.error('prepared');
await once(process.stdin, 'data');
const startedMs = performance.now();
const latenciesMs = await load.atRate(flow.measured, rate);
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
