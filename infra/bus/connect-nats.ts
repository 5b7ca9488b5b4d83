// A connection to NATS that never gives up: it comes back to whichever server answers, and tells
// who asks when it was lost and when it is there again. What is said while it is lost, is lost.

import { connect, type NatsConnection, type Status } from '@nats-io/transport-node';
import { type Logger, systemClock } from '../process/index.ts';
import { serverAddresses } from './server-addresses.ts';

export interface Nats {
  /** The client itself. Whoever publishes through it looks at `isConnected` first. */
  readonly client: NatsConnection;
  /**
   * NOTE: while there is no connection, the client keeps what is published until it next tries a
   * server and then forgets it, or sends it if it came late enough. Neither harms the log, whose
   * appends name their place; but such messages are old, and nobody waits for them any more.
   */
  readonly isConnected: boolean;
  /** Calls back on every loss and every return, soon after it. */
  watch(changed: (isConnected: boolean) => void): Watch;
  /** Sends what is under way, within a limit of time, and ends the connection for good. */
  close(): Promise<void>;
}

export interface Watch {
  stop(): void;
}

type NatsOptions = {
  /** Of some servers of the cluster; `nats://user:password@host:port` is understood. */
  readonly urls: readonly string[];
  /** How the servers call this connection in their own reports. */
  readonly name: string;
  readonly log?: Logger;
};

// A server that is stopped but not closed is noticed when two pings stand unanswered: after 4 s.
const PING_INTERVAL_MS = 1_300;
const PINGS_UNANSWERED_MAX = 2;
const DIAL_TIMEOUT_MS = 2_000;
const DIAL_AGAIN_AFTER_MS = 50;
// Not all services shall come back in the same moment.
const DIAL_JITTER_MS = 150;
const CLOSE_TIMEOUT_MS = 1_000;

/** Waits for ever for a first server. */
export async function connectNats({ urls, name, log }: NatsOptions): Promise<Nats> {
  const client = await connect({
    ...serverAddresses(urls),
    name,
    reconnect: true,
    maxReconnectAttempts: -1,
    waitOnFirstConnect: true,
    // A password that is being changed on the servers is no reason to give up either.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: DIAL_AGAIN_AFTER_MS,
    reconnectJitter: DIAL_JITTER_MS,
    reconnectJitterTLS: DIAL_JITTER_MS,
    timeout: DIAL_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: PINGS_UNANSWERED_MAX,
    // A stack for each request costs more than the request.
    noAsyncTraces: true,
  });
  return new WatchedConnection(client, log);
}

// connected ──loss──▶ lost ──return──▶ connected; any ──close──▶ closed
class WatchedConnection implements Nats {
  readonly client: NatsConnection;
  #isConnected = true;
  readonly #log: Logger | undefined;
  readonly #watchers = new Set<(isConnected: boolean) => void>();

  constructor(client: NatsConnection, log: Logger | undefined) {
    this.client = client;
    this.#log = log;
    void this.#followStatus();
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  watch(changed: (isConnected: boolean) => void): Watch {
    // Two watchers may share a function, and are still two.
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
        this.#log?.warn({ server: status.server }, 'NATS: connection lost');
        this.#change(false);
        break;
      case 'reconnect':
        this.#log?.info({ server: status.server }, 'NATS: connected again');
        this.#change(true);
        break;
      case 'staleConnection':
        this.#log?.warn('NATS: the server does not answer');
        this.#change(false);
        hangUp(this.client);
        break;
      case 'ldm':
        this.#log?.info({ server: status.server }, 'NATS: the server is about to stop');
        break;
      case 'error':
        this.#log?.error({ err: status.error }, 'NATS: the server complains');
        break;
    }
  }

  #change(isConnected: boolean): void {
    if (this.#isConnected === isConnected) return;
    this.#isConnected = isConnected;
    for (const watcher of [...this.#watchers]) watcher(isConnected);
  }
}

// NOTE: left alone, the client first waits until the silent server has taken everything that was
// sent, which may be never, while others of the cluster are well. There is no public call for this.
function hangUp(client: NatsConnection): void {
  const { protocol } = client as unknown as {
    protocol: { transport: { close(fault: Error): Promise<void> } };
  };
  void protocol.transport.close(new Error('the server does not answer'));
}
