// Cookies of the exchange's own web pages, and the proof that a request comes from such a page. A
// browser attaches cookies to requests of any page, so a cookie alone never authenticates.

import type { IncomingHttpHeaders } from 'node:http';

/** The exchange's web apps: the terminal of traders and the console of operators. */
export type BrowserApp = 'terminal' | 'console';

/**
 * terminal, console: the token of a login there. device: recognizes a browser that has logged in
 * before. flow: binds codes that are sent by mail to the browser that requested them.
 */
export type CookieName = BrowserApp | 'device' | 'flow';

export interface SetCookie {
  readonly name: CookieName;
  /** Letters, digits, `-`, `_` and `.`. */
  readonly value: string;
  /** 0 deletes the cookie. */
  readonly maxAgeS: number;
}

/** The token of a session cookie, and whether the request comes from a page of the exchange. */
export interface SessionCookie {
  readonly token: string;
  readonly app: BrowserApp;
  readonly isFromOwnPage: boolean;
}

/** Pages send it with every request; pages of other origins cannot. */
const CLIENT_HEADER = 'x-rialto-client';
const APP_OF_CLIENT: ReadonlyMap<unknown, BrowserApp> = new Map([
  ['1', 'terminal'],
  ['console', 'console'],
]);
/** Browsers send cookies to every port of a host, so each app needs its own name. */
const NAMES: Readonly<Record<CookieName, string>> = {
  terminal: 'rialto',
  console: 'rialto-console',
  device: 'rialto-device',
  flow: 'rialto-flow',
};
/** Developers use both names for their machine. */
const LOOPBACK = ['localhost', '127.0.0.1'];
const VALUE = /^[\w.-]*$/;

export class BrowserCookies {
  readonly #origins: readonly string[];
  readonly #isSecure: boolean;

  /** The URL at which browsers reach the exchange. */
  constructor(publicUrl: string) {
    const { hostname, origin, protocol } = new URL(publicUrl);
    this.#origins = LOOPBACK.includes(hostname)
      ? LOOPBACK.map((name) => origin.replace(hostname, name))
      : [origin];
    // Browsers keep `__Host-` cookies from plain HTTP, which only development uses.
    this.#isSecure = protocol === 'https:';
  }

  /** Undefined if the request has no such cookie. */
  read({ cookie }: IncomingHttpHeaders, name: CookieName): string | undefined {
    if (cookie === undefined) return undefined;
    const start = `${this.#nameOf(name)}=`;
    const found = cookie.split(';').find((part) => part.trimStart().startsWith(start));
    return found?.trim().slice(start.length) || undefined;
  }

  /** The session cookie of an HTTP request: that of the app that sent it. */
  sessionOf(headers: IncomingHttpHeaders): SessionCookie | undefined {
    if (headers.cookie === undefined) return undefined;
    const app = APP_OF_CLIENT.get(headers[CLIENT_HEADER]) ?? 'terminal';
    const token = this.read(headers, app);
    if (token === undefined) return undefined;
    return { token, app, isFromOwnPage: this.appOf(headers) === app };
  }

  /** The terminal's session cookie of a websocket handshake, to which pages cannot add headers. */
  sessionOfHandshake(headers: IncomingHttpHeaders): SessionCookie | undefined {
    const token = this.read(headers, 'terminal');
    if (token === undefined) return undefined;
    return { token, app: 'terminal', isFromOwnPage: this.#isOwn(headers.origin) };
  }

  /**
   * The app whose page sent a request; undefined for any other client. Browsers without
   * `Sec-Fetch-Site` prove their origin with `Origin`.
   */
  appOf(headers: IncomingHttpHeaders): BrowserApp | undefined {
    const app = APP_OF_CLIENT.get(headers[CLIENT_HEADER]);
    if (app === undefined) return undefined;
    const site = headers['sec-fetch-site'];
    const isOwn = site === undefined ? this.#isOwn(headers.origin) : site === 'same-origin';
    return isOwn ? app : undefined;
  }

  /** The value of a `Set-Cookie` header. */
  write({ maxAgeS, name, value }: SetCookie): string {
    if (!VALUE.test(value)) throw new RangeError(`invalid value of the cookie '${name}'`);
    const secure = this.#isSecure ? '; Secure' : '';
    const start = `${this.#nameOf(name)}=${value}; Path=/; Max-Age=${maxAgeS}`;
    return `${start}; HttpOnly; SameSite=Strict${secure}`;
  }

  #isOwn(origin: string | undefined): boolean {
    return origin !== undefined && this.#origins.includes(origin);
  }

  #nameOf(name: CookieName): string {
    return this.#isSecure ? `__Host-${NAMES[name]}` : NAMES[name];
  }
}
