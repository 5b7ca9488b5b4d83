// `rialto init FOLDER`: writes the complete production configuration of an exchange on one or three
// machines. For one machine, its files are in FOLDER. For three, FOLDER has a folder to copy to
// each. FOLDER/offline has the certificate authority. Nothing is overwritten.

import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { ToolFault } from '../command-line.ts';
import { type IdentityFiles, writeIdentityFiles } from '../services/identity-files.ts';
import { natsConfigText } from '../services/nats-config.ts';
import { createAuthority, type KeyPair, signCertificate } from './certificates.ts';
import {
  ALONE,
  custodyProcessesOf,
  databaseMachines,
  type Machine,
  natsPlaces,
  type PlacedProcess,
  type ProcessName,
  processesOf,
  roleOf,
} from './layout.ts';
import { type Exchange, type Places, processSettings, sharedSettings } from './machine-settings.ts';
import {
  createSql,
  type DatabasePasswords,
  databaseHost,
  drawPasswords,
  OWNER,
  postgresHba,
  postgresSettings,
  replicaPassFile,
  urlOf,
  urlOfRole,
} from './postgres-files.ts';

export interface InitOptions {
  readonly folder: string;
  /** URL at which clients reach the exchange. */
  readonly publicUrl: string;
  /** URL of the operator gateway; by default port 8443 of the public name. */
  readonly adminUrl?: string | undefined;
  /** Addresses allowed for operators; by default this machine and private networks. */
  readonly operatorAddresses?: readonly string[] | undefined;
  /** One machine, by default this one, or three. */
  readonly machines?: readonly Machine[];
  /** Installation folder of a machine's files; by default where they are written. */
  readonly etc?: ((machine: Machine) => string) | undefined;
  readonly data?: ((machine: Machine) => string) | undefined;
}

const KEY_BYTES = 32;
const SECRET_MODE = 0o600;
const EXCHANGE = 'rialto';
const DATA_FOLDER = '/var/lib/rialto';
/** Port at which the proxy serves operators. */
const OPERATORS_PORT = '8443';
const INNER_NETWORKS = [
  '127.0.0.0/8',
  '::1',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fd00::/8',
];

/** Values that the files of all machines share. */
interface Plan {
  readonly exchange: Exchange;
  readonly authority: KeyPair;
  readonly identities: IdentityFiles;
  readonly passwords: DatabasePasswords;
  readonly accessKey: string;
}

/** Returns the names of the written files. */
export function initMachines(options: InitOptions): readonly string[] {
  const folder = resolve(options.folder);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    throw new ToolFault(`${folder} is not empty (expected a new folder; nothing was overwritten).`);
  }
  const { machines = [ALONE], publicUrl } = options;
  const { adminUrl = operatorsUrl(publicUrl), data = () => DATA_FOLDER } = options;
  const { operatorAddresses = INNER_NETWORKS } = options;
  const folderOf = ({ name }: Machine) => (machines.length === 1 ? folder : join(folder, name));
  const { etc = folderOf } = options;
  const offline = join(folder, 'offline');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const plan: Plan = {
    exchange: { machines, publicUrl, adminUrl, operatorAddresses },
    authority: createAuthority(offline, `Rialto of ${new URL(publicUrl).hostname}`),
    identities: writeIdentityFiles({
      folder: join(machines.length === 1 ? folder : offline, 'identities'),
      exchange: EXCHANGE,
      withSandbox: false,
    }),
    passwords: drawPasswords(),
    accessKey: randomBytes(KEY_BYTES).toString('base64'),
  };
  machines.forEach((machine, at) => {
    const places = { etc: etc(machine), data: data(machine) };
    writeMachine(plan, at, folderOf(machine), places);
  });
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

function operatorsUrl(publicUrl: string): string {
  const url = new URL(publicUrl);
  url.port = OPERATORS_PORT;
  return url.origin;
}

function writeMachine(plan: Plan, at: number, folder: string, places: Places): void {
  const { exchange, passwords } = plan;
  const { machines } = exchange;
  const machine = machines[at];
  const processes = processesOf(at, machines);
  for (const name of ['nats', 'postgres', 'tls', 'identities']) {
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  }
  const secret = (name: string, text: string) =>
    writeFileSync(join(folder, name), text, { mode: SECRET_MODE });
  secret('access-key', `${plan.accessKey}\n`);
  // This machine's mail server, until the operator configures another one.
  secret('smtp-url', 'smtp://127.0.0.1:25\n');
  secret('rialto.env', envText(SHARED_HEAD, sharedSettings(exchange, machine, places)));
  const custody = custodyProcessesOf(at, machines);
  const all = [
    ...processes.map(({ isSpare, name }) => [name, isSpare ? SPARE_HEAD : OWN_HEAD] as const),
    ...custody.map((name) => [name, CUSTODY_HEAD] as const),
  ];
  for (const [name, head] of all) {
    const settings = processSettings(name, exchange, machine, places);
    secret(`${name}.env`, envText(head, settings));
    const role = roleOf(name);
    if (role !== undefined) {
      secret(`postgres/${role}.url`, `${urlOfRole(role, passwords, machines)}\n`);
    }
  }
  writeProcessList(folder, processes);
  writeIdentities(plan, folder, [...processes.map(({ name }) => name), ...custody]);
  writeNats(plan, machine, folder, places);
  if (databaseMachines(machines).includes(machine)) writePostgres(plan, machine, folder, places);
  signAll(plan, machine, folder);
  if (machines.length > 1) writeFileSync(join(folder, 'hosts'), hostsText(machines));
}

/** List for supervisors: one name per line. */
function writeProcessList(folder: string, processes: readonly PlacedProcess[]): void {
  const names = (isSpare: boolean) =>
    processes.filter((one) => one.isSpare === isSpare).map(({ name }) => `${name}\n`);
  writeFileSync(join(folder, 'processes'), names(false).join(''));
  writeFileSync(join(folder, 'spare-processes'), names(true).join(''));
}

/** A machine has only the seeds that its processes need. */
function writeIdentities(
  { exchange, identities }: Plan,
  folder: string,
  processes: readonly ProcessName[],
): void {
  // On one machine they are already in place.
  if (exchange.machines.length === 1) return;
  const { identitiesFile, seedFile, usersFile } = identities;
  const seeds = processes.map((name) => seedFile(name));
  for (const file of [identitiesFile, usersFile, ...seeds]) {
    copyFileSync(file, join(folder, 'identities', file.slice(file.lastIndexOf('/') + 1)));
  }
}

function writeNats({ exchange }: Plan, machine: Machine, folder: string, at: Places): void {
  const all = natsPlaces(exchange.machines);
  for (const server of all.filter((one) => one.machine === machine)) {
    const others = all.filter((one) => one !== server);
    const text = natsConfigText({
      name: server.name,
      host: machine.address,
      clientPort: server.clientPort,
      monitorPort: server.monitorPort,
      storeFolder: `${at.data}/nats/${server.name}`,
      syncAlways: true,
      // Relative to the file that includes it.
      usersFile: '../identities/nats-users.conf',
      tls: {
        certFile: `${at.etc}/tls/nats.crt`,
        keyFile: `${at.etc}/tls/nats.key`,
        routesCaFile: `${at.etc}/tls/ca.crt`,
      },
      cluster: {
        port: server.routePort,
        others: others.map((other) => `${other.machine.name}:${other.routePort}`),
      },
    });
    writeFileSync(join(folder, 'nats', `${server.name}.conf`), text, { mode: SECRET_MODE });
  }
}

function writePostgres(plan: Plan, machine: Machine, folder: string, at: Places): void {
  const { machines } = plan.exchange;
  const place = {
    machine,
    machines,
    tlsFolder: `${at.etc}/tls`,
    folder: `${at.etc}/postgres`,
  };
  const write = (name: string, text: string) =>
    writeFileSync(join(folder, 'postgres', name), text, { mode: SECRET_MODE });
  write('rialto.conf', postgresSettings(place));
  write('pg_hba.conf', postgresHba(place));
  if (machines.length > 1) write('replica.pass', replicaPassFile(plan.passwords));
  if (machine !== machines[0]) return;
  write('create.sql', createSql(plan.passwords));
  write('owner.url', `${urlOf(OWNER, plan.passwords.owner, machines)}\n`);
  const owner = {
    RIALTO_MODE: 'production',
    RIALTO_POSTGRES_URL_FILE: `${at.etc}/postgres/owner.url`,
    RIALTO_POSTGRES_CA_FILE: `${at.etc}/tls/ca.crt`,
    RIALTO_ACCESS_KEY_FILE: `${at.etc}/access-key`,
  };
  write('owner.env', envText(OWNER_HEAD, owner));
}

/** One certificate for each kind of server, because they run as different users. */
function signAll({ authority, exchange }: Plan, machine: Machine, folder: string): void {
  const { machines } = exchange;
  const hosts = [machine.name, machine.address];
  const tls = join(folder, 'tls');
  const files = (name: string) => ({
    certFile: join(tls, `${name}.crt`),
    keyFile: join(tls, `${name}.key`),
  });
  copyFileSync(authority.certFile, join(tls, 'ca.crt'));
  signCertificate(authority, { ...files('nats'), hosts, isClientToo: true });
  signCertificate(authority, { ...files('link'), hosts });
  if (!databaseMachines(machines).includes(machine)) return;
  const database = [...new Set([...hosts, databaseHost(machines)])];
  signCertificate(authority, { ...files('postgres'), hosts: database });
}

/** Lines for /etc/hosts; a name server works too. */
function hostsText(machines: readonly Machine[]): string {
  const rows = machines.map(({ address, name }) => `${address} ${name}`);
  return `${[...rows, `${machines[0].address} ${databaseHost(machines)}`].join('\n')}\n`;
}

const SHARED_HEAD = '# Settings for all processes on this machine. See docs/operating/settings.md.';
const OWN_HEAD = '# Settings for this process only; load rialto.env first.';
const SPARE_HEAD =
  '# Settings for this process only; load rialto.env first. Start it only if the machine ' +
  'that runs it is lost.';
const CUSTODY_HEAD =
  '# Settings for this process only; load rialto.env and custody.env first. Start it when ' +
  'custody is set up.';
const OWNER_HEAD = '# Database owner, for rialto migrate and other tools.';

function envText(head: string, settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return `${[head, ...lines].join('\n')}\n`;
}

/** Parses `m1=10.0.0.1,m2=10.0.0.2,m3=10.0.0.3`. Returns undefined unless it is three machines. */
export function parseMachines(text: string): readonly Machine[] | undefined {
  const machines = text.split(',').map((part) => {
    const [name = '', address = '', ...rest] = part.trim().split('=');
    return { name, address, isWhole: rest.length === 0 };
  });
  const isSound = machines.every(
    ({ address, isWhole, name }) =>
      isWhole && /^[a-z][a-z0-9-]{0,30}$/.test(name) && isIP(address) === 4,
  );
  const isDistinct =
    new Set(machines.map(({ name }) => name)).size === 3 &&
    new Set(machines.map(({ address }) => address)).size === 3;
  if (!isSound || !isDistinct || machines.length !== 3) return undefined;
  return machines.map(({ address, name }) => ({ name, address }));
}
