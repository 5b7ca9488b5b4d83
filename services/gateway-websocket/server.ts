// Accepts websocket handshakes on the stream's path, rejects them over HTTP, and passes accepted
// connections to the sockets.

import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../../features/auth/index.ts';
import {
  addressGroup,
  type BrowserCookies,
  type TrustedProxies,
} from '../../infra/access/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import {
  closeReasons,
  type ErrorKey,
  errorAnswer,
  STREAM_MESSAGE_BYTES_MAX,
  STREAM_PATH,
} from '../../protocol/index.ts';
import type { AddressLimits, AddressRefusal } from './address-limits.ts';
import type { HandshakeLimits } from './handshake-limits.ts';
import { credentialsOfRequest } from './identify-socket.ts';
import { NetWire } from './net-wire.ts';
import type { Sockets } from './sockets.ts';
import type { SocketDependencies, StreamSocketOptions } from './stream-socket.ts';
import type { StreamWatcher } from './telemetry.ts';

export interface StreamServerOptions {
  readonly clock: Clock;
  readonly sockets: Sockets;
  readonly limits: AddressLimits;
  readonly handshakes: HandshakeLimits;
  readonly trustedProxies: TrustedProxies;
  readonly cookies: BrowserCookies;
  readonly watcher: StreamWatcher;
  readonly identify: SocketDependencies['identify'];
  /** Returns whether a switch stops this caller's sockets; undefined means a public socket. */
  isStopped(caller: Caller | undefined): boolean;
}

const HEADER_BYTES_MAX = 16_384;
// A peer that does not return a close frame within this time is disconnected.
const CLOSE_TIMEOUT_MS = 2_000;
const FRAGMENTS_MAX = 64;

const ADDRESS_REFUSALS: Readonly<Record<AddressRefusal, UpgradeRefusal>> = {
  too_many_sockets: { status: 503, text: 'Too many connections', retryAfterS: 5 },
  too_many_of_address: { status: 429, text: 'Too many connections from this address' },
  too_fast: { status: 429, text: 'Too many connections in a short time', retryAfterS: 1 },
};

const INTAKE_STOPPED: UpgradeRefusal = {
  status: 503,
  text: closeReasons.intakeStopped.reason,
  retryAfterS: 10,
};

/** new ──listen──▶ listening ──stop──▶ stopping: rejects handshakes ──▶ closed */
export class StreamServer {
  readonly #options: StreamServerOptions;
  readonly #http: Server;
  readonly #websockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: true,
    maxPayload: STREAM_MESSAGE_BYTES_MAX,
    maxFragments: FRAGMENTS_MAX,
    // Each socket gets one message per event loop turn, so no socket delays the others.
    allowSynchronousEvents: false,
    // Pongs are sent only within the rate limit: for a client that does not read, they would fill
    // the memory.
    autoPong: false,
    // Not in the types yet.
    ...({ closeTimeout: CLOSE_TIMEOUT_MS } as object),
  });
  #isStopping = false;

  constructor(options: StreamServerOptions) {
    this.#options = options;
    this.#http = createServer(
      // The handshake limits end late connections; Node would check only every 30 s.
      { maxHeaderSize: HEADER_BYTES_MAX, requestTimeout: 0, headersTimeout: 0 },
      answerPlainHttp,
    );
    this.#http.on('connection', (socket) => {
      const { remoteAddress = '' } = socket;
      const { handshakes, trustedProxies } = this.#options;
      // A trusted proxy limits its own clients.
      const group = trustedProxies.has(remoteAddress) ? undefined : addressGroup(remoteAddress);
      if (!handshakes.connected(socket, group)) options.watcher.refused('too_many_handshakes');
    });
    this.#http.on('clientError', endUnreadable);
    this.#http.on('upgrade', (request, socket, head) => {
      // A peer can disconnect before `ws` takes over the socket; that is not a bug.
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head);
    });
  }

  listen({ host, port }: { readonly host: string; readonly port: number }): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#http.once('error', reject);
      this.#http.listen({ host, port, backlog: 4_096 }, () => {
        this.#http.off('error', reject);
        resolve((this.#http.address() as AddressInfo).port);
      });
    });
  }

  /**
   * Closes all sockets, waits up to `patienceMs` for their close frames, and disconnects the rest.
   */
  async stop(patienceMs: number): Promise<void> {
    this.#isStopping = true;
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#options.sockets.closeAll();
    const cutOff = this.#options.clock.after(patienceMs, () => {
      for (const websocket of this.#websockets.clients) websocket.terminate();
      this.#http.closeAllConnections();
    });
    this.#http.closeIdleConnections();
    await closed;
    cutOff.cancel();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { limits, trustedProxies, watcher } = this.#options;
    const target = request.url ?? '';
    const refuse = (refusal: UpgradeRefusal, why: string) => {
      watcher.refused(why);
      refuseUpgrade(socket, refusal);
    };
    if (this.#isStopping) {
      refuse({ status: 503, text: 'Server is shutting down', retryAfterS: 1 }, 'stopping');
      return;
    }
    if (target.split('?', 1)[0] !== STREAM_PATH) {
      refuse({ status: 404, text: 'Not found' }, 'path');
      return;
    }
    const address = trustedProxies.addressOf(request);
    const group = addressGroup(address);
    const refused = limits.enter(group);
    if (refused !== undefined) {
      refuse(ADDRESS_REFUSALS[refused], refused);
      return;
    }
    socket.once('close', () => limits.leave(group));
    const identity = await this.#identify(request, address);
    if ('refused' in identity) {
      refuse(handshakeRefusal(identity.refused), identity.refused);
      return;
    }
    const { caller, untilMs } = identity;
    if (this.#options.isStopped(caller)) {
      refuse(INTAKE_STOPPED, 'intake_stopped');
      return;
    }
    this.#websockets.handleUpgrade(request, socket, head, (websocket) => {
      this.#options.handshakes.completed(socket as Socket);
      this.#take(websocket, socket as Socket, { address, caller, untilMs });
    });
  }

  async #identify(
    request: IncomingMessage,
    address: string,
  ): Promise<Pick<StreamSocketOptions, 'caller' | 'untilMs'> | { readonly refused: ErrorKey }> {
    const { cookies } = this.#options;
    const credentials = credentialsOfRequest(request.url ?? '', request.headers, cookies);
    if (credentials === undefined) return { caller: undefined };
    try {
      return await this.#options.identify(credentials, address);
    } catch {
      // The database is unavailable, so uncached callers cannot be identified.
      return { refused: 'data_unavailable' };
    }
  }

  #take(
    websocket: WebSocket,
    connection: Socket,
    who: Pick<StreamSocketOptions, 'address' | 'caller' | 'untilMs'>,
  ): void {
    const { sockets, watcher } = this.#options;
    const socket = sockets.open({ ...who, wire: new NetWire(websocket, connection) });
    websocket.on('message', (data: RawData) => {
      try {
        // Never fragments, because the binary type is one buffer.
        socket.receive(data as Buffer);
      } catch (fault) {
        watcher.faulted('message', fault);
        socket.close('fault');
      }
    });
    websocket.on('ping', (data: Buffer) => {
      if (socket.receiveControl(data.length)) websocket.pong(data);
    });
    websocket.on('pong', (data: Buffer) => void socket.receiveControl(data.length));
    // `ws` closes the socket with the right code. Protocol errors are the client's fault.
    websocket.on('error', () => {});
    websocket.on('close', () => sockets.closed(socket));
    connection.on('drain', () => socket.onDrain());
  }
}

/** A client that disconnects during its handshake gets no response. */
function endUnreadable({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  if (code === 'HPE_INVALID_EOF_STATE') socket.destroy();
  else refuseUpgrade(socket, { status: 400, text: 'Malformed handshake' });
}

/** Two kinds of credentials in one request are reported as a bad request. */
function handshakeRefusal(refused: ErrorKey): UpgradeRefusal {
  const { body, status } = errorAnswer(refused);
  const text = body.message;
  if (refused === 'several_credentials') return { status: 400, text };
  return { status, text, ...(status === 503 ? { retryAfterS: 1 } : {}) };
}

function answerPlainHttp(request: IncomingMessage, response: ServerResponse): void {
  const isStream = request.url?.split('?', 1)[0] === STREAM_PATH;
  const text = isStream ? 'This path takes websockets' : 'Not found';
  response.writeHead(isStream ? 426 : 404, {
    ...(isStream ? { upgrade: 'websocket' } : {}),
    // The connection must not count against the limits after the response.
    connection: 'close',
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

interface UpgradeRefusal {
  readonly status: number;
  readonly text: string;
  readonly retryAfterS?: number;
}

/** Rejects a handshake with an HTTP response that states the reason. */
function refuseUpgrade(socket: Duplex, { retryAfterS, status, text }: UpgradeRefusal): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'cache-control: no-store',
    ...(retryAfterS === undefined ? [] : [`retry-after: ${retryAfterS}`]),
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
}
