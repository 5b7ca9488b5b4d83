// Limits per address: open connections, and requests in flight. An IPv6 address counts as its /64
// network, and in its /48. Connections from trusted proxies carry many clients and are not limited;
// their requests are, by the address that the proxy reports.

import type { Server } from 'node:http';
import { AddressCounts, addressGroup, type TrustedProxies } from '../../infra/access/index.ts';

export interface AddressLimitsOptions {
  readonly connectionsPerAddressMax: number;
  readonly requestsPerAddressMax: number;
  readonly proxies: TrustedProxies;
  /** Called when a connection was closed because its address has too many. */
  onRefused(): void;
}

export class AddressLimits {
  readonly #options: AddressLimitsOptions;
  readonly #connections = new AddressCounts();
  readonly #requests = new AddressCounts();

  constructor(options: AddressLimitsOptions) {
    this.#options = options;
  }

  /** Closes a connection beyond the limit before reading anything from it. */
  attach(server: Server): void {
    const { connectionsPerAddressMax: max, onRefused, proxies } = this.#options;
    server.prependListener('connection', (socket) => {
      const { remoteAddress = '' } = socket;
      if (proxies.has(remoteAddress)) return;
      const group = addressGroup(remoteAddress);
      if (!this.#connections.add(group, max)) {
        onRefused();
        socket.destroy();
        return;
      }
      socket.once('close', () => this.#connections.remove(group));
    });
  }

  /**
   * Returns false if the address has too many requests in flight; otherwise `endRequest` must
   * follow.
   */
  beginRequest(group: string): boolean {
    return this.#requests.add(group, this.#options.requestsPerAddressMax);
  }

  endRequest(group: string): void {
    this.#requests.remove(group);
  }
}
