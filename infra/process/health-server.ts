// The health server: serves liveness, readiness and metrics of the process to its supervisor and
// to Prometheus. It is read-only and must never change or stop the service.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BuildInfo } from './build-info.ts';
import type { Metrics } from './metrics.ts';

/** The result of each named check: true passes; false or a reason fails. */
export type Readiness = Readonly<Record<string, boolean | string>>;

export interface HealthServer {
  /** Resolves with the port that it listens on. */
  start(): Promise<number>;
  /** Closes every connection, including those with a response in progress. */
  stop(): Promise<void>;
}

type HealthServerOptions = {
  readonly host?: string;
  /** 0 lets the operating system choose a free port. */
  readonly port: number;
  readonly ready: () => Readiness;
  /** Shown by `/health`. */
  readonly build?: BuildInfo;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Probes and collectors are few; the server drops connections beyond this number. */
  readonly connectionsMax?: number;
  /** How long a request can take to arrive, and how long a connection can be idle. */
  readonly timeoutMs?: number;
};

// A probe sends a few hundred bytes.
const HEADER_BYTES_MAX = 8_192;

export function createHealthServer(options: HealthServerOptions): HealthServer {
  const { host = '127.0.0.1', port, connectionsMax = 32, timeoutMs = 5_000 } = options;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      requestTimeout: timeoutMs,
      keepAliveTimeout: timeoutMs,
      connectionsCheckingInterval: Math.ceil(timeoutMs / 2),
    },
    (request, response) => void respond(request, response, options),
  );
  server.maxConnections = connectionsMax;
  // Also limits a client that does not read its response.
  server.timeout = timeoutMs;
  return { start, stop };

  function start(): Promise<number> {
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  function stop(): Promise<void> {
    return new Promise((resolve) => {
      // The callback receives an error if the server was not listening, which is fine here.
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }
}

type Answer = { status: number; body: string; type?: string };

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  options: HealthServerOptions,
): Promise<void> {
  const { status, body, type = 'application/json' } = await answer(request, options);
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...(status === 405 ? { allow: 'GET' } : {}),
  });
  response.end(body);
}

async function answer(request: IncomingMessage, options: HealthServerOptions): Promise<Answer> {
  const path = request.url?.split('?', 1)[0] ?? '';
  if (!['/health', '/ready', '/metrics'].includes(path)) return { status: 404, body: '{}' };
  if (request.method !== 'GET') return { status: 405, body: '{}' };
  try {
    if (path === '/ready') return readiness(options.ready());
    if (path === '/metrics') {
      return { status: 200, body: await options.metrics.text(), type: options.metrics.contentType };
    }
    return { status: 200, body: JSON.stringify({ status: 'ok', ...options.build }) };
  } catch (error) {
    // A check or a gauge that throws is a bug, but it must not stop the service.
    return { status: 500, body: JSON.stringify({ status: 'failed', reason: String(error) }) };
  }
}

function readiness(checks: Readiness): Answer {
  const isReady = Object.values(checks).every((check) => check === true);
  const body = JSON.stringify({ status: isReady ? 'ready' : 'not ready', checks });
  return { status: isReady ? 200 : 503, body };
}
