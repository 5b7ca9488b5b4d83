// `npm run bench -- NAME`: runs a benchmark. Progress is for the terminal; the last line of
// standard output is one JSON object for programs.

import { runTool, UsageFault } from '../command-line.ts';

interface BenchOptions {
  readonly quick: boolean;
  readonly base?: string | undefined;
  readonly write: boolean;
}

type Bench = {
  run(options: BenchOptions): Promise<Record<string, unknown>>;
};

const benches: Record<string, { about: string; load: () => Promise<Bench> }> = {
  core: { about: 'the engine on one thread', load: () => import('./core/core.ts') },
  codec: {
    about: 'encoding and decoding messages',
    load: () => import('../../core/messages/codec.bench.ts'),
  },
  'body-reader': {
    about: 'parsing request bodies',
    load: () => import('../../protocol/body-reader.bench.ts'),
  },
  access: {
    about: 'verifying signatures and keys',
    load: () => import('../../features/auth/credentials/access.bench.ts'),
  },
  audit: {
    about: 'appending to and verifying the audit log',
    load: () => import('../../features/audit/audit.bench.ts'),
  },
  liabilities: {
    about: 'a publication of liabilities for ten million users',
    load: () => import('./liabilities/publication.bench.ts'),
  },
  journal: {
    about: 'commands from a gateway through log and engine to the result',
    load: () => import('./journal/journal.ts'),
  },
  publisher: {
    about: 'the live feed under load',
    load: () => import('../../services/publisher/publisher.bench.ts'),
  },
  logins: {
    about: 'orders during 50 logins per second',
    load: () => import('./logins/logins.ts'),
  },
  http: { about: 'signed orders and books over HTTP', load: () => import('./http/http.ts') },
  websocket: {
    about: 'order books to thousands of sockets',
    load: () => import('./websocket/websocket.ts'),
  },
  exchange: {
    about: 'the entire exchange with simulated traders',
    load: () => import('./exchange/exchange.ts'),
  },
  'cold-start': {
    about: 'restarting a sequencer from snapshot and log',
    load: () => import('./cold-start/cold-start.ts'),
  },
  users: {
    about: 'lookups, sign-up, size and memory with ten million users',
    load: () => import('./users/users.ts'),
  },
  'operator-lists': {
    about: 'operator lists and files over millions of rows',
    load: () => import('./operator-lists/operator-lists.ts'),
  },
  projector: {
    about: 'rows per second and table lag',
    load: () => import('./projector/projector.ts'),
  },
  sizing: {
    about: 'memory, start, and cost per order at several rates',
    load: () => import('./sizing/sizing.ts'),
  },
  regress: {
    about: 'CPU time of the working tree relative to a commit',
    load: () => import('./regress/regress.ts'),
  },
};

const list = Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(14)}${about}`);

await runTool({
  usage: `Usage: npm run bench -- NAME [--quick] [--base REF] [--write]

Runs a benchmark. The last line of the output is one JSON object.

${list.join('\n')}

  --quick       a short run for a first impression
  --base REF    regress only: the commit to compare with
  --write       sizing only: write the tables in README.md and the handbook`,
  options: {
    quick: { type: 'boolean', default: false },
    base: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
  takesPositionals: true,
  async run({ positionals: [name, ...others], values: { base, quick, write } }) {
    if (name === undefined) throw new UsageFault('NAME is required.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!Object.hasOwn(benches, name)) throw new UsageFault(`Unknown benchmark '${name}'.`);
    if (base !== undefined && name !== 'regress') {
      throw new UsageFault(`The benchmark '${name}' has no option '--base'.`);
    }
    if (write && name !== 'sizing') {
      throw new UsageFault(`The benchmark '${name}' has no option '--write'.`);
    }
    const bench = await benches[name].load();
    console.log(
      JSON.stringify({ bench: name, quick, ...(await bench.run({ quick, base, write })) }),
    );
  },
});
