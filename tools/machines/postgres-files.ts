// PostgreSQL files: settings, admitted connections, and the SQL that creates the database and its
// login roles. The SQL contains verifiers; passwords are only in service files.

import { randomBytes } from 'node:crypto';
import { LOGIN_ROLES, roleName } from '../migrate/grants/apply-grants.ts';
import { scramVerifier } from '../migrate/roles.ts';
import { DATABASE_HOST, databaseMachines, type LoginRole, type Machine, PORTS } from './layout.ts';

export const DATABASE = 'rialto';
export const OWNER = 'rialto_owner';
export const REPLICA = 'rialto_replica';
const ROLE_PREFIX = 'rialto';
const PASSWORD_BYTES = 24;

export interface DatabasePasswords {
  readonly owner: string;
  readonly replica: string;
  readonly roles: ReadonlyMap<LoginRole, string>;
}

export function drawPasswords(): DatabasePasswords {
  const draw = () => randomBytes(PASSWORD_BYTES).toString('base64url');
  const roles = new Map(LOGIN_ROLES.map((role) => [role, draw()] as const));
  return { owner: draw(), replica: draw(), roles };
}

/** Host of the primary: a separate name where a replica can take over. */
export function databaseHost(machines: readonly Machine[]): string {
  return machines.length === 1 ? machines[0].name : DATABASE_HOST;
}

export function urlOf(user: string, password: string, machines: readonly Machine[]): string {
  return `postgres://${user}:${password}@${databaseHost(machines)}:${PORTS.postgres}/${DATABASE}`;
}

export function urlOfRole(
  role: LoginRole,
  { roles }: DatabasePasswords,
  machines: readonly Machine[],
): string {
  return urlOf(roleName(ROLE_PREFIX, role), roles.get(role)!, machines);
}

/** SQL to run once as the superuser, on the primary. */
export function createSql({ owner, replica, roles }: DatabasePasswords): string {
  const logins = [...roles].map(
    ([role, password]) =>
      `create role ${roleName(ROLE_PREFIX, role)} login noinherit ` +
      `password '${scramVerifier(password)}';`,
  );
  const projector = roleName(ROLE_PREFIX, 'projector');
  return [
    '-- Run once, as the superuser, on the primary. Afterwards: rialto migrate.',
    `create role ${OWNER} login createrole password '${scramVerifier(owner)}';`,
    `create role ${REPLICA} login replication password '${scramVerifier(replica)}';`,
    '-- Text sorts by byte, regardless of the default locale of the server.',
    `create database ${DATABASE} owner ${OWNER} template template0 encoding 'UTF8' locale 'C';`,
    '-- The owner creates the service roles, so it can grant them their rights.',
    `set role ${OWNER};`,
    ...logins,
    '-- Projected tables are derived from the log, so commits need no replica.',
    `alter role ${projector} set synchronous_commit to local;`,
    'reset role;',
    '',
  ].join('\n');
}

export interface PostgresPlace {
  readonly machine: Machine;
  readonly machines: readonly Machine[];
  /** Absolute paths on the machine. */
  readonly tlsFolder: string;
  readonly folder: string;
}

/**
 * Goes into the server's conf.d, or behind `include`. Does not include synchronous replicas,
 * because those change with every promotion.
 */
export function postgresSettings({ folder, machine, machines, tlsFolder }: PostgresPlace): string {
  const hasReplica = databaseMachines(machines).length > 1;
  const listens = machine.name === 'localhost' ? machine.address : `localhost,${machine.address}`;
  return [
    '# PostgreSQL settings for Rialto. Also set shared_buffers to a quarter of the memory.',
    `listen_addresses = '${listens}'`,
    `port = ${PORTS.postgres}`,
    'max_connections = 150',
    'password_encryption = scram-sha-256',
    `hba_file = '${folder}/pg_hba.conf'`,
    'ssl = on',
    `ssl_cert_file = '${tlsFolder}/postgres.crt'`,
    `ssl_key_file = '${tlsFolder}/postgres.key'`,
    `ssl_min_protocol_version = 'TLSv1.3'`,
    'wal_level = replica',
    'max_wal_size = 8GB',
    'checkpoint_timeout = 15min',
    'random_page_cost = 1.1',
    'idle_in_transaction_session_timeout = 60s',
    // A lost machine closes no connection, so its peers must detect the loss themselves.
    'tcp_keepalives_idle = 5',
    'tcp_keepalives_interval = 2',
    'tcp_keepalives_count = 3',
    'tcp_user_timeout = 10s',
    'wal_sender_timeout = 10s',
    'wal_receiver_timeout = 10s',
    'hot_standby = on',
    ...(hasReplica ? ['max_wal_senders = 10', 'wal_keep_size = 4GB'] : []),
    '',
  ].join('\n');
}

/** Only TLS, only the exchange's machines, only with a password. */
export function postgresHba({ machine, machines }: PostgresPlace): string {
  const databases = databaseMachines(machines);
  const everyone = machines.map(({ address }) => hostRow(DATABASE, 'all', address));
  const replicas = databases.length === 1 ? [] : databases;
  return [
    '# Connections that PostgreSQL admits. The superuser can only use the local socket.',
    'local  all  postgres  peer',
    ...(machine.name === 'localhost' ? [] : [hostRow(DATABASE, 'all', '127.0.0.1')]),
    ...everyone,
    ...replicas.map(({ address }) => hostRow('replication', REPLICA, address)),
    '',
  ].join('\n');
}

function hostRow(database: string, user: string, address: string): string {
  const bits = address.includes(':') ? 128 : 32;
  return `hostssl  ${database}  ${user}  ${address}/${bits}  scram-sha-256`;
}

/** For libpq: the replica reads its role's password from it. */
export function replicaPassFile({ replica }: DatabasePasswords): string {
  return `*:${PORTS.postgres}:*:${REPLICA}:${replica}\n`;
}
