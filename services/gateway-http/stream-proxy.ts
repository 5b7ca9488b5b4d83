// Forwards websocket handshakes on `/stream` to the stream gateway, so clients reach it on the REST
// port with only the base URL. After the handshake it copies bytes both ways and must never read
// them. The stream gateway authenticates, and sees the client's address if it trusts this gateway.

import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { BrowserCookies } from '../../infra/access/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { JSON_TYPE } from '../../platform/http/index.ts';
import { type ErrorKey, errorAnswer, RETRY_AFTER_S, STREAM_PATH } from '../../protocol/index.ts';
import type { GatewayWatcher } from './telemetry.ts';

export interface StreamProxyOptions {
  /** `ws://host:port` of the stream gateway. */
  readonly url: URL;
  readonly clock: Clock;
  /** A session cookie is forwarded only from one of the exchange's own pages. */
  readonly cookies: BrowserCookies;
  readonly watcher: Pick<GatewayWatcher, 'streamClosed' | 'streamOpened' | 'streamRefused'>;
  /** Limit on open sockets; handshakes beyond it are refused. */
  readonly socketsMax: number;
  /** Time limit for the stream gateway to accept the connection and begin its response. */
  readonly answerTimeoutMs: number;
}

export const STREAM_PROXY_DEFAULTS = { answerTimeoutMs: 5_000 };

// Clients append the stream's path to the base URL that they use for REST.
const PATHS = ['', '/v2', '/api', '/api/v2'].map((prefix) => `${prefix}${STREAM_PATH}`);
const DEFAULT_PORT = 80;
const SWITCHING = Buffer.from('HTTP/1.1 101 ');

export function isStreamHandshake({ headers, method, url = '' }: IncomingMessage): boolean {
  const isWebsocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebsocket && method === 'GET' && PATHS.includes(url.split('?', 1)[0]);
}

export class StreamProxy {
  readonly #options: StreamProxyOptions;
  readonly #open = new Set<Socket>();

  constructor(options: StreamProxyOptions) {
    this.#options = options;
  }

  /** The server must pass only handshakes for which `isStreamHandshake` is true. */
  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      this.#onUpgrade(request, socket as Socket, head);
    });
  }

  get socketCount(): number {
    return this.#open.size;
  }

  /** Disconnects every client. Clients reconnect elsewhere. */
  stop(): void {
    for (const client of this.#open) client.destroy();
  }

  #onUpgrade(request: IncomingMessage, client: Socket, head: Buffer): void {
    // Clients can disconnect at any time; the close handlers do the rest.
    client.on('error', () => client.destroy());
    // The stream gateway decides how long an idle socket stays open.
    client.setTimeout(0);
    if (this.#options.cookies.sessionOfHandshake(request.headers)?.isFromOwnPage === false) {
      this.#refuse(client, 'foreign_origin', 'cookie_from_other_page');
      return;
    }
    if (this.#open.size >= this.#options.socketsMax) {
      this.#refuse(client, 'too_many_sockets', 'exchange_busy');
      return;
    }
    this.#open.add(client);
    client.once('close', () => this.#open.delete(client));
    this.#connect(request, client, head);
  }

  #connect(request: IncomingMessage, client: Socket, head: Buffer): void {
    const { answerTimeoutMs, clock, url, watcher } = this.#options;
    const upstream = connect({
      host: url.hostname,
      port: url.port === '' ? DEFAULT_PORT : Number(url.port),
    });
    let hasAnswered = false;
    const giveUp = () => {
      timer.cancel();
      upstream.destroy();
      if (hasAnswered) client.destroySoon();
      else this.#refuse(client, 'stream_gateway_unavailable', 'data_unavailable');
    };
    const timer = clock.after(answerTimeoutMs, giveUp);
    client.once('close', () => {
      timer.cancel();
      upstream.destroy();
    });
    upstream.once('error', giveUp);
    upstream.once('close', giveUp);
    upstream.once('connect', () => {
      upstream.setNoDelay(true);
      upstream.write(handshakeOf(request));
    });
    upstream.once('data', (first: Buffer) => {
      hasAnswered = true;
      timer.cancel();
      client.setNoDelay(true);
      watcher.streamOpened();
      client.once('close', () => watcher.streamClosed());
      client.write(first);
      upstream.pipe(client);
      if (SWITCHING.equals(first.subarray(0, SWITCHING.length))) {
        upstream.write(head);
        client.pipe(upstream);
      } else {
        // A refused client must not send a second request, because it could name any address in it.
        client.once('end', () => client.destroy());
        client.resume();
      }
    });
  }

  #refuse(client: Socket, reason: string, key: ErrorKey): void {
    if (client.destroyed) return;
    this.#options.watcher.streamRefused(reason);
    const { body, status } = errorAnswer(key, 'en', {});
    const text = JSON.stringify(body);
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      `content-type: ${JSON_TYPE}`,
      `content-length: ${Buffer.byteLength(text)}`,
      ...(status === 503 ? [`retry-after: ${RETRY_AFTER_S}`] : []),
      'cache-control: no-store',
    ];
    client.write(`${lines.join('\r\n')}\r\n\r\n${text}`);
    client.destroySoon();
  }
}

/**
 * Returns the client's handshake, on the path that its signature covers, with its address appended.
 */
function handshakeOf({ headers, rawHeaders, socket, url = '' }: IncomingMessage): string {
  const query = url.slice(url.split('?', 1)[0].length);
  const lines = [`GET ${STREAM_PATH}${query} HTTP/1.1`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at].toLowerCase() === 'x-forwarded-for') continue;
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  }
  const before = headers['x-forwarded-for'];
  const way = [...(before === undefined ? [] : [before].flat()), socket.remoteAddress ?? ''];
  lines.push(`x-forwarded-for: ${way.join(', ')}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
