// The one door to every benchmark: `npm run bench -- NAME [--quick]`.
// Progress is for people; the last line of standard output is one JSON object for programs.

import { parseArgs } from 'node:util';

type Bench = { run(options: { quick: boolean }): Promise<Record<string, unknown>> };

const benches: Record<string, () => Promise<Bench>> = {
  core: () => import('./core/main.ts'),
  codec: () => import('../../core/messages/codec.bench.ts'),
  'body-reader': () => import('../../protocol/body-reader.bench.ts'),
  access: () => import('../../domain/credentials/access.bench.ts'),
  journal: () => import('./journal/main.ts'),
  publisher: () => import('../../services/publisher/publisher.bench.ts'),
  http: () => import('./http/main.ts'),
  websocket: () => import('./websocket/main.ts'),
  'cold-start': () => import('./cold-start/main.ts'),
  projector: () => import('./projector/main.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});

const load = Object.hasOwn(benches, positionals[0] ?? '') ? benches[positionals[0]] : undefined;

if (load === undefined || positionals.length !== 1) {
  const names = Object.keys(benches).join(', ') || 'none yet';
  console.error(`Usage: npm run bench -- NAME [--quick]\nKnown names: ${names}`);
  process.exitCode = 2;
} else {
  const bench = await load();
  const result = await bench.run({ quick: values.quick });
  console.log(JSON.stringify({ bench: positionals[0], quick: values.quick, ...result }));
}
