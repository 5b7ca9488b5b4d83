// PostgreSQL that goes back in time, in two ways: a lagging asynchronous replica is promoted after
// the primary is killed, or a base backup replaces the data.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Pool } from '../../../infra/postgres/index.ts';
import { freePorts } from '../../../tools/services/free-ports.ts';
import { installPostgres } from '../../../tools/services/install-postgres.ts';
import type { PostgresServer } from '../../../tools/services/postgres.ts';
import { allowTraversal, postgresUser } from '../../../tools/services/server-user.ts';
import { until } from '../../../tools/services/wait-until.ts';

export type Loss = 'promotion' | 'base backup';

const WITHIN_MS = 60_000;

export interface OlderServer {
  /** After this, the copy receives no changes. */
  freeze(): Promise<void>;
  /** Kills the server and starts the copy in its place. */
  replace(): Promise<void>;
}

/** Copies the running server. */
export async function prepare(
  loss: Loss,
  { postgres, registry, round }: { postgres: PostgresServer; registry: Pool; round: number },
): Promise<OlderServer> {
  const programs = await installPostgres();
  const user = postgresUser();
  const folder = dirname(postgres.dataFolder);
  const copy = join(folder, `copy-${round}`);
  if (user !== undefined) allowTraversal(folder, user);
  const source = `host=127.0.0.1 port=${postgres.port} user=postgres application_name=copy${round}`;
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(join(programs, program), args, { ...user, cwd: folder, stdio: 'pipe' });
  execFileSync('chown', ['postgres', folder]);
  const replicate = loss === 'promotion' ? ['-R'] : [];
  run('pg_basebackup', '-D', copy, ...replicate, '-X', 'stream', '-c', 'fast', '-d', source);
  const takePlace = async () => {
    await postgres.kill('SIGKILL');
    renameSync(postgres.dataFolder, join(folder, `lost-${round}`));
    renameSync(copy, postgres.dataFolder);
    await postgres.start();
  };
  if (loss === 'base backup') return { freeze: async () => {}, replace: takePlace };

  const [port] = await freePorts(1);
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories='];
  const replica = spawn(
    join(programs, 'postgres'),
    ['-D', copy, ...settings.flatMap((one) => ['-c', one])],
    { ...user, cwd: folder, stdio: 'ignore' },
  );
  process.once('exit', () => void replica.kill('SIGKILL'));
  const sender = await untilStreams(registry, `copy${round}`);
  return {
    async freeze() {
      process.kill(sender, 'SIGSTOP');
    },
    async replace() {
      await postgres.kill('SIGKILL');
      try {
        process.kill(sender, 'SIGKILL');
      } catch {
        // It exited with its server.
      }
      run('pg_ctl', '-D', copy, 'promote', '-w');
      const ended = once(replica, 'exit');
      run('pg_ctl', '-D', copy, 'stop', '-m', 'fast', '-w');
      await ended;
      await takePlace();
    },
  };
}

/** Returns the ID of the server process that sends to the copy. */
async function untilStreams(registry: Pool, name: string): Promise<number> {
  let pid = 0;
  const streams = async () => {
    const { rows } = await registry.query(
      `select pid from pg_stat_replication where application_name = $1 and state = 'streaming'`,
      [name],
    );
    pid = rows[0]?.pid ?? 0;
    return pid > 0;
  };
  await until('the replica streams', streams, WITHIN_MS);
  return pid;
}
