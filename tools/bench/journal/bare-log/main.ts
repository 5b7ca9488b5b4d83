// Bare log: publishes the frames of the measured run again with minimal code, one in flight at a
// time like the sequencer. No engine, no batches, no results.

import { parseArgs } from 'node:util';
import { connectNats } from '../../../../infra/bus/index.ts';
import { createStreams, JetStreamLog, journalNames } from '../../../../infra/journal/index.ts';
import { startedBy } from '../../../command-line.ts';
import { inDevelopment } from '../../../create-log/create-log.ts';
import { percentile } from '../../../percentile.ts';
import { readFrames } from '../read-frames.ts';

startedBy('npm run bench -- journal');

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '' },
    from: { type: 'string', default: 'rialto' },
    exchange: { type: 'string', default: 'bare' },
    replicas: { type: 'string', default: '1' },
    skip: { type: 'string', default: '0' },
    single: { type: 'string', default: '1000' },
  },
});

const nats = await connectNats({ urls: values.urls.split(','), name: 'bare' });
const frames = (await readFrames(nats, values.from)).slice(Number(values.skip));
const replicas = Number(values.replicas);
const { exchange } = values;
await createStreams(nats, inDevelopment({ exchange, replicas }));
const log = new JetStreamLog({ nats, ...journalNames(exchange).commands });
let sequence = 0;

const large = frames.filter(({ commands }) => commands > 1);
const smallest = frames.at(-1)?.message ?? new Uint8Array(200);
const startedMs = performance.now();
for (const { message } of large) await append(message);
const seconds = (performance.now() - startedMs) / 1000;
const latencies: number[] = [];
for (let count = 0; count < Number(values.single); count++) {
  const sentMs = performance.now();
  await append(smallest);
  latencies.push(performance.now() - sentMs);
}
const commands = large.reduce((sum, frame) => sum + frame.commands, 0);
console.log(
  JSON.stringify({
    commandsPerSecond: Math.round(commands / seconds),
    commandsPerFrame: Math.round(commands / large.length),
    framesPerSecond: Math.round(large.length / seconds),
    oneInFlightP50Ms: percentile(latencies, 50),
    oneInFlightP99Ms: percentile(latencies, 99),
  }),
);
process.exit(0);

function append(message: Uint8Array): Promise<void> {
  return new Promise((done, fail) => {
    log.append(++sequence, message, (outcome) => {
      if (outcome === 'stored') done();
      else fail(new Error(outcome));
    });
  });
}
