// Every setting of a websocket gateway, read from the environment.

import { registrySettings } from '../../domain/migrations/index.ts';
import { accessSettings } from '../../domain/vault/index.ts';
import { publicUrlSetting } from '../../infra/access/index.ts';
import { journalSettings } from '../../infra/journal/index.ts';
import { postgresSettings } from '../../infra/postgres/index.ts';
import {
  type ConfigOf,
  integer,
  list,
  port,
  readConfig,
  serviceSettings,
  text,
} from '../../infra/process/index.ts';
import { STREAM_CLIENT_BUDGET, STREAM_IDLE_MS } from '../../protocol/index.ts';

const BUDGET = { min: 1, max: 1_000_000_000 };

const settings = {
  ...journalSettings,
  ...postgresSettings,
  ...registrySettings,
  ...accessSettings,
  ...serviceSettings('gateway-websocket'),
  host: text('RIALTO_STREAM_HOST', { fallback: '127.0.0.1' }),
  port: port('RIALTO_STREAM_PORT', 0),
  /** The URL at which clients reach the exchange: only its pages may use cookies. */
  publicUrl: publicUrlSetting(),
  /** Proxies whose X-Forwarded-For header is trusted; none by default. */
  trustedProxies: list('RIALTO_TRUSTED_PROXIES', { fallback: [], of: 'addresses' }),
  socketsMax: integer('RIALTO_SOCKETS_MAX', { min: 1, max: 1_000_000, fallback: 20_000 }),
  socketsPerAddressMax: integer('RIALTO_SOCKETS_PER_ADDRESS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 200,
  }),
  /** How fast an address may open sockets: the burst, and the refill per second. */
  connectsBurst: integer('RIALTO_CONNECTS_BURST', { min: 1, max: 1_000_000, fallback: 50 }),
  connectsPerSecond: integer('RIALTO_CONNECTS_PER_SECOND', {
    min: 1,
    max: 1_000_000,
    fallback: 10,
  }),
  subscriptionsPerSocketMax: integer('RIALTO_SUBSCRIPTIONS_PER_SOCKET_MAX', {
    min: 1,
    max: 100_000,
    fallback: 2_000,
  }),
  /**
   * Over all sockets of a user, or of an address without one: messages, their bytes, and the
   * channels that they name. Charged before a message is parsed.
   */
  clientMessagesBurst: integer('RIALTO_CLIENT_MESSAGES_BURST', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.messages.burst,
  }),
  clientMessagesPerSecond: integer('RIALTO_CLIENT_MESSAGES_PER_SECOND', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.messages.perSecond,
  }),
  clientBytesBurst: integer('RIALTO_CLIENT_BYTES_BURST', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.bytes.burst,
  }),
  clientBytesPerSecond: integer('RIALTO_CLIENT_BYTES_PER_SECOND', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.bytes.perSecond,
  }),
  clientChannelsBurst: integer('RIALTO_CLIENT_CHANNELS_BURST', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.channels.burst,
  }),
  clientChannelsPerSecond: integer('RIALTO_CLIENT_CHANNELS_PER_SECOND', {
    ...BUDGET,
    fallback: STREAM_CLIENT_BUDGET.channels.perSecond,
  }),
  /** Connections that have not completed their handshake, in total and per address. */
  handshakesMax: integer('RIALTO_HANDSHAKES_MAX', { min: 1, max: 1_000_000, fallback: 1_000 }),
  handshakesPerAddressMax: integer('RIALTO_HANDSHAKES_PER_ADDRESS_MAX', {
    min: 1,
    max: 1_000_000,
    fallback: 50,
  }),
  /** A connection without a handshake after this time is closed. */
  handshakeMs: integer('RIALTO_HANDSHAKE_MS', { min: 100, max: 60_000, fallback: 5_000 }),
  /** Per socket: with more unsent bytes, frames that a snapshot can replace are conflated. */
  waitingBytesMax: integer('RIALTO_WAITING_BYTES_MAX', {
    min: 65_536,
    max: 1_073_741_824,
    fallback: 262_144,
  }),
  /** With more unsent bytes, the socket is closed, because user events must not be lost. */
  waitingBytesOfAllMax: integer('RIALTO_WAITING_BYTES_OF_ALL_MAX', {
    min: 65_536,
    max: 1_073_741_824,
    fallback: 4_194_304,
  }),
  /** A socket that accepts no data for this long is terminated. */
  stuckAfterMs: integer('RIALTO_STUCK_AFTER_MS', { min: 100, max: 600_000, fallback: 10_000 }),
  idleMs: integer('RIALTO_IDLE_MS', { min: 100, max: 3_600_000, fallback: STREAM_IDLE_MS }),
  /** The outcome of a command is unknown if no answer arrives within this time. */
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
};

export type StreamConfig = ConfigOf<typeof settings>;

export function streamConfig(environment: NodeJS.ProcessEnv): StreamConfig {
  return readConfig(environment, settings);
}
