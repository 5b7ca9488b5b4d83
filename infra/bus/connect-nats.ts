// A connection to NATS that always reconnects, to whichever server answers, and reports when it
// is lost and restored. Messages published while disconnected may be dropped.

import {
  connect,
  createInbox,
  type NatsConnection,
  type NodeConnectionOptions,
  type Status,
} from '@nats-io/transport-node';
import { type Identity, natsAuthenticator } from '../identities/index.ts';
import { describeFault, type Logger, systemClock } from '../process/index.ts';
import { serverAddresses } from './server-addresses.ts';

export interface Nats {
  /** The NATS client. Check `isConnected` before publishing through it. */
  readonly client: NatsConnection;
  /**
   * NOTE: while disconnected, the client buffers published messages. It drops them at its next
   * attempt to connect, or sends them if they came late enough. Neither harms the log, whose
   * appends name their sequence; but such messages are stale, and their senders no longer wait for
   * them.
   */
  readonly isConnected: boolean;
  /** A new subject on which only this identity receives. */
  createInbox(): string;
  /** Calls back soon after every disconnect and reconnect. */
  watch(changed: (isConnected: boolean) => void): Watch;
  /** Flushes published messages, for a limited time, and closes the connection permanently. */
  close(): Promise<void>;
}

export interface Watch {
  stop(): void;
}

type NatsOptions = {
  /** Some servers of the cluster, as `nats://user:password@host:port`. */
  readonly urls: readonly string[];
  /** The connection's name in the servers' own reports. */
  readonly name: string;
  /** Its key signs in, unless the URLs name a user; its name begins the subjects of answers. */
  readonly identity?: Identity;
  readonly log?: Logger;
};

// A server that hangs without closing its sockets is detected after two unanswered pings: 4 s.
const PING_INTERVAL_MS = 1_300;
const PINGS_UNANSWERED_MAX = 2;
const CONNECT_TIMEOUT_MS = 2_000;
const RECONNECT_AFTER_MS = 50;
// Keeps services from reconnecting all at the same moment.
const RECONNECT_JITTER_MS = 150;
const CLOSE_TIMEOUT_MS = 1_000;

/** Waits until a first server responds, without a limit. */
export async function connectNats({ urls, name, identity, log }: NatsOptions): Promise<Nats> {
  const inboxPrefix = identity === undefined ? '_INBOX' : `_INBOX.${identity.name}`;
  const addresses = serverAddresses(urls);
  const seed = addresses.user === undefined ? identity?.seed : undefined;
  const client = await connectUntil(log, {
    ...addresses,
    ...(seed === undefined ? {} : { authenticator: natsAuthenticator(seed) }),
    // The handshake comes first: a server that offers plain text gets nothing.
    ...(identity?.tlsCa === undefined ? {} : { tls: { ca: identity.tlsCa, handshakeFirst: true } }),
    name,
    inboxPrefix,
    reconnect: true,
    maxReconnectAttempts: -1,
    // Keeps retrying while a password is being changed on the servers.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_AFTER_MS,
    reconnectJitter: RECONNECT_JITTER_MS,
    reconnectJitterTLS: RECONNECT_JITTER_MS,
    timeout: CONNECT_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // Recording a stack for each request costs more than the request.
    noAsyncTraces: true,
  });
  return new WatchedConnection(client, inboxPrefix, log);
}

/** Retries until a server responds, and logs each new reason for a failure. */
async function connectUntil(
  log: Logger | undefined,
  options: NodeConnectionOptions,
): Promise<NatsConnection> {
  let reason = '';
  for (;;) {
    try {
      return await connect(options);
    } catch (fault) {
      const found = describeFault(fault);
      if (found !== reason) log?.warn({ reason: found }, 'NATS connection failed');
      reason = found;
    }
    await new Promise<void>((done) => systemClock.after(RECONNECT_AFTER_MS, done));
  }
}

// connected ──loss──▶ lost ──return──▶ connected; any ──close──▶ closed
class WatchedConnection implements Nats {
  readonly client: NatsConnection;
  #isConnected = true;
  readonly #inboxPrefix: string;
  readonly #log: Logger | undefined;
  readonly #watchers = new Set<(isConnected: boolean) => void>();

  constructor(client: NatsConnection, inboxPrefix: string, log: Logger | undefined) {
    this.client = client;
    this.#inboxPrefix = inboxPrefix;
    this.#log = log;
    void this.#followStatus();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  createInbox(): string {
    return createInbox(this.#inboxPrefix);
  }

  watch(changed: (isConnected: boolean) => void): Watch {
    // Wrapped, because two watchers with the same function are still two.
    const watcher = (isConnected: boolean) => changed(isConnected);
    this.#watchers.add(watcher);
    return { stop: () => this.#watchers.delete(watcher) };
  }

  async close(): Promise<void> {
    if (this.client.isClosed()) return;
    await new Promise<void>((resolve) => {
      const timer = systemClock.after(CLOSE_TIMEOUT_MS, resolve);
      const settle = () => {
        timer.cancel();
        resolve();
      };
      this.client.flush().then(settle, settle);
    });
    this.#change(false);
    await this.client.close();
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.client.status()) this.#onStatus(status);
    this.#change(false);
  }

  #onStatus(status: Status): void {
    switch (status.type) {
      case 'disconnect':
        this.#log?.warn({ server: status.server }, 'NATS disconnected');
        this.#change(false);
        break;
      case 'reconnect':
        this.#log?.info({ server: status.server }, 'NATS reconnected');
        this.#change(true);
        break;
      case 'staleConnection':
        this.#log?.warn('NATS server unresponsive');
        this.#change(false);
        dropConnection(this.client);
        break;
      case 'ldm':
        this.#log?.info({ server: status.server }, 'NATS server shutting down');
        break;
      case 'error':
        this.#log?.error({ err: status.error }, 'NATS server reported an error');
        break;
    }
  }

  #change(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    for (const watcher of [...this.#watchers]) watcher(isConnected);
  }
}

// NOTE: without this, the client first waits until the hung server has received everything that was
// sent, which may be never, although other servers of the cluster work. NATS has no public call.
function dropConnection(client: NatsConnection): void {
  const protocol: { transport: { close(fault: Error): Promise<void> } } = Reflect.get(
    client,
    'protocol',
  );
  void protocol.transport.close(new Error('The NATS server does not answer pings.'));
}

/**
 * Rethrows an error from a callback of the NATS client outside that callback, so the process
 * ends. Thrown inside, it would only stop the client's reading, on a connection that stays open.
 */
export function raiseBug(bug: unknown): void {
  systemClock.soon(() => {
    throw bug;
  });
}
