// Server and machine faults: NATS, PostgreSQL, disks, certificates.

import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type OwnConnection, openConnection } from '../../../infra/postgres/index.ts';
import { PROJECTION_SCHEMA as P } from '../../../tools/sandbox/sandbox-settings.ts';
import type { NatsNode } from '../../../tools/services/nats.ts';
import type { HealthStage, StagedFault } from './staged-fault.ts';

/** Everything that depends on the log or the tables can be late afterwards. */
const LATE = ['FollowerBehind', 'LoopBlocked', 'ServiceNotReady', 'ServiceDown', 'QueueOld'];
const NO_LOG = ['LogReplica', 'LogStandsStill', 'LogUnreachable', 'MonitorSilent', 'NoLeader'];
const SEQUENCERS = ['NoStandby', 'TwoLeaders'];

export const SERVER_FAULTS: readonly StagedFault[] = [
  {
    title: 'one of three NATS servers is killed',
    alarm: 'LogReplica',
    object: 'COMMANDS',
    follows: [...LATE, ...NO_LOG, ...SEQUENCERS],
    strike: async (stage) => (await followerNode(stage)).kill('SIGKILL'),
    repair: startNats,
  },
  {
    title: 'two of three NATS servers are killed',
    alarm: 'LogStandsStill',
    object: '',
    or: ['LogUnreachable', 'LogReplica'],
    follows: [...LATE, ...NO_LOG, ...SEQUENCERS],
    async strike({ sandbox }) {
      const [, ...two] = sandbox.nats.nodes;
      await Promise.all(two.map((node) => node.kill('SIGKILL')));
    },
    repair: startNats,
  },
  {
    title: 'all NATS servers are killed',
    alarm: 'LogUnreachable',
    object: '',
    follows: [...LATE, ...NO_LOG, ...SEQUENCERS],
    async strike({ sandbox }) {
      await Promise.all(sandbox.nats.nodes.map((node) => node.kill('SIGKILL')));
    },
    repair: startNats,
  },
  {
    title: 'PostgreSQL is killed',
    alarm: 'DatabaseAway',
    object: '',
    follows: LATE,
    strike: ({ sandbox }) => sandbox.postgres.kill('SIGKILL'),
    repair: ({ sandbox }) => sandbox.postgres.start(),
  },
  lockedTables(),
  {
    title: 'the disk of the archive is full',
    alarm: 'DiskLow',
    object: 'archive',
    follows: ['ServiceDown', 'ArchiveOld', 'SnapshotOld'],
    leftOut: ({ disk }) => (typeof disk === 'string' ? disk : undefined),
    async strike({ disk }) {
      if (typeof disk !== 'string') disk.fill();
    },
    async repair({ disk, sandbox }) {
      if (typeof disk !== 'string') disk.free();
      const archivist = sandbox.service('archivist');
      if (archivist.pid === undefined) await archivist.start();
    },
  },
  {
    title: 'a certificate expires in five days',
    alarm: 'CertificateEnds',
    object: 'certificate.pem',
    strike: async ({ certificateFile }) => writeCertificate(certificateFile, 5),
    repair: async ({ certificateFile }) => writeCertificate(certificateFile, 90),
  },
  {
    title: 'a certificate is missing',
    alarm: 'CertificateUnreadable',
    object: 'certificate.pem',
    strike: async ({ certificateFile }) => rmSync(certificateFile),
    repair: async ({ certificateFile }) => writeCertificate(certificateFile, 90),
  },
];

/** Returns a server that does not lead COMMANDS, because an election would be another fault. */
async function followerNode({ sandbox }: HealthStage): Promise<NatsNode> {
  const { monitorUrl } = sandbox.nats.nodes[0];
  const answer = await fetch(`${monitorUrl}/jsz?accounts=true&streams=true`);
  const { account_details: accounts } = (await answer.json()) as StreamsAnswer;
  const streams = accounts.flatMap((account) => account.stream_detail);
  const leader = streams.find(({ name }) => name.endsWith('COMMANDS'))?.cluster.leader;
  return sandbox.nats.nodes.find(({ name }) => name !== leader)!;
}

interface StreamsAnswer {
  readonly account_details: readonly {
    readonly stream_detail: readonly {
      readonly name: string;
      readonly cluster: { readonly leader: string };
    }[];
  }[];
}

/** Another session holds a lock on orders: they can be read but not written. */
function lockedTables(): StagedFault {
  let session: OwnConnection | undefined;
  return {
    title: 'a lock keeps the tables behind the log',
    alarm: 'FollowerBehind',
    object: 'projector',
    follows: ['ServiceNotReady', 'MoneyDiffers', 'ReconciliationOld'],
    async strike({ sandbox }) {
      const { url } = sandbox.postgres;
      const name = 'drill';
      session = await openConnection({ url, schema: P, name, statementTimeoutMs: 60_000 });
      await session.query('begin');
      await session.query('lock table orders in exclusive mode');
      // The alarm's limit.
      await delay(3_000);
    },
    async repair() {
      await session?.end();
    },
  };
}

async function startNats({ sandbox }: HealthStage): Promise<void> {
  const ended = sandbox.nats.nodes.filter(({ pid }) => pid === undefined);
  await Promise.all(ended.map((node) => node.start()));
  await sandbox.nats.waitUntilReady();
  // Restarts a sequencer that was fenced or gave up, like a supervisor.
  for (const one of sandbox.services) if (one.pid === undefined) await one.start();
}

export function writeCertificate(file: string, days: number): void {
  const made = `req -x509 -newkey ed25519 -noenc -subj /CN=drill -days ${days}`.split(' ');
  const args = made.concat('-keyout', `${file}.key`, '-out', file);
  const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl did not create a certificate: ${stderr}`);
}
