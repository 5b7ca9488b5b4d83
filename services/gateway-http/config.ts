// Every setting of an HTTP gateway, read from the environment.

import { isEmailAddress } from '../../domain/accounts/index.ts';
import { registrySettings } from '../../domain/migrations/index.ts';
import { accessSettings } from '../../domain/vault/index.ts';
import { publicUrlSetting } from '../../infra/access/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  type ConfigOf,
  integer,
  list,
  oneOf,
  optional,
  port,
  readConfig,
  type Setting,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { loginSettings } from './login/login-settings.ts';
import type { BucketKind, BucketSize } from './rate-limiter.ts';
import { GATEWAY_MODULES, type GatewayModule } from './served-routes.ts';

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...accessSettings,
  ...serviceSettings('gateway-http'),
  ...loginSettings,
  /** The groups of routes that this process serves; the others answer 404. */
  modules: modules('RIALTO_GATEWAY_MODULES'),
  host: text('RIALTO_HTTP_HOST', { fallback: '127.0.0.1' }),
  port: port('RIALTO_HTTP_PORT', 0),
  /** The URL at which clients reach the exchange. */
  publicUrl: publicUrlSetting(),
  apiName: text('RIALTO_API_NAME', { fallback: 'Rialto' }),
  /** The domain that owns the passkeys; the host of the public URL by default. */
  passkeyDomain: optional(text('RIALTO_PASSKEY_DOMAIN')),
  /** Origins of web apps that may use passkeys; the public URL's by default. */
  passkeyOrigins: list('RIALTO_PASSKEY_ORIGINS', { fallback: [], of: 'origins' }),
  /** Proxies whose X-Forwarded-For is trusted; none by default. */
  trustedProxies: list('RIALTO_TRUSTED_PROXIES', { fallback: [], of: 'addresses' }),
  /** Origins whose pages may read answers, or `*`. */
  corsOrigins: list('RIALTO_CORS_ORIGINS', { fallback: ['*'], of: 'origins' }),
  connectionsMax: integer('RIALTO_CONNECTIONS_MAX', { min: 1, max: 1_000_000, fallback: 20_000 }),
  /** Of one address, or of one IPv6 network of 64 bits. Trusted proxies have no such limit. */
  connectionsPerAddressMax: integer('RIALTO_CONNECTIONS_PER_ADDRESS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 256,
  }),
  /** Requests of one address that are answered at the same time. */
  requestsPerAddressMax: integer('RIALTO_REQUESTS_PER_ADDRESS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 256,
  }),
  /** The stream gateway that serves `/stream` of this gateway's port; 404 if it is not set. */
  streamUrl: optional(serverUrl('RIALTO_STREAM_URL', 'ws:')),
  streamSocketsMax: integer('RIALTO_STREAM_SOCKETS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 10_000,
  }),
  /** The gateway that serves the identity routes, if this one does not. */
  identityUrl: optional(serverUrl('RIALTO_IDENTITY_URL', 'http:')),
  /** The process's nice value: 15 for the identity gateway, whose hashing must not slow orders. */
  processPriority: integer('RIALTO_PROCESS_PRIORITY', { min: 0, max: 19, fallback: 0 }),
  /** A command without a result after this time has an unknown outcome. */
  commandTimeoutMs: integer('RIALTO_COMMAND_TIMEOUT_MS', {
    min: 100,
    max: 60_000,
    fallback: 10_000,
  }),
  freshTimeoutMs: integer('RIALTO_FRESH_TIMEOUT_MS', { min: 10, max: 60_000, fallback: 3_000 }),
  databaseConnectionsMax: integer('RIALTO_DATABASE_CONNECTIONS_MAX', {
    min: 1,
    max: 1_000,
    fallback: 10,
  }),
  statementTimeoutMs: integer('RIALTO_STATEMENT_TIMEOUT_MS', {
    min: 100,
    max: 600_000,
    fallback: 10_000,
  }),
  /** Sign-ups, resets and verifications of one address within two minutes, each. */
  identityCallsMax: integer('RIALTO_IDENTITY_CALLS_MAX', { min: 1, max: 1_000_000, fallback: 4 }),
  /** Receives the messages of `POST /v2/support`; without it they are refused. */
  supportEmail: optional(emailAddress('RIALTO_SUPPORT_EMAIL')),
  accessLog: oneOf('RIALTO_ACCESS_LOG', ['on', 'off'], 'on'),
  /** For tests: an answer that does not match its schema is a fault. */
  checkAnswers: oneOf('RIALTO_CHECK_ANSWERS', ['on', 'off'], 'off'),
  addressBurst: weight('RIALTO_ADDRESS_BURST', 200),
  addressPerSecond: weight('RIALTO_ADDRESS_PER_SECOND', 20),
  userBurst: weight('RIALTO_USER_BURST', 500),
  userPerSecond: weight('RIALTO_USER_PER_SECOND', 100),
  cancelBurst: weight('RIALTO_CANCEL_BURST', 2_000),
  cancelPerSecond: weight('RIALTO_CANCEL_PER_SECOND', 500),
  /** Wrong signatures, keys and tokens of one address. */
  failureBurst: weight('RIALTO_FAILURE_BURST', 40),
  failurePerSecond: weight('RIALTO_FAILURE_PER_SECOND', 4),
};

function modules(name: string): Setting<readonly GatewayModule[]> {
  return {
    name,
    expected: `a comma-separated list of ${GATEWAY_MODULES.join(', ')}`,
    fallback: { value: GATEWAY_MODULES },
    read(found) {
      const named = found.split(',').map((item) => item.trim());
      const known = GATEWAY_MODULES.filter((module) => named.includes(module));
      return known.length === named.length ? known : undefined;
    },
  };
}

function emailAddress(name: string): Setting<string> {
  return {
    name,
    expected: 'an e-mail address',
    read: (found) => (isEmailAddress(found) ? found : undefined),
  };
}

function serverUrl(name: string, protocol: 'http:' | 'ws:'): Setting<URL> {
  return {
    name,
    expected: `a ${protocol}// URL with host and port only`,
    read(found) {
      const url = URL.parse(found);
      const isSound = url?.protocol === protocol && url.pathname === '/' && url.search === '';
      return isSound ? url : undefined;
    },
  };
}

function weight(name: string, fallback: number) {
  return integer(name, { min: 1, max: 1_000_000_000, fallback });
}

export type GatewayConfig = ConfigOf<typeof settings>;

export function gatewayConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  return readConfig(environment, settings);
}

export function bucketSizes(config: GatewayConfig): Record<BucketKind, BucketSize> {
  return {
    address: { burst: config.addressBurst, perSecond: config.addressPerSecond },
    user: { burst: config.userBurst, perSecond: config.userPerSecond },
    cancel: { burst: config.cancelBurst, perSecond: config.cancelPerSecond },
    failure: { burst: config.failureBurst, perSecond: config.failurePerSecond },
  };
}
