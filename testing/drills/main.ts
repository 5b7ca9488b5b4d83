// The one door to every drill: `npm run drill -- NAME [--quick]`. A drill breaks something on
// purpose and fails when nothing noticed. The last line of standard output is one JSON object.

import { parseArgs } from 'node:util';

type Drill = { run(options: { quick: boolean }): Promise<Record<string, unknown>> };

const drills: Record<string, () => Promise<Drill>> = {
  failover: () => import('./failover/failover.ts'),
  journal: () => import('./journal/journal.ts'),
  mutations: () => import('./mutations/mutations.ts'),
  projector: () => import('./projector/projector.ts'),
  reads: () => import('./reads/reads.ts'),
  requests: () => import('./requests/requests.ts'),
  stream: () => import('./stream/stream.ts'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});

const load = Object.hasOwn(drills, positionals[0] ?? '') ? drills[positionals[0]] : undefined;

if (load === undefined || positionals.length !== 1) {
  const names = Object.keys(drills).join(', ') || 'none yet';
  console.error(`Usage: npm run drill -- NAME [--quick]\nKnown names: ${names}`);
  process.exitCode = 2;
} else {
  const drill = await load();
  const result = await drill.run({ quick: values.quick });
  console.log(JSON.stringify({ drill: positionals[0], quick: values.quick, ...result }));
}
