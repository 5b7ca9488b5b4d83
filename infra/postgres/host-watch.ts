// Closes connections to a server that is no longer the one with this name: after a promotion, the
// name of the primary leads to another machine. Without it, connections to a lost machine wait for
// their timeouts, and connections to a former primary that still runs would write there.

import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type Clock, isLoopback, systemClock, type Timer } from '../process/index.ts';

/** An open connection of the driver. */
export interface WatchedConnection {
  /** The address of the server; undefined once it is closed. */
  readonly remoteAddress: string | undefined;
  close(): void;
}

export interface HostWatchOptions {
  readonly clock: Clock;
  /** All addresses of a name. */
  lookup(host: string): Promise<readonly string[]>;
}

const LOOK_EVERY_MS = 1_000;
/** A single response might come from a name server that is behind. */
const TIMES_MISSING = 2;

export class HostWatch {
  readonly #options: HostWatchOptions;
  readonly #host: string;
  /** How often the address of each connection was missing, in a row. */
  readonly #missing = new Map<WatchedConnection, number>();
  #timer: Timer | undefined;

  constructor(host: string, options: HostWatchOptions) {
    this.#host = host;
    this.#options = options;
  }

  add(connection: WatchedConnection): void {
    this.#missing.set(connection, 0);
    this.#timer ??= this.#options.clock.after(LOOK_EVERY_MS, () => void this.#look());
  }

  remove(connection: WatchedConnection): void {
    this.#missing.delete(connection);
    if (this.#missing.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  async #look(): Promise<void> {
    // A name that cannot be resolved says nothing about its connections.
    const addresses = await this.#options.lookup(this.#host).catch(() => []);
    if (addresses.length > 0) this.#compare(addresses);
    if (this.#missing.size === 0) this.#timer = undefined;
    else this.#timer = this.#options.clock.after(LOOK_EVERY_MS, () => void this.#look());
  }

  #compare(addresses: readonly string[]): void {
    for (const [connection, times] of [...this.#missing]) {
      const { remoteAddress } = connection;
      const isMissing = remoteAddress !== undefined && !addresses.includes(plain(remoteAddress));
      this.#missing.set(connection, isMissing ? times + 1 : 0);
      if (!isMissing || times + 1 < TIMES_MISSING) continue;
      this.#missing.delete(connection);
      connection.close();
    }
  }
}

/** An IPv4 address on a socket for both versions. */
function plain(address: string): string {
  return address.replace(/^::ffff:/, '');
}

const watches = new Map<string, HostWatch>();

/** Undefined for an address or this machine: they do not move. */
export function hostWatchOf(url: string): HostWatch | undefined {
  const host = URL.parse(url)?.hostname ?? '';
  const isFixed = host === '' || host.startsWith('%2F') || isLoopback(host) || isIP(host) !== 0;
  if (isFixed) return undefined;
  const known = watches.get(host);
  if (known !== undefined) return known;
  const watch = new HostWatch(host, { clock: systemClock, lookup: addressesOf });
  watches.set(host, watch);
  return watch;
}

async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
