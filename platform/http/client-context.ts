// The client of a call, as handlers of sign-up and login see it: where a request comes from, and
// which cookies of the exchange it brings. Everything is read when it is asked for.

import type { IncomingHttpHeaders } from 'node:http';
import { addressGroup, type BrowserApp, type BrowserCookies } from '../../infra/access/index.ts';

export interface ClientContext {
  /** As reported by trusted proxies. */
  readonly address: string;
  /** The address, or the /64 network of an IPv6 address. */
  readonly network: string;
  /** '' if the client sends none; long ones are cut. */
  readonly userAgent: string;
  readonly origin?: string | undefined;
  /** Cookie of a browser that has logged in before. */
  readonly deviceToken?: string | undefined;
  /** Cookie of the browser that requested a code. */
  readonly flowToken?: string | undefined;
  /** The app of the exchange whose page sent the request; only pages get cookies. */
  readonly app?: BrowserApp | undefined;
  readonly isBrowserApp: boolean;
}

/** The part of an HTTP request that is read here. */
interface Source {
  readonly address: string;
  readonly headers: IncomingHttpHeaders;
}

const USER_AGENT_CHARACTERS_MAX = 512;

export class RequestClient implements ClientContext {
  readonly #request: Source;
  readonly #cookies: BrowserCookies;

  constructor(request: Source, cookies: BrowserCookies) {
    this.#request = request;
    this.#cookies = cookies;
  }

  get address(): string {
    return this.#request.address;
  }

  get network(): string {
    return addressGroup(this.address);
  }

  get userAgent(): string {
    return (this.#request.headers['user-agent'] ?? '').slice(0, USER_AGENT_CHARACTERS_MAX);
  }

  get origin(): string | undefined {
    return this.#request.headers.origin;
  }

  get deviceToken(): string | undefined {
    return this.#cookies.read(this.#request.headers, 'device');
  }

  get flowToken(): string | undefined {
    return this.#cookies.read(this.#request.headers, 'flow');
  }

  get app(): BrowserApp | undefined {
    return this.#cookies.appOf(this.#request.headers);
  }

  get isBrowserApp(): boolean {
    return this.app !== undefined;
  }
}
