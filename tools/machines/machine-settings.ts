// Settings of one machine: a file shared by all its processes, and one per process.

import { healthPort, type Machine, natsPlaces, PORTS, type ProcessName, roleOf } from './layout.ts';

export interface Exchange {
  readonly machines: readonly Machine[];
  /** URL for clients, and URL for operators. */
  readonly publicUrl: string;
  readonly adminUrl: string;
  /** Addresses and networks from which operators can use their role. */
  readonly operatorAddresses: readonly string[];
}

/** Absolute folders on the machine itself. */
export interface Places {
  readonly etc: string;
  readonly data: string;
}

/** Folders of an installed release; a release without screens responds with 503 there. */
const TERMINAL_FOLDER = '/opt/rialto/apps/terminal/dist';
const CONSOLE_FOLDER = '/opt/rialto/apps/console/dist';

type Settings = Readonly<Record<string, string>>;

export function sharedSettings({ machines, publicUrl }: Exchange, machine: Machine, at: Places) {
  const servers = natsPlaces(machines);
  const { hostname, origin } = new URL(publicUrl);
  return {
    RIALTO_MODE: 'production',
    RIALTO_NATS_URLS: servers
      .map(({ clientPort, machine: { name } }) => `nats://${name}:${clientPort}`)
      .join(),
    RIALTO_NATS_MONITOR_URLS: servers
      .map(({ machine: { name }, monitorPort }) => `http://${name}:${monitorPort}`)
      .join(),
    RIALTO_REPLICAS: String(servers.length),
    RIALTO_TLS_CA_FILE: `${at.etc}/tls/ca.crt`,
    RIALTO_POSTGRES_CA_FILE: `${at.etc}/tls/ca.crt`,
    RIALTO_HEALTH_HOST: machine.address,
    RIALTO_ACCESS_KEY_FILE: `${at.etc}/access-key`,
    RIALTO_PUBLIC_URL: publicUrl,
    RIALTO_CORS_ORIGINS: origin,
    RIALTO_TRUSTED_PROXIES: 'loopback',
    RIALTO_SMTP_URL_FILE: `${at.etc}/smtp-url`,
    RIALTO_MAIL_FROM: `no-reply@${hostname}`,
  } satisfies Settings;
}

export function processSettings(
  process: ProcessName,
  exchange: Exchange,
  machine: Machine,
  at: Places,
): Settings {
  const { machines } = exchange;
  const role = roleOf(process);
  // Instance names distinguish machines.
  const instance = machines.length === 1 ? `${process}-1` : `${process}-${machine.name}`;
  return {
    RIALTO_INSTANCE: instance,
    RIALTO_HEALTH_PORT: String(healthPort(process)),
    RIALTO_IDENTITY_KEY_FILE: `${at.etc}/identities/${process}.nkey`,
    ...(role === undefined ? {} : { RIALTO_POSTGRES_URL_FILE: `${at.etc}/postgres/${role}.url` }),
    ...ownSettings(process, exchange, machine, at),
  };
}

function ownSettings(
  process: ProcessName,
  exchange: Exchange,
  machine: Machine,
  { data, etc }: Places,
): Settings {
  const { machines } = exchange;
  const streamAt = (port: number) => ({ RIALTO_STREAM_URL: `ws://127.0.0.1:${port}` });
  switch (process) {
    case 'sequencer':
      return {
        RIALTO_LOG_MARK_FILE: `${data}/sequencer/log-mark`,
        RIALTO_IDENTITIES_FILE: `${etc}/identities/identities`,
        RIALTO_LINK_LISTEN_HOST: machine.address,
        RIALTO_LINK_HOST: machine.name,
        RIALTO_LINK_PORT: String(PORTS.link),
        RIALTO_LINK_CERTIFICATE_FILE: `${etc}/tls/link.crt`,
        RIALTO_LINK_KEY_FILE: `${etc}/tls/link.key`,
      };
    case 'publisher':
      return { RIALTO_LOG_MARK_FILE: `${data}/publisher/log-mark` };
    case 'archivist':
      return {
        RIALTO_ARCHIVE_FOLDER: `${data}/archive`,
        // Mount another disk there: without a second copy, the log is never trimmed.
        RIALTO_ARCHIVE_COPY_FOLDER: `${data}/archive-copy`,
      };
    case 'monitor':
      return {
        RIALTO_MONITOR_CERTIFICATES: [
          `${etc}/tls/ca.crt`,
          ...natsPlaces(machines).map(
            ({ clientPort, machine: { name } }) => `${name}:${clientPort}`,
          ),
        ].join(),
        RIALTO_MONITOR_DISKS: data,
      };
    case 'gateway-websocket':
      return { RIALTO_STREAM_PORT: String(PORTS['gateway-websocket']) };
    case 'gateway-ws-admin':
      return {
        RIALTO_STREAM_AUDIENCE: 'operators',
        RIALTO_STREAM_PORT: String(PORTS['gateway-ws-admin']),
        // There are few operators, so PostgreSQL's connections go to the other gateways.
        RIALTO_DATABASE_CONNECTIONS_MAX: '3',
        RIALTO_PUBLIC_URL: exchange.adminUrl,
      };
    case 'gateway-http':
      return {
        RIALTO_HTTP_PORT: String(PORTS['gateway-http']),
        RIALTO_TERMINAL_FOLDER: TERMINAL_FOLDER,
        ...streamAt(PORTS['gateway-websocket']),
        ...(machines.length === 1
          ? {
              RIALTO_GATEWAY_MODULES: 'public,user',
              RIALTO_IDENTITY_URL: `http://127.0.0.1:${PORTS['gateway-identity']}`,
            }
          : { RIALTO_GATEWAY_MODULES: 'public,user,identity' }),
      };
    case 'gateway-identity':
      return {
        RIALTO_GATEWAY_MODULES: 'identity',
        RIALTO_HTTP_PORT: String(PORTS['gateway-identity']),
        // Low priority, because it hashes passwords and orders come first.
        RIALTO_PROCESS_PRIORITY: '15',
      };
    case 'gateway-admin':
      return {
        RIALTO_GATEWAY_MODULES: 'public,user,admin,identity',
        RIALTO_HTTP_PORT: String(PORTS['gateway-admin']),
        RIALTO_PUBLIC_URL: exchange.adminUrl,
        RIALTO_CONSOLE_FOLDER: CONSOLE_FOLDER,
        ...streamAt(PORTS['gateway-ws-admin']),
        RIALTO_CORS_ORIGINS: new URL(exchange.adminUrl).origin,
        RIALTO_OPERATOR_ADDRESSES: exchange.operatorAddresses.join(),
      };
    default:
      return {};
  }
}
