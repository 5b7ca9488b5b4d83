// Processes of a sandbox and their environment variables: each gets only its own.

import { join } from 'node:path';
import type { StreamAudience } from '../../infra/identities/index.ts';
import type { LoginRole } from '../machines/layout.ts';
import { roleName } from '../migrate/grants/apply-grants.ts';
import type { IdentityFiles } from '../services/identity-files.ts';
import { MIGRATED_SCHEMAS } from '../services/migrated-postgres.ts';
import type { SandboxServiceOptions } from './sandbox-service.ts';

export const EXCHANGE = 'rialto';
export const PROJECTION_SCHEMA = MIGRATED_SCHEMAS.projectionSchema;
export const REGISTRY_SCHEMA = MIGRATED_SCHEMAS.registrySchema;
export const ROLE_PREFIX = MIGRATED_SCHEMAS.rolePrefix;

export interface SandboxSettings {
  readonly folder: string;
  readonly logFolder: string;
  readonly identities: IdentityFiles;
  readonly natsUrls: readonly string[];
  readonly replicas: number;
  /** URL of the owner; each service logs in with its own role. */
  readonly postgresUrl: string;
  readonly gateways: number;
  readonly streams: number;
  /** True if a separate process serves the identity routes. */
  readonly withIdentity: boolean;
  /** Port of the only process that serves operators; undefined if every gateway does. */
  readonly adminPort: number | undefined;
  /** Port of the stream gateway for operators, if they have one. */
  readonly adminStreamPort: number | undefined;
  /** Separate process for the console and its routes. */
  readonly console: SandboxConsole | undefined;
  readonly withArchivist: boolean;
  readonly withReconciler: boolean;
  readonly withNotifier: boolean;
  readonly withMonitor: boolean;
  /** True for a demo exchange, which is labeled as one. */
  readonly isDemo: boolean;
  /** Settings of the market agents; undefined without them. */
  readonly agentSettings: Readonly<Record<string, string>> | undefined;
  /** wide: no test reaches a rate limit or a review. usual: as in production. */
  readonly budgets: 'wide' | 'usual';
  /** True to turn a response that does not match its schema into an error. */
  readonly checkAnswers: boolean;
  readonly logLevel: string;
  readonly accessLog: boolean;
  /** Port of the first gateway; the others use free ports. */
  readonly httpPort: number;
  /** Additional variables for all HTTP gateways; they override the others. */
  readonly gatewaySettings: Readonly<Record<string, string>>;
  /** Port of the first websocket gateway, and variables for all of them. */
  readonly streamPort: number | undefined;
  readonly streamSettings: Readonly<Record<string, string>>;
  /** Port of the inbox, and variables for the notifier. */
  readonly inboxPort: number | undefined;
  readonly notifierSettings: Readonly<Record<string, string>>;
  /** Additional variables for the archivist. */
  readonly archivistSettings: Readonly<Record<string, string>>;
  /** Additional variables for the monitor. */
  readonly monitorSettings: Readonly<Record<string, string>>;
  /** Modules that the sequencers and the websocket gateways load first. */
  readonly sequencerPreload: string | undefined;
  readonly streamPreload: string | undefined;
  /** Files of custody; undefined without a local chain. */
  readonly custody:
    | Readonly<Record<'RIALTO_CUSTODY_FILE' | 'RIALTO_NODES_FILE', string>>
    | undefined;
}

export interface SandboxConsole {
  readonly port: number;
  /** Folder with the built files. */
  readonly folder: string;
}

/** The first sequencer becomes the leader, so the standby starts after it. */
export interface SandboxPlan {
  readonly leader: SandboxServiceOptions;
  readonly standby: SandboxServiceOptions;
  readonly followers: readonly SandboxServiceOptions[];
  readonly gateways: readonly SandboxServiceOptions[];
  readonly identity: readonly SandboxServiceOptions[];
  /** The process for operators, if there is one. */
  readonly admin: readonly SandboxServiceOptions[];
  /** The process that serves the console, if there is one. */
  readonly console: readonly SandboxServiceOptions[];
  readonly notifiers: readonly SandboxServiceOptions[];
  readonly streams: readonly SandboxServiceOptions[];
  /** The stream gateway for operators, if they have a separate process. */
  readonly adminStreams: readonly SandboxServiceOptions[];
  /** They trade through the first gateway, so they start last. */
  readonly agents: readonly SandboxServiceOptions[];
}

const WIDE = 1_000_000_000;
const WIDE_SOCKETS = 1_000_000;

export function planSandbox(settings: SandboxSettings): SandboxPlan {
  const { identities, logFolder, sequencerPreload: preload } = settings;
  const places = { logFolder, identities };
  const variables = variablesOf(settings);
  const { journal, projectionAs, tablesAs } = variables;
  const sequencer = (name: string) => ({
    name,
    service: 'sequencer',
    settings: {
      ...journal,
      RIALTO_IDENTITIES_FILE: identities.identitiesFile,
      RIALTO_LOG_MARK_FILE: markFile(settings, name),
    },
    ...places,
    preload,
  });
  const stream = streamsAs(settings.adminPort === undefined ? 'operators' : 'users', {
    settings,
    variables,
  });
  const named = (name: string, own: Record<string, string>) => ({
    name,
    service: name,
    settings: own,
    ...places,
  });
  return {
    leader: sequencer('sequencer-1'),
    standby: sequencer('sequencer-2'),
    followers: [
      named('projector', projectionAs('projector')),
      named('publisher', {
        ...journal,
        RIALTO_LOG_MARK_FILE: markFile(settings, 'publisher'),
      }),
      named('outbox-dispatcher', {
        ...tablesAs('outbox-dispatcher'),
        ...custodyFile(settings),
        RIALTO_DEMO: settings.isDemo ? 'on' : 'off',
      }),
      ...watchers(settings, variables).map(([name, own]) => named(name, own)),
    ],
    identity: settings.withIdentity ? [identityGateway(settings, variables)] : [],
    admin: settings.adminPort === undefined ? [] : [adminGateway(settings, variables)],
    console: settings.console === undefined ? [] : [consoleGateway(settings, variables)],
    notifiers: settings.withNotifier ? [notifier(settings)] : [],
    gateways: Array.from({ length: settings.gateways }, (_, index) => ({
      name: `gateway-http-${index + 1}`,
      service: 'gateway-http',
      ...places,
      settings: publicVariables(settings, variables),
      portVariable: 'RIALTO_HTTP_PORT',
      ...(index === 0 ? { port: settings.httpPort } : {}),
    })),
    agents: settings.agentSettings === undefined ? [] : [marketAgents(settings)],
    streams: Array.from({ length: settings.streams }, (_, index) => ({
      ...stream,
      name: `gateway-websocket-${index + 1}`,
      ...(index === 0 && settings.streamPort !== undefined ? { port: settings.streamPort } : {}),
    })),
    adminStreams: adminStreams(settings, variables),
  };
}

type Variables = Record<string, string>;

function markFile({ folder }: SandboxSettings, name: string): string {
  return join(folder, `${name}.log-mark`);
}

/** Shared by services: the log, and the tables with a role's permissions. */
interface SharedVariables {
  readonly journal: Variables;
  projectionAs(role: LoginRole): Variables;
  tablesAs(role: LoginRole): Variables;
}

function variablesOf(settings: SandboxSettings): SharedVariables {
  const journal = {
    RIALTO_MODE: 'development',
    RIALTO_EXCHANGE: EXCHANGE,
    RIALTO_NATS_URLS: settings.natsUrls.join(','),
    RIALTO_REPLICAS: String(settings.replicas),
    RIALTO_LOG_LEVEL: settings.logLevel,
  };
  const projectionAs = (role: LoginRole) => ({
    ...journal,
    RIALTO_POSTGRES_URL: urlAs(role, settings.postgresUrl),
    RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
  });
  const tablesAs = (role: LoginRole) => ({
    ...projectionAs(role),
    RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
  });
  return { journal, projectionAs, tablesAs };
}

/** Services that a sandbox has only on demand. */
function watchers(
  settings: SandboxSettings,
  { journal, tablesAs }: SharedVariables,
): (readonly [name: string, own: Variables])[] {
  const { archivistSettings, folder, monitorSettings } = settings;
  const archive = { RIALTO_ARCHIVE_FOLDER: archiveFolder(folder) };
  const archivist = { ...journal, ...archive, ...archivistSettings };
  const reconciler = {
    ...tablesAs('reconciler'),
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
    ...settings.custody,
  };
  const watcher = {
    ...tablesAs('chain-watcher'),
    ...settings.custody,
    RIALTO_CHAIN_EVERY_MS: '250',
  };
  const monitor = { ...tablesAs('monitor'), RIALTO_MONITOR_DISKS: folder, ...monitorSettings };
  return [
    ...(settings.withArchivist ? [['archivist', archivist] as const] : []),
    ...(settings.withReconciler ? [['reconciler', reconciler] as const] : []),
    ...(settings.withMonitor ? [['monitor', monitor] as const] : []),
    ...(settings.custody === undefined ? [] : [['chain-watcher', watcher] as const]),
  ];
}

/** Without a process for operators, every gateway serves them and has their permissions. */
function publicVariables(settings: SandboxSettings, { tablesAs }: SharedVariables): Variables {
  const own = gatewayVariables(settings);
  if (settings.adminPort === undefined) return { ...tablesAs('gateway-admin'), ...own };
  const modules = { RIALTO_GATEWAY_MODULES: 'public,user,identity' };
  return { ...tablesAs('gateway-http'), ...modules, ...own };
}

/** Operators log in here too, unless they have a separate process. */
function identityGateway(
  settings: SandboxSettings,
  { tablesAs }: SharedVariables,
): SandboxServiceOptions {
  const role = settings.adminPort === undefined ? 'gateway-admin' : 'gateway-identity';
  return {
    name: 'gateway-identity',
    service: 'gateway-http',
    logFolder: settings.logFolder,
    identities: settings.identities,
    settings: {
      ...tablesAs(role),
      ...gatewayVariables(settings),
      RIALTO_GATEWAY_MODULES: 'identity',
      RIALTO_PROCESS_PRIORITY: '15',
      // HTTP gateways forward requests with the client's address.
      RIALTO_TRUSTED_PROXIES: 'loopback',
    },
    portVariable: 'RIALTO_HTTP_PORT',
  };
}

/** A stream gateway, without its name and port. */
function streamsAs(
  audience: StreamAudience,
  { settings, variables }: { settings: SandboxSettings; variables: SharedVariables },
) {
  return {
    service: 'gateway-websocket',
    logFolder: settings.logFolder,
    identities: settings.identities,
    settings: {
      ...variables.tablesAs(audience === 'operators' ? 'gateway-ws-admin' : 'gateway-websocket'),
      RIALTO_STREAM_AUDIENCE: audience,
      ...streamVariables(settings),
    },
    portVariable: 'RIALTO_STREAM_PORT',
    preload: settings.streamPreload,
  };
}

function adminStreams(
  settings: SandboxSettings,
  variables: SharedVariables,
): readonly SandboxServiceOptions[] {
  const { adminPort = 0, adminStreamPort: port } = settings;
  if (port === undefined) return [];
  const stream = streamsAs('operators', { settings, variables });
  const own = { ...stream.settings, RIALTO_PUBLIC_URL: publicUrl(adminPort) };
  return [{ ...stream, name: 'gateway-ws-admin', settings: own, port }];
}

/** Serves everything to operators, who log in there and nowhere else. */
function adminGateway(
  settings: SandboxSettings,
  { tablesAs }: SharedVariables,
): SandboxServiceOptions {
  const { adminPort = 0, adminStreamPort, identities, logFolder } = settings;
  return {
    name: 'gateway-admin',
    service: 'gateway-http',
    logFolder,
    identities,
    settings: {
      ...tablesAs('gateway-admin'),
      ...gatewayVariables(settings),
      RIALTO_PUBLIC_URL: publicUrl(adminPort),
      ...(adminStreamPort === undefined
        ? {}
        : { RIALTO_STREAM_URL: `ws://127.0.0.1:${adminStreamPort}` }),
    },
    portVariable: 'RIALTO_HTTP_PORT',
    port: adminPort,
  };
}

/** An operator gateway with the console, on a separate origin. */
function consoleGateway(
  settings: SandboxSettings,
  { tablesAs }: SharedVariables,
): SandboxServiceOptions {
  const { console: { folder, port } = { folder: '', port: 0 }, identities, logFolder } = settings;
  const { RIALTO_TERMINAL_FOLDER: _, ...own } = gatewayVariables(settings);
  return {
    name: 'gateway-console',
    service: 'gateway-http',
    logFolder,
    identities,
    settings: {
      ...tablesAs('gateway-admin'),
      ...own,
      RIALTO_PUBLIC_URL: publicUrl(port),
      RIALTO_CONSOLE_FOLDER: folder,
    },
    portVariable: 'RIALTO_HTTP_PORT',
    port,
  };
}

/** Without RIALTO_SMTP_URL it has an inbox, with a page at its client port. */
function notifier(settings: SandboxSettings): SandboxServiceOptions {
  const { folder, httpPort, identities, inboxPort, logFolder, logLevel, notifierSettings } =
    settings;
  return {
    name: 'notifier',
    service: 'notifier',
    logFolder,
    identities,
    settings: {
      RIALTO_MODE: 'development',
      RIALTO_LOG_LEVEL: logLevel,
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_NATS_URLS: settings.natsUrls.join(','),
      RIALTO_POSTGRES_URL: urlAs('notifier', settings.postgresUrl),
      RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
      RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
      RIALTO_PUBLIC_URL: publicUrl(httpPort),
      ...notifierSettings,
    },
    portVariable: 'RIALTO_INBOX_PORT',
    ...(inboxPort === undefined ? {} : { port: inboxPort }),
  };
}

function marketAgents(settings: SandboxSettings): SandboxServiceOptions {
  const { agentSettings, folder, httpPort, identities, logFolder, logLevel, natsUrls } = settings;
  return {
    name: 'market-agents',
    service: 'market-agents',
    logFolder,
    identities,
    settings: {
      RIALTO_MODE: 'development',
      RIALTO_LOG_LEVEL: logLevel,
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_NATS_URLS: natsUrls.join(','),
      RIALTO_AGENTS_URL: `http://127.0.0.1:${httpPort}`,
      RIALTO_AGENTS_KEYS_FILE: agentKeysFile(folder),
      RIALTO_AGENTS_DIAL_FILE: agentDialFile(folder),
      ...agentSettings,
    },
  };
}

export function agentKeysFile(folder: string): string {
  return join(folder, 'agent-keys.json');
}

/** Can be changed while the agents trade. */
export function agentDialFile(folder: string): string {
  return join(folder, 'agents.json');
}

/** A sandbox's server trusts its own machine, so the roles have no passwords. */
export function urlAs(role: LoginRole, ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = roleName(ROLE_PREFIX, role);
  return url.href;
}

/** Uses the machine name that browsers also accept for passkeys. */
export function publicUrl(httpPort: number): string {
  return `http://localhost:${httpPort}`;
}

export function archiveFolder(folder: string): string {
  return join(folder, 'archive');
}

export function accessKeyFile(folder: string): string {
  return join(folder, 'access-key');
}

const WIDE_ADDRESS = {
  RIALTO_CONNECTIONS_PER_ADDRESS_MAX: String(WIDE_SOCKETS),
  RIALTO_REQUESTS_PER_ADDRESS_MAX: String(WIDE_SOCKETS),
};

function gatewayVariables(settings: SandboxSettings): Record<string, string> {
  const { accessLog, budgets, checkAnswers, folder, gatewaySettings, httpPort } = settings;
  const kinds = ['ADDRESS', 'USER', 'CANCEL', 'FAILURE'];
  const sizes = kinds.flatMap((kind) => [`RIALTO_${kind}_BURST`, `RIALTO_${kind}_PER_SECOND`]);
  return {
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
    RIALTO_PUBLIC_URL: publicUrl(httpPort),
    RIALTO_SUPPORT_EMAIL: 'support@example.com',
    RIALTO_CHECK_ANSWERS: checkAnswers ? 'on' : 'off',
    RIALTO_ACCESS_LOG: accessLog ? 'on' : 'off',
    RIALTO_DEMO: settings.isDemo ? 'on' : 'off',
    ...(budgets === 'usual' ? {} : Object.fromEntries(sizes.map((name) => [name, String(WIDE)]))),
    ...(budgets === 'usual' ? {} : { RIALTO_IDENTITY_CALLS_MAX: String(WIDE_SOCKETS) }),
    ...(budgets === 'usual' && !settings.isDemo ? {} : WIDE_ADDRESS),
    ...custodyFile(settings),
    ...gatewaySettings,
  };
}

function custodyFile({ custody }: SandboxSettings): Variables {
  return custody === undefined ? {} : { RIALTO_CUSTODY_FILE: custody.RIALTO_CUSTODY_FILE };
}

function streamVariables(settings: SandboxSettings): Variables {
  const { budgets, folder, httpPort, isDemo, streamSettings } = settings;
  const names = [
    'SOCKETS_PER_ADDRESS_MAX',
    'CONNECTS_BURST',
    'CONNECTS_PER_SECOND',
    'HANDSHAKES_MAX',
    'HANDSHAKES_PER_ADDRESS_MAX',
    ...['MESSAGES', 'BYTES', 'CHANNELS'].flatMap((what) => [
      `CLIENT_${what}_BURST`,
      `CLIENT_${what}_PER_SECOND`,
    ]),
  ];
  const wide = names.map((name) => [`RIALTO_${name}`, String(WIDE_SOCKETS)]);
  return {
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(folder),
    RIALTO_PUBLIC_URL: publicUrl(httpPort),
    // HTTP gateways forward sockets with the client's address.
    RIALTO_TRUSTED_PROXIES: 'loopback',
    // All agents connect from this machine.
    ...(budgets === 'usual' && !isDemo ? {} : (Object.fromEntries(wide) as Variables)),
    ...streamSettings,
  };
}
