// Bare core: decodes and applies the frames of the measured run, with nothing around it.

import { parseArgs } from 'node:util';
import { applyFrame, createExchange } from '../../../../core/engine/index.ts';
import { decodeCommandFrame } from '../../../../core/messages/index.ts';
import { connectNats } from '../../../../infra/bus/index.ts';
import { startedBy } from '../../../command-line.ts';
import { readFrames } from '../read-frames.ts';

startedBy('npm run bench -- journal');

const { values } = parseArgs({
  options: {
    urls: { type: 'string', default: '' },
    from: { type: 'string', default: 'rialto' },
    warmUp: { type: 'string', default: '0' },
    commands: { type: 'string', default: '0' },
  },
});

const nats = await connectNats({ urls: values.urls.split(','), name: 'bare core' });
const frames = await readFrames(nats, values.from);
await nats.close();
const exchange = createExchange();
const from = Number(values.warmUp);
const to = from + Number(values.commands);
let applied = 0;
let measured = 0;
let startedMs = 0;
for (const { frame, commands } of frames) {
  if (applied >= from && startedMs === 0) startedMs = performance.now();
  if (applied >= to) break;
  applyFrame(exchange, decodeCommandFrame(frame));
  applied += commands;
  if (startedMs !== 0) measured += commands;
}
const seconds = (performance.now() - startedMs) / 1000;
console.log(JSON.stringify({ commandsPerSecond: Math.round(measured / seconds), measured }));
process.exit(0);
