// The three machines of the drill, created from the files that `rialto init` wrote: NATS,
// PostgreSQL with its replica, and every service where the layout puts it. Always cleans up.

import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseEnv, promisify } from 'node:util';
import { initMachines } from '../../../tools/machines/init-machines.ts';
import type { Machine } from '../../../tools/machines/layout.ts';
import { installNats } from '../../../tools/services/install-nats.ts';
import { installPostgres } from '../../../tools/services/install-postgres.ts';
import { postgresUser } from '../../../tools/services/server-user.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { Network } from '../harness/network.ts';
import { SmallDisk } from '../harness/small-disk.ts';
import { handbookSteps, type Procedure } from './handbook-steps.ts';
import { DrillMachine, FAKETIME, PROXY_PORT, type Programs } from './machine.ts';
import { type Person, seedExchange } from './seed.ts';
import type { Supervised } from './supervised.ts';

const execute = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../../..');
const NAMES = ['m1', 'm2', 'm3'];
const WITHIN_MS = 180_000;
const PUBLIC_URL = 'https://exchange.example.com';

export class DeploymentStage {
  readonly network = new Network();
  readonly #folder = mkdtempSync(join(tmpdir(), 'rialto-deployment-'));
  readonly #hasMovableClocks: boolean;
  readonly #hasSmallDisk: boolean;
  #natsDisk: SmallDisk | undefined;
  #machines: readonly DrillMachine[] = [];
  /** Index of the machine whose PostgreSQL is the primary, from 0. */
  primary = 0;

  /** A quick run does not need movable clocks or disks that can be filled. */
  constructor({ quick }: { readonly quick: boolean }) {
    this.#hasMovableClocks = !quick && existsSync(FAKETIME);
    this.#hasSmallDisk = !quick;
  }

  /** Disk of n1; undefined if it cannot be filled. */
  get natsDisk(): SmallDisk | undefined {
    return this.#natsDisk;
  }

  get canMoveClocks(): boolean {
    return this.#hasMovableClocks;
  }

  get machines(): readonly DrillMachine[] {
    return this.#machines;
  }

  /** URLs of the proxies in front of the client gateways. */
  get urls(): readonly string[] {
    return this.#machines.slice(0, 2).map(urlOf);
  }

  async open(people: number): Promise<readonly Person[]> {
    const programs: Programs = {
      nats: await installNats(),
      postgres: await installPostgres(),
      postgresUser: requireUser(),
    };
    this.network.open();
    this.#layOut(programs);
    const [first] = this.#machines;
    if (this.#hasSmallDisk) this.#mountSmallDisk();
    for (const { nats } of this.#machines) nats.start();
    await this.#makePrimary();
    await this.untilReady(this.#machines.map(({ nats }) => nats));
    await this.#migrate();
    await this.#createLog();
    for (const { proxy, running } of this.#machines) {
      for (const one of [proxy, ...running]) one.start();
    }
    await this.makeReplica(1);
    await this.untilWhole();
    return seedExchange({
      url: urlOf(this.#machines[2]),
      logFile: this.#machines[2].logFile('gateway-admin'),
      machine: first,
      command: this.network.hosts[0].command,
      people,
    });
  }

  startMachine(machine: DrillMachine): void {
    machine.nats.start();
    if (machine.postgres !== undefined) machine.postgres.start();
    machine.proxy.start();
    for (const service of machine.running) service.start();
  }

  /** Waits until every process that should run is ready. */
  async untilWhole(): Promise<void> {
    await this.untilReady(this.#machines.flatMap(({ everything }) => everything));
  }

  async untilReady(processes: readonly Supervised[]): Promise<void> {
    let missing: readonly string[] = [];
    try {
      await waitUntil({
        what: 'every process is ready',
        timeoutMs: WITHIN_MS,
        question: async () => {
          const wanted = processes.filter(({ isWanted }) => isWanted);
          const failed = wanted.flatMap(({ failures }) => failures);
          if (failed.length > 0) throw new Error(failed.join('\n'));
          const ready = await Promise.all(wanted.map((one) => one.isReady()));
          missing = wanted.filter((_, at) => !ready[at]).map(({ name }) => name);
          return missing.length === 0;
        },
      });
    } catch (fault) {
      const logs = processes
        .filter(({ name }) => missing.includes(name))
        .map((one) => `── ${one.name}\n${one.log()}`);
      throw new Error(`not ready: ${missing.join(', ')}\n${logs.join('\n')}`, { cause: fault });
    }
  }

  /** Pulls the cable first, so peers learn nothing from the killed processes. */
  async lose(at: number): Promise<void> {
    this.network.plug(at, 'down');
    await Promise.all(this.#machines[at].everything.map((one) => one.kill()));
  }

  /** Boots the machine, without PostgreSQL if its data must not be used unchanged. */
  bringBack(at: number, { withPostgres = true }: { withPostgres?: boolean } = {}): void {
    this.network.plug(at, 'up');
    const machine = this.#machines[at];
    machine.nats.start();
    if (withPostgres) machine.postgres?.start();
    machine.proxy.start();
    for (const service of machine.running) service.start();
  }

  /** Runs a handbook procedure on a machine. */
  async follow(
    procedure: Procedure,
    at: number,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const machine = this.#machines[at];
    for (const line of handbookSteps(procedure)) {
      const [program, verb, unit] = line.split(' ');
      if (program !== 'systemctl') {
        const here = line.replaceAll('10.0.0.2 rialto-db', `${variables.ADDRESS ?? ''} rialto-db`);
        await machine.run(here, variables);
        continue;
      }
      const process = unit === 'postgresql' ? machine.postgres : undefined;
      if (process === undefined) throw new Error(`the drill has no unit '${unit}'`);
      if (verb === 'stop') await process.stop();
      else process.start();
    }
  }

  /** Makes the machine the replica of the primary, and makes commits wait for it. */
  async makeReplica(at: number): Promise<void> {
    const [replica, primary] = [this.#machines[at], this.#machines[this.primary]];
    const variables = { PRIMARY: primary.name, REPLICA: replica.name };
    await this.follow('replica', at, variables);
    await this.untilStreaming();
    await this.follow('synchronous', this.primary, variables);
  }

  /** Waits until the replica receives everything from the primary. */
  async untilStreaming(): Promise<void> {
    const primary = this.#machines[this.primary];
    await waitUntil({
      what: 'the replica streams',
      timeoutMs: WITHIN_MS,
      question: async () => {
        const query = 'select count(*) from pg_stat_replication where state = $$streaming$$';
        const count = await primary.run(`sudo -u postgres psql -Atc '${query}'`);
        return count.trim() === '1';
      },
    });
  }

  async promote(at: number): Promise<void> {
    await this.follow('promote', at);
    this.primary = at;
    const ADDRESS = this.#machines[at].address;
    for (const [index] of this.#machines.entries()) await this.follow('hosts', index, { ADDRESS });
    await this.#reconcile();
  }

  /** `rialto restore reconcile` on m3, with the owner's settings of m1. */
  async #reconcile(): Promise<void> {
    const { data, etc } = this.#machines[2];
    const owner = join(this.#machines[0].etc, 'postgres/owner.env');
    const files = [join(etc, 'rialto.env'), join(etc, 'sequencer.env'), owner];
    await this.#runTool('restore', files, {
      args: ['reconcile', '--archive', join(data, 'archive')],
      at: 2,
    });
  }

  /** Returns the machine of the leading sequencer. */
  async leader(): Promise<DrillMachine> {
    let found = this.#machines[0];
    await waitUntil({
      what: 'a sequencer leads',
      timeoutMs: WITHIN_MS,
      question: async () => {
        for (const machine of this.#machines) {
          const answer = await fetch(`${machine.healthUrl('sequencer')}/metrics`);
          if (!/^rialto_sequencer_leads 1/m.test(await answer.text())) continue;
          found = machine;
          return true;
        }
        return false;
      },
    });
    return found;
  }

  async close(): Promise<void> {
    const all = this.#machines.flatMap(({ everything }) => everything);
    // A process that exits cleanly leaves its compiled modules for the next run.
    const inOrder = this.#machines.slice(1).flatMap(({ running }) => running);
    await Promise.allSettled(inOrder.map((one) => one.stop()));
    await Promise.allSettled(all.map((one) => one.kill()));
    if (this.#natsDisk !== undefined) SmallDisk.unmount(this.#storeOfN1);
    this.network.close();
    if (process.env.RIALTO_KEEP === undefined) {
      rmSync(this.#folder, { recursive: true, force: true });
    } else console.log(`kept: ${this.#folder}`);
  }

  #layOut(programs: Programs): void {
    const exchange = join(this.#folder, 'exchange');
    const machines: readonly Machine[] = NAMES.map((name, at) => ({
      name,
      address: this.network.hosts[at].address,
    }));
    const etc = ({ name }: Machine) => join(exchange, name);
    const data = ({ name }: Machine) => join(this.#folder, 'data', name);
    initMachines({ folder: exchange, publicUrl: PUBLIC_URL, machines, etc, data });
    const ca = readFileSync(join(exchange, 'offline/ca.crt'), 'utf8');
    setDefaultCACertificates([...getCACertificates('default'), ca]);
    const { gid, uid } = programs.postgresUser;
    // Each user reads only its own files; here, everything except PostgreSQL runs as root.
    for (const folder of [this.#folder, exchange, ...machines.map(etc)]) chmodSync(folder, 0o711);
    this.#machines = machines.map((machine, at) => {
      for (const folder of [join(etc(machine), 'tls'), join(etc(machine), 'postgres')]) {
        chmodSync(folder, 0o711);
      }
      const own = ['pg_hba.conf', 'rialto.conf', 'create.sql', 'replica.pass'];
      const files = [
        ...own.map((name) => join(etc(machine), 'postgres', name)),
        join(etc(machine), 'tls/postgres.key'),
      ];
      for (const file of files.filter((one) => existsSync(one))) chownSync(file, uid, gid);
      for (const file of globSync(`${etc(machine)}/tls/*.crt`)) chmodSync(file, 0o644);
      this.network.writeHosts(at, readFileSync(join(etc(machine), 'hosts'), 'utf8'));
      mkdirSync(data(machine), { recursive: true });
      // Contains PostgreSQL's socket.
      chownSync(data(machine), uid, gid);
      return new DrillMachine({
        at,
        machines,
        command: this.network.hosts[at].command,
        etc: etc(machine),
        data: data(machine),
        programs,
        hasMovableClock: this.#hasMovableClocks,
      });
    });
  }

  get #storeOfN1(): string {
    return join(this.#machines[0].data, 'nats/n1');
  }

  #mountSmallDisk(): void {
    mkdirSync(this.#storeOfN1, { recursive: true });
    const mounted = SmallDisk.mount(this.#storeOfN1);
    if (typeof mounted === 'string') console.log(`no small disk: ${mounted}`);
    else this.#natsDisk = mounted;
  }

  async #makePrimary(): Promise<void> {
    const [machine] = this.#machines;
    await machine.run(`sudo -u postgres initdb -D "$DATA" --username postgres --no-sync`);
    machine.postgres?.start();
    if (machine.postgres !== undefined) await this.untilReady([machine.postgres]);
    await this.follow('create', 0);
  }

  /** `rialto migrate`, with the owner's settings. */
  async #migrate(): Promise<void> {
    const [machine] = this.#machines;
    await this.#runTool('migrate', [join(machine.etc, 'postgres/owner.env')]);
  }

  /** `rialto create-log`, with the sequencer's settings. */
  async #createLog(): Promise<void> {
    const { etc } = this.#machines[0];
    await this.#runTool('create-log', [join(etc, 'rialto.env'), join(etc, 'sequencer.env')]);
  }

  /** Runs while the clients continue. */
  async #runTool(
    name: string,
    files: readonly string[],
    { args = [], at = 0 }: { readonly args?: readonly string[]; readonly at?: number } = {},
  ): Promise<void> {
    const settings = files.map((file) => parseEnv(readFileSync(file, 'utf8')));
    const tool = join(ROOT, 'tools', name, 'main.ts');
    const [program, ...rest] = [...this.network.hosts[at].command, process.execPath, tool, ...args];
    const env = Object.assign({ PATH: process.env.PATH }, ...settings);
    await execute(program, rest, { env, timeout: WITHIN_MS });
  }
}

function urlOf({ address }: { readonly address: string }): string {
  return `https://${address}:${PROXY_PORT}`;
}

function requireUser() {
  const user = postgresUser();
  if (user === undefined) throw new Error('the drill needs root to create network namespaces');
  return user;
}
