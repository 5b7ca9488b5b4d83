// The settings that several services share: the process itself, NATS, identities, PostgreSQL and
// the key file.

import { integer, LOG_LEVELS, list, oneOf, optional, secret, text } from '../process/index.ts';
import { fixedPort, PEM_FILE, webUrl } from './kinds.ts';
import { SERVICES, setting, WITH_NETWORK, WITH_TABLES } from './setting.ts';

const GATEWAYS = ['gateway-http', 'gateway-websocket'] as const;
const WITH_KEYS = ['reconciler', 'notifier', ...GATEWAYS, 'tools'] as const;

const processSettings = {
  mode: setting(oneOf('RIALTO_MODE', ['production', 'development'], 'production'), {
    usedBy: [...SERVICES, 'tools'],
    meaning:
      'In production, a service refuses unsafe settings: plain text between machines, random ' +
      'ports, a log that could lose data. Development is for one machine and for tests.',
  }),
  exchange: setting(text('RIALTO_EXCHANGE', { fallback: 'rialto' }), {
    usedBy: [...WITH_NETWORK, 'tools'],
    meaning:
      'The name of the exchange: the prefix of its streams and subjects. It never changes ' +
      'afterwards.',
  }),
  instance: setting(optional(text('RIALTO_INSTANCE')), {
    usedBy: SERVICES,
    defaultText: 'the service and a random number',
    meaning: 'The name of the process in logs, in health reports and on server connections.',
    example: 'sequencer-1',
  }),
  commit: setting(optional(text('RIALTO_COMMIT')), {
    usedBy: SERVICES,
    defaultText: 'the commit of the working copy',
    meaning: 'The commit of this build. Packagers set it; a working copy reads it from git.',
    example: '4b5dd1e2a1c0',
  }),
  logLevel: setting(oneOf('RIALTO_LOG_LEVEL', LOG_LEVELS, 'info'), {
    usedBy: SERVICES,
    meaning: 'Log lines below this level are not written.',
  }),
  healthHost: setting(text('RIALTO_HEALTH_HOST', { fallback: '127.0.0.1' }), {
    usedBy: WITH_NETWORK,
    meaning:
      'The address of the health server: /health, /ready and /metrics. Use an internal address.',
  }),
  healthPort: setting(fixedPort('RIALTO_HEALTH_PORT'), {
    usedBy: WITH_NETWORK,
    meaning: 'The port of the health server; every process on a machine needs a different one.',
    example: '9401',
  }),
  stopLimitMs: setting(
    integer('RIALTO_STOP_LIMIT_MS', { min: 100, max: 60_000, fallback: 10_000 }),
    {
      usedBy: SERVICES,
      unit: 'milliseconds',
      meaning:
        'A process that has not stopped in order after this time exits immediately with code 1.',
    },
  ),
};

/** Programs that read or write the log; others only meet it as a bus. */
const ON_THE_LOG = [
  ...WITH_NETWORK.filter(
    (service) => !['notifier', 'market-agents', 'chain-watcher'].includes(service),
  ),
  'tools',
] as const;

const journalSettings = {
  natsUrls: setting(list('RIALTO_NATS_URLS', { of: 'nats:// URLs' }), {
    usedBy: [...WITH_NETWORK, 'tools'],
    optionalFor: ['notifier', 'tools'],
    meaning: 'The NATS servers of the log. Use names: certificates are compared with them.',
    example: 'nats://n1.example.com:4222,nats://n2.example.com:4222,nats://n3.example.com:4222',
  }),
  natsMonitorUrls: setting(list('RIALTO_NATS_MONITOR_URLS', { fallback: [], of: 'http:// URLs' }), {
    usedBy: ON_THE_LOG,
    meaning:
      'The monitoring URLs of the NATS servers. Services verify with them that every write is ' +
      'synced to disk; production requires them.',
    example: 'http://n1.example.com:8222,http://n2.example.com:8222,http://n3.example.com:8222',
  }),
  replicas: setting(integer('RIALTO_REPLICAS', { min: 1, max: 5, fallback: 3 }), {
    usedBy: ON_THE_LOG,
    unit: 'servers',
    meaning: 'The number of replicas of every stream. Use three in production.',
  }),
  identityKeyFile: setting(
    optional(
      text('RIALTO_IDENTITY_KEY_FILE', { expected: 'the path of a file with an nkey seed' }),
    ),
    {
      usedBy: [...WITH_NETWORK, 'tools'],
      meaning:
        'The file with the seed of the nkey that proves which service this is. Production ' +
        'requires it, a different one for each service.',
      example: '/etc/rialto/identities/sequencer.seed',
    },
  ),
  identitiesFile: setting(
    optional(text('RIALTO_IDENTITIES_FILE', { expected: 'the path of a file with public keys' })),
    {
      usedBy: ['sequencer'],
      meaning:
        'The public keys of all identities, one per line. The direct link identifies peers by ' +
        'them; production requires it.',
      example: '/etc/rialto/identities/identities',
    },
  ),
  tlsCaFile: setting(optional(text('RIALTO_TLS_CA_FILE', PEM_FILE)), {
    usedBy: [...WITH_NETWORK, 'tools'],
    meaning:
      'The certificates that sign those of NATS and of the direct link. With it, connections ' +
      'use TLS; production requires it if a server is on another machine.',
    example: '/etc/rialto/tls/ca.pem',
  }),
};

const postgresSettings = {
  postgresUrl: setting(
    secret('RIALTO_POSTGRES_URL', { expected: 'postgres://user:password@host:port/database' }),
    {
      usedBy: [...WITH_TABLES, 'tools'],
      meaning: "The database, with this service's role: `rialto migrate roles` creates the roles.",
      example: 'postgres://rialto_projector:password@db.example.com:5432/rialto',
    },
  ),
  postgresCaFile: setting(optional(text('RIALTO_POSTGRES_CA_FILE', PEM_FILE)), {
    usedBy: [...WITH_TABLES, 'tools'],
    meaning:
      'The certificates that sign that of PostgreSQL. With it, the connection uses TLS; ' +
      'production requires it if the database is on another machine.',
    example: '/etc/rialto/tls/ca.pem',
  }),
  postgresCertFile: setting(optional(text('RIALTO_POSTGRES_CERT_FILE', PEM_FILE)), {
    usedBy: [...WITH_TABLES, 'tools'],
    meaning: 'The certificate of this service, if PostgreSQL requires one.',
    example: '/etc/rialto/tls/service.pem',
  }),
  postgresKeyFile: setting(optional(text('RIALTO_POSTGRES_KEY_FILE', PEM_FILE)), {
    usedBy: [...WITH_TABLES, 'tools'],
    meaning: 'The key of RIALTO_POSTGRES_CERT_FILE; set both or neither.',
    example: '/etc/rialto/tls/service.key',
  }),
  postgresSchema: setting(text('RIALTO_POSTGRES_SCHEMA', { fallback: 'rialto' }), {
    usedBy: [...WITH_TABLES, 'tools'],
    meaning: 'The schema of the projected tables: everything that follows from the log.',
  }),
  registrySchema: setting(text('RIALTO_REGISTRY_SCHEMA', { fallback: 'registry' }), {
    usedBy: [...WITH_TABLES, 'tools'],
    meaning:
      'The schema of the registry: users, keys, requests. It cannot be rebuilt from the log.',
  }),
  postgresStatementTimeoutMs: setting(
    integer('RIALTO_POSTGRES_STATEMENT_TIMEOUT_MS', {
      min: 100,
      max: 3_600_000,
      fallback: 60_000,
    }),
    {
      usedBy: [
        'projector',
        'outbox-dispatcher',
        'reconciler',
        'monitor',
        'notifier',
        'chain-watcher',
        'tools',
      ],
      unit: 'milliseconds',
      meaning: "PostgreSQL cancels a background service's statement that takes longer.",
    },
  ),
  rolePrefix: setting(text('RIALTO_POSTGRES_ROLE_PREFIX', { fallback: 'rialto' }), {
    usedBy: ['tools'],
    meaning: 'The prefix of the login roles. Two exchanges on one server need two prefixes.',
  }),
};

const keySettings = {
  accessKeyFile: setting(
    optional(text('RIALTO_ACCESS_KEY_FILE', { expected: 'the path of the key file' })),
    {
      usedBy: WITH_KEYS,
      meaning:
        'The key file: 32 bytes in base64, or lines of a number and such a key. It opens all ' +
        'sealed values: keep a copy elsewhere. Development creates it; production requires it ' +
        'or RIALTO_ACCESS_KEY.',
      example: '/etc/rialto/access-key',
    },
  ),
  accessKey: setting(optional(secret('RIALTO_ACCESS_KEY')), {
    usedBy: WITH_KEYS,
    meaning:
      'The content of the key file, where secrets are passed as variables. Set it or ' +
      'RIALTO_ACCESS_KEY_FILE, not both.',
    example: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
  }),
};

const publicSettings = {
  publicUrl: setting(webUrl('RIALTO_PUBLIC_URL', 'http://127.0.0.1:4000'), {
    usedBy: ['notifier', ...GATEWAYS],
    meaning:
      'The URL at which clients reach the exchange. Only its pages can use cookies, and links ' +
      'in emails lead to it.',
    example: 'https://exchange.example.com',
  }),
  apiName: setting(text('RIALTO_API_NAME', { fallback: 'Rialto' }), {
    usedBy: ['notifier', 'gateway-http'],
    meaning: 'The display name of the exchange, in the API and in every email.',
    example: 'Example Exchange',
  }),
  archiveFolder: setting(text('RIALTO_ARCHIVE_FOLDER'), {
    usedBy: ['archivist', 'projector', 'publisher'],
    optionalFor: ['projector', 'publisher'],
    meaning:
      'The folder of the archive: every frame of the log, and snapshots. The archivist writes ' +
      'it and needs it; projector and publisher read a copy for events that the log no longer ' +
      'holds.',
    example: '/var/lib/rialto/archive',
  }),
};

export const sharedSettings = {
  ...processSettings,
  ...journalSettings,
  ...postgresSettings,
  ...keySettings,
  ...publicSettings,
};
