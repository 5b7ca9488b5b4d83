// Layout of an exchange on one or three machines: the location of each process, and the ports.
// Everything that `rialto init` writes is derived from these tables.

import { PRODUCTION_SERVICES, type ServiceName } from '../../infra/settings/index.ts';
import { LOGIN_ROLES } from '../migrate/grants/apply-grants.ts';

export interface Machine {
  /** Name by which the other machines reach it; certificates contain it. */
  readonly name: string;
  readonly address: string;
}

/** Services that run more than once, each time with a different identity and role. */
const VARIANTS = {
  'gateway-admin': 'gateway-http',
  'gateway-identity': 'gateway-http',
  'gateway-ws-admin': 'gateway-websocket',
} as const satisfies Readonly<Record<string, ServiceName>>;
type Variant = keyof typeof VARIANTS;
export type ProcessName = ServiceName | Variant;
export type LoginRole = (typeof LOGIN_ROLES)[number];

export interface PlacedProcess {
  readonly name: ProcessName;
  /** Installed, but started by an operator only if the other machine is lost. */
  readonly isSpare: boolean;
}

export const ALONE: Machine = { name: 'localhost', address: '127.0.0.1' };

/** Name of the PostgreSQL primary. A promotion changes its address in `hosts`. */
export const DATABASE_HOST = 'rialto-db';

/** Two projectors, dispatchers and publishers each: the second is blocked by the first's lock. */
const RUNS_ON_THREE: readonly (readonly ProcessName[])[] = [
  ['sequencer', 'projector', 'outbox-dispatcher', 'notifier', 'gateway-http', 'gateway-websocket'],
  [
    'sequencer',
    'projector',
    'outbox-dispatcher',
    'publisher',
    'reconciler',
    'gateway-http',
    'gateway-websocket',
  ],
  ['sequencer', 'archivist', 'publisher', 'monitor', 'gateway-admin', 'gateway-ws-admin'],
];

const SPARE_ON_THREE: readonly (readonly ProcessName[])[] = [
  ['reconciler'],
  ['notifier', 'monitor', 'gateway-admin', 'gateway-ws-admin'],
  [],
];

export function processesOf(at: number, machines: readonly Machine[]): readonly PlacedProcess[] {
  const placed = (isSpare: boolean) => (name: ProcessName) => ({ name, isSpare });
  if (machines.length === 1) return PROCESSES.map(placed(false));
  return [...RUNS_ON_THREE[at].map(placed(false)), ...SPARE_ON_THREE[at].map(placed(true))];
}

/** Installed on one machine, and started by an operator who has a custody file. */
const CUSTODY_PROCESSES = ['chain-watcher'] as const satisfies readonly ProcessName[];
const CUSTODY_MACHINE = 1;

export function custodyProcessesOf(at: number, machines: readonly Machine[]) {
  return machines.length === 1 || at === CUSTODY_MACHINE ? CUSTODY_PROCESSES : [];
}

/** Returns the machines with PostgreSQL: the primary, then its replica. */
export function databaseMachines(machines: readonly Machine[]): readonly Machine[] {
  return machines.slice(0, 2);
}

/** Three NATS servers: one on each machine, or all on one. */
export interface NatsPlace {
  readonly name: string;
  readonly machine: Machine;
  readonly clientPort: number;
  readonly monitorPort: number;
  readonly routePort: number;
}

const NATS_SERVERS = 3;

export const PORTS = {
  'gateway-http': 8_080,
  'gateway-websocket': 8_081,
  'gateway-admin': 8_082,
  'gateway-identity': 8_083,
  'gateway-ws-admin': 8_084,
  link: 7_400,
  natsClients: 4_222,
  natsRoutes: 6_222,
  natsMonitor: 8_222,
  postgres: 5_432,
} as const;

const FIRST_HEALTH_PORT = 9_401;
/** All processes run on one machine. */
const PROCESSES: readonly ProcessName[] = [
  ...PRODUCTION_SERVICES,
  ...(Object.keys(VARIANTS) as Variant[]),
];
const WITH_HEALTH: readonly ProcessName[] = [...PROCESSES, ...CUSTODY_PROCESSES];

/** The port is the same on every machine. */
export function healthPort(process: ProcessName): number {
  return FIRST_HEALTH_PORT + WITH_HEALTH.indexOf(process);
}

export function natsPlaces(machines: readonly Machine[]): readonly NatsPlace[] {
  return Array.from({ length: NATS_SERVERS }, (_, at) => {
    // On one machine the servers differ by their ports.
    const offset = machines.length === 1 ? at : 0;
    return {
      name: `n${at + 1}`,
      machine: machines[at % machines.length],
      clientPort: PORTS.natsClients + offset,
      monitorPort: PORTS.natsMonitor + offset,
      routePort: PORTS.natsRoutes + offset,
    };
  });
}

/** Returns the role with the process name, like its identity; undefined without tables. */
export function roleOf(process: ProcessName): LoginRole | undefined {
  return LOGIN_ROLES.find((role) => role === process);
}

/** Returns the service whose program and settings a process uses. */
export function serviceOf(process: ProcessName): ServiceName {
  return process in VARIANTS ? VARIANTS[process as Variant] : (process as ServiceName);
}
