// One machine of the drill: a network namespace with its own address and /etc/hosts, the files that
// `rialto init` wrote for it, and its processes under a supervisor.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import {
  healthPort,
  type Machine,
  natsPlaces,
  PORTS,
  type ProcessName,
  processesOf,
  serviceOf,
} from '../../../tools/machines/layout.ts';
import type { ServerUser } from '../../../tools/services/server-user.ts';
import { Supervised } from './supervised.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const COMPILE_CACHE = join(REPOSITORY, 'node_modules/.cache/node-compile');
const execute = promisify(execFile);
const ANSWER_WITHIN_MS = 2_000;
export const PROXY_PORT = 443;
/** From the Debian package faketime. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

export interface Programs {
  readonly nats: string;
  /** Folder of the PostgreSQL programs. */
  readonly postgres: string;
  readonly postgresUser: ServerUser;
}

export interface DrillMachineOptions {
  readonly at: number;
  readonly machines: readonly Machine[];
  /** `ip netns exec NAME`. */
  readonly command: readonly string[];
  readonly etc: string;
  readonly data: string;
  readonly programs: Programs;
  /** Whether the clocks of its services can be changed. */
  readonly hasMovableClock: boolean;
}

export class DrillMachine {
  readonly name: string;
  readonly address: string;
  readonly etc: string;
  readonly data: string;
  readonly nats: Supervised;
  /** Undefined on the machine without PostgreSQL. */
  readonly postgres: Supervised | undefined;
  readonly proxy: Supervised;
  readonly services: ReadonlyMap<ProcessName, Supervised>;
  readonly #options: DrillMachineOptions;
  readonly #logs: string;

  constructor(options: DrillMachineOptions) {
    const { at, data, etc, machines } = options;
    this.#options = options;
    ({ name: this.name, address: this.address } = machines[at]);
    this.etc = etc;
    this.data = data;
    this.#logs = join(data, 'logs');
    const written = ['archive', 'archive-copy', 'sequencer', 'publisher'];
    for (const folder of [this.#logs, ...written.map((name) => join(data, name))]) {
      mkdirSync(folder, { recursive: true });
    }
    this.moveClock(0);
    this.nats = this.#natsServer();
    this.postgres = at < 2 ? this.#postgresServer() : undefined;
    this.proxy = this.#tlsProxy();
    const placed = processesOf(at, machines);
    this.services = new Map(placed.map(({ name }) => [name, this.#service(name)]));
  }

  get dataOfPostgres(): string {
    return join(this.data, 'postgres');
  }

  /** Services that run here, without spares. */
  get running(): readonly Supervised[] {
    const { at, machines } = this.#options;
    return processesOf(at, machines)
      .filter(({ isSpare }) => !isSpare)
      .map(({ name }) => this.services.get(name)!);
  }

  get everything(): readonly Supervised[] {
    const { nats, postgres, proxy, services } = this;
    return [nats, ...(postgres === undefined ? [] : [postgres]), proxy, ...services.values()];
  }

  healthUrl(process: ProcessName): string {
    return `http://${this.address}:${healthPort(process)}`;
  }

  logFile(name: string): string {
    return join(this.#logs, `${name}.log`);
  }

  /** Changes the clock of its services by whole seconds. */
  moveClock(seconds: number): void {
    const sign = seconds < 0 ? '-' : '+';
    writeFileSync(this.#clockFile, `${sign}${Math.abs(seconds)}s\n`);
  }

  /** Executes one line of the handbook as root on this machine, while the clients continue. */
  async run(line: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
    const { command, programs } = this.#options;
    const { gid, uid } = programs.postgresUser;
    // The shell has no sudo: the drill is root.
    const postgres = `setpriv --reuid=${uid} --regid=${gid} --clear-groups --`;
    const script = line
      .replaceAll('sudo -u postgres', postgres)
      .replaceAll('/etc/rialto/', `${this.etc}/`)
      .replaceAll('/run/rialto-hosts', join(this.data, 'hosts'));
    const [program, ...args] = [...command, 'sh', '-ec', script];
    const { stdout } = await execute(program, args, {
      cwd: this.data,
      env: {
        PATH: `${programs.postgres}:${process.env.PATH}`,
        PGHOST: this.data,
        PGUSER: 'postgres',
        DATA: this.dataOfPostgres,
        ...variables,
      },
      timeout: 60_000,
    });
    return stdout;
  }

  get #clockFile(): string {
    return join(this.data, 'clock');
  }

  #guarded(...command: readonly string[]): readonly string[] {
    return ['setpriv', '--pdeathsig', 'KILL', '--', ...this.#options.command, ...command];
  }

  #supervised(
    name: string,
    command: readonly string[],
    rest: Partial<ConstructorParameters<typeof Supervised>[0]> = {},
  ): Supervised {
    return new Supervised({
      name: `${name}-${this.name}`,
      command,
      environment: { PATH: process.env.PATH },
      folder: this.data,
      logFile: this.logFile(name),
      ...rest,
    });
  }

  #natsServer(): Supervised {
    const { at, machines, programs } = this.#options;
    const { monitorPort, name } = natsPlaces(machines)[at];
    return this.#supervised(
      'nats',
      this.#guarded(programs.nats, '-c', join(this.etc, 'nats', `${name}.conf`)),
      { isReady: () => answersOk(`http://${this.address}:${monitorPort}/healthz`) },
    );
  }

  #postgresServer(): Supervised {
    const { command, programs } = this.#options;
    const { gid, uid } = programs.postgresUser;
    const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig', 'KILL'];
    const settings = {
      config_file: join(this.etc, 'postgres/rialto.conf'),
      unix_socket_directories: this.data,
    };
    return this.#supervised(
      'postgres',
      [
        ...command,
        'setpriv',
        ...user,
        '--',
        join(programs.postgres, 'postgres'),
        '-D',
        this.dataOfPostgres,
        ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]),
      ],
      {
        stopSignal: 'SIGINT',
        isReady: async () => {
          try {
            await this.run('pg_isready -q');
            return true;
          } catch {
            return false;
          }
        },
      },
    );
  }

  #tlsProxy(): Supervised {
    const { at } = this.#options;
    const target = at === 2 ? PORTS['gateway-admin'] : PORTS['gateway-http'];
    const files = ['link.crt', 'link.key'].map((name) => join(this.etc, 'tls', name));
    const program = join(import.meta.dirname, 'tls-proxy/main.ts');
    const ports = [String(PROXY_PORT), String(target)];
    return this.#supervised(
      'proxy',
      this.#guarded(process.execPath, program, this.address, ...ports, ...files),
    );
  }

  #service(name: ProcessName): Supervised {
    const read = (file: string) => parseEnv(readFileSync(join(this.etc, file), 'utf8'));
    const service = serviceOf(name);
    const clock = {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: this.#clockFile,
      FAKETIME_CACHE_DURATION: '1',
      // Only the wall clock is wrong.
      DONT_FAKE_MONOTONIC: '1',
    };
    return this.#supervised(
      name,
      this.#guarded(process.execPath, join(REPOSITORY, 'services', service, 'main.ts')),
      {
        environment: {
          PATH: process.env.PATH,
          NODE_COMPILE_CACHE: COMPILE_CACHE,
          ...read('rialto.env'),
          ...read(`${name}.env`),
          ...(this.#options.hasMovableClock ? clock : {}),
        },
        isReady: () => answersOk(`${this.healthUrl(name)}/ready`),
      },
    );
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
