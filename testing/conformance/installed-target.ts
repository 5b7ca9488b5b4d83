// An exchange installed as in docs/operating/install.md, with `rialto init`: NATS, PostgreSQL, and
// every service in production mode with the settings that it wrote. It uses the ports of an
// installation, so it needs root and a network namespace.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ALONE, natsPlaces, PORTS } from '../../tools/machines/layout.ts';
import { installNats } from '../../tools/services/install-nats.ts';
import { installPostgres } from '../../tools/services/install-postgres.ts';
import { postgresUser } from '../../tools/services/server-user.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { DrillMachine, type Programs } from '../drills/deployment/machine.ts';
import { Supervised } from '../drills/deployment/supervised.ts';
import { setUpExchange } from './set-up-exchange.ts';
import type { OpenedTarget } from './target.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PUBLIC_URL = 'https://exchange.example.com';
const READY_WITHIN_MS = 240_000;
const OPERATORS_GATEWAY = 'gateway-admin';

export async function startInstalledTarget(): Promise<OpenedTarget> {
  const user = postgresUser();
  if (user === undefined) throw new Error('an installation needs root');
  const programs = { nats: await installNats(), postgres: await installPostgres() };
  const folder = mkdtempSync(join(tmpdir(), 'rialto-installed-'));
  const machine = layOut(folder, { ...programs, postgresUser: user });
  const servers = otherServers(machine, programs.nats);
  const processes = [machine.nats, ...servers, machine.postgres!, ...machine.running];
  const stop = async () => {
    await Promise.allSettled(machine.running.map((one) => one.stop()));
    await Promise.allSettled(processes.map((one) => one.kill()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (const server of [machine.nats, ...servers]) server.start();
    await machine.run('sudo -u postgres initdb -D "$DATA" --username postgres --no-sync');
    machine.postgres!.start();
    await untilReady([machine.nats, ...servers, machine.postgres!]);
    await machine.run(
      'sudo -u postgres psql -v ON_ERROR_STOP=1 -f /etc/rialto/postgres/create.sql',
    );
    rialto(['migrate', 'up'], settingsOf(machine, ['postgres/owner.env']));
    rialto(['create-log'], settingsOf(machine, ['rialto.env', 'sequencer.env']));
    for (const service of machine.running) service.start();
    await untilReady(machine.running);
    const { target } = await setUpExchange({
      url: `http://127.0.0.1:${PORTS[OPERATORS_GATEWAY]}`,
      streamUrl: `ws://127.0.0.1:${PORTS[OPERATORS_GATEWAY]}/stream`,
      logFile: machine.logFile(OPERATORS_GATEWAY),
      environment: settingsOf(machine, ['postgres/owner.env']),
    });
    return { target, stop };
  } catch (fault) {
    for (const one of processes) console.error(`── ${one.name}\n${one.log().slice(-2_000)}`);
    await stop();
    throw fault;
  }
}

/** Runs `rialto init` and assigns the files to their users. */
function layOut(folder: string, programs: Programs): DrillMachine {
  const [etc, data] = [join(folder, 'etc'), join(folder, 'data')];
  rialto(['init', etc, '--public-url', PUBLIC_URL, '--data', data], {});
  mkdirSync(data);
  const { gid, uid } = programs.postgresUser;
  const open = ['tls', 'postgres'].map((name) => join(etc, name));
  for (const path of [folder, etc, ...open]) chmodSync(path, 0o711);
  for (const path of globSync(`${etc}/tls/*.crt`)) chmodSync(path, 0o644);
  const own = [...globSync(`${etc}/postgres/*.{conf,sql}`), join(etc, 'tls/postgres.key'), data];
  for (const path of own) chownSync(path, uid, gid);
  const machines = [ALONE];
  return new DrillMachine({
    at: 0,
    machines,
    command: [],
    etc,
    data,
    programs,
    hasMovableClock: false,
  });
}

/** The machine itself runs the first NATS server. */
function otherServers(machine: DrillMachine, program: string): readonly Supervised[] {
  return natsPlaces([ALONE])
    .slice(1)
    .map(
      ({ monitorPort, name }) =>
        new Supervised({
          name,
          command: ['setpriv', '--pdeathsig', 'KILL', '--', program].concat(
            '-c',
            join(machine.etc, 'nats', `${name}.conf`),
          ),
          environment: { PATH: process.env.PATH },
          folder: machine.data,
          logFile: machine.logFile(name),
          isReady: async () => {
            const answer = await fetch(`http://127.0.0.1:${monitorPort}/healthz`).catch(
              () => undefined,
            );
            return answer?.ok === true;
          },
        }),
    );
}

async function untilReady(processes: readonly Supervised[]): Promise<void> {
  await waitUntil({
    what: `${processes.map(({ name }) => name).join(', ')} are ready`,
    timeoutMs: READY_WITHIN_MS,
    question: async () => {
      const failed = processes.flatMap(({ failures }) => failures);
      if (failed.length > 0) throw new Error(failed.join('\n'));
      const ready = await Promise.all(processes.map((one) => one.isReady()));
      return ready.every(Boolean);
    },
  });
}

function settingsOf({ etc }: DrillMachine, files: readonly string[]): Record<string, string> {
  return Object.assign({}, ...files.map((file) => parseEnv(readFileSync(join(etc, file), 'utf8'))));
}

function rialto(words: readonly string[], environment: Readonly<Record<string, string>>): void {
  const program = join(ROOT, 'tools/cli/main.ts');
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
  execFileSync(process.execPath, [program, ...words], { env, stdio: 'pipe', timeout: 120_000 });
}
