// `npm run drill -- NAME [--quick] [--only TEXT]`: runs a drill, which breaks something on purpose
// and fails if the system does not notice. The last line of standard output is one JSON object.

import { runTool, UsageFault } from '../../tools/command-line.ts';

type Drill = {
  run(options: { quick: boolean; only: string }): Promise<Record<string, unknown>>;
};

const drills: Record<string, { about: string; load: () => Promise<Drill> }> = {
  custody: {
    about: 'deposits on a local chain under kills, reorganizations and lying nodes',
    load: () => import('./custody/custody.ts'),
  },
  deployment: {
    about: 'loses machines, networks, disks, clocks and PostgreSQL on three machines with TLS',
    load: () => import('./deployment/deployment.ts'),
  },
  enumeration: {
    about: 'queries known and unknown addresses; answers and their times must not differ',
    load: () => import('./enumeration/enumeration.ts'),
  },
  failover: {
    about: 'kills the leading sequencer under load',
    load: () => import('./failover/failover.ts'),
  },
  floods: {
    about: 'floods all gateways together; honest users must not notice',
    load: () => import('./floods/floods.ts'),
  },
  health: {
    about: 'stages process, server and data faults; each must raise its alarm and close',
    load: () => import('./health/health.ts'),
  },
  install: {
    about: 'follows the handbook in an empty Debian to a first trade, and runs the image',
    load: () => import('./install/install.ts'),
  },
  journal: {
    about: 'kills, stops and damages log servers, sequencers and the archive',
    load: () => import('./journal/journal.ts'),
  },
  liveness: {
    about: 'cuts off, stops and poisons the leader, and stops the log, with many open orders',
    load: () => import('./liveness/liveness.ts'),
  },
  mutations: {
    about: 'makes small wrong changes in core, identity and staking; each must fail a test',
    load: () => import('./mutations/mutations.ts'),
  },
  partitions: {
    about: 'partitions and stops log servers, freezes disks, changes clocks',
    load: () => import('./partitions/partitions.ts'),
  },
  'postgres-loss': {
    about: 'moves PostgreSQL back in time under load; nothing is credited, paid or numbered twice',
    load: () => import('./postgres-loss/postgres-loss.ts'),
  },
  projector: {
    about: 'repeatedly kills the projector, and stops PostgreSQL under load',
    load: () => import('./projector/projector.ts'),
  },
  reads: {
    about: 'writes at one gateway and reads at another; reads must not be stale',
    load: () => import('./reads/reads.ts'),
  },
  reconciliation: {
    about: 'changes one atom, row or state manually under load; each must be found and reported',
    load: () => import('./reconciliation/reconciliation.ts'),
  },
  requests: {
    about: 'sends hostile requests; the exchange must answer all of them and lose nothing',
    load: () => import('./requests/requests.ts'),
  },
  restore: {
    about: 'takes a backup under load, loses all servers, and restores it on empty servers',
    load: () => import('./restore/restore.ts'),
  },
  runtime: {
    about: 'starts every kind of process; all must compute correctly and reject a wrong Node',
    load: () => import('./runtime/runtime.ts'),
  },
  staking: {
    about: 'counts 400 days of rewards with a worker that is killed at each statement',
    load: () => import('./staking/staking.ts'),
  },
  stream: {
    about: 'kills websocket gateways, publisher and sequencer under connected clients',
    load: () => import('./stream/stream.ts'),
  },
  switches: {
    about: 'pulls each kill switch under load; forbidden requests must not be accepted later',
    load: () => import('./switches/switches.ts'),
  },
  trim: {
    about: 'trims the log under load, loses all log servers, and restores them from the archive',
    load: () => import('./trim/trim.ts'),
  },
  upgrade: {
    about: 'replaces every process with a second release under load, then switches the rules',
    load: () => import('./upgrade/upgrade.ts'),
  },
  withdrawals: {
    about: 'spends one balance concurrently, and kills processes at each step of a withdrawal',
    load: () => import('./withdrawals/withdrawals.ts'),
  },
};

const list = Object.entries(drills).map(([name, { about }]) => `  ${name.padEnd(16)}${about}`);

await runTool({
  usage: `Usage: npm run drill -- NAME [--quick] [--only TEXT]

Breaks something on purpose and fails if anything is lost or unnoticed.
The last line of the output is one JSON object. See docs/operating/drills.md.

${list.join('\n')}

  --quick       a short run
  --only TEXT   for mutations: only faults with this text in their file or name`,
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
  takesPositionals: true,
  async run({ positionals: [name, ...others], values: { quick, only } }) {
    if (name === undefined) throw new UsageFault('Expected the name of a drill.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!Object.hasOwn(drills, name)) throw new UsageFault(`Unknown drill '${name}'.`);
    if (only !== '' && name !== 'mutations') throw new UsageFault('--only is for mutations.');
    const drill = await drills[name].load();
    console.log(JSON.stringify({ drill: name, quick, ...(await drill.run({ quick, only })) }));
  },
});
