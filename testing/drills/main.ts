// `npm run drill -- NAME [--quick] [--only TEXT]`: runs a drill, which breaks something on purpose
// and fails if the system does not notice. The last line of standard output is one JSON object.

import { runTool, UsageFault } from '../../tools/command-line.ts';

type Drill = {
  run(options: { quick: boolean; only: string }): Promise<Record<string, unknown>>;
};

const drills: Record<string, { about: string; load: () => Promise<Drill> }> = {
  deployment: {
    about: 'loses machines, networks, disks, clocks and PostgreSQL of three machines with TLS',
    load: () => import('./deployment/deployment.ts'),
  },
  enumeration: {
    about: 'asks about known and unknown addresses; answers and their times must not differ',
    load: () => import('./enumeration/enumeration.ts'),
  },
  failover: {
    about: 'kills the leading sequencer under load',
    load: () => import('./failover/failover.ts'),
  },
  floods: {
    about: 'floods all gateways at once; honest users beside must not notice',
    load: () => import('./floods/floods.ts'),
  },
  health: {
    about: 'stages faults of processes, servers and data; each must raise its alarm and close',
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
    about: 'cuts log servers off from each other, stops them, freezes disks, moves clocks',
    load: () => import('./partitions/partitions.ts'),
  },
  'postgres-loss': {
    about: 'PostgreSQL goes back in time under load; nothing is credited, paid or numbered twice',
    load: () => import('./postgres-loss/postgres-loss.ts'),
  },
  projector: {
    about: 'kills the projector again and again, and stops PostgreSQL under load',
    load: () => import('./projector/projector.ts'),
  },
  reads: {
    about: 'writes at one gateway and reads at another; no read may be stale',
    load: () => import('./reads/reads.ts'),
  },
  reconciliation: {
    about: 'changes one atom, row or state by hand under load; each must be found and named',
    load: () => import('./reconciliation/reconciliation.ts'),
  },
  requests: {
    about: 'sends hostile requests; the exchange must answer all of them and lose nothing',
    load: () => import('./requests/requests.ts'),
  },
  restore: {
    about: 'takes a backup under load, loses all servers, and restores it on empty ones',
    load: () => import('./restore/restore.ts'),
  },
  runtime: {
    about: 'starts every kind of process; none may compute wrong, and a wrong Node is refused',
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
    about: 'pulls each kill switch under load; nothing that it forbids may be accepted later',
    load: () => import('./switches/switches.ts'),
  },
  trim: {
    about: 'trims the log under load, loses all log servers, and restores them from the archive',
    load: () => import('./trim/trim.ts'),
  },
  upgrade: {
    about: 'replaces every process by a second release under load, then switches the rules',
    load: () => import('./upgrade/upgrade.ts'),
  },
  withdrawals: {
    about: 'spends one balance at once, and kills processes at each step of a withdrawal',
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
    if (name === undefined) throw new UsageFault('The name of a drill is missing.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    if (!Object.hasOwn(drills, name)) throw new UsageFault(`Unknown drill '${name}'.`);
    if (only !== '' && name !== 'mutations') throw new UsageFault('--only is for mutations.');
    const drill = await drills[name].load();
    console.log(JSON.stringify({ drill: name, quick, ...(await drill.run({ quick, only })) }));
  },
});
