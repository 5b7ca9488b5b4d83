// The health server: tells whoever runs the process whether it lives, whether it is ready for
// work, and its metrics. It only looks, and must never change or stop what it looks at.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

/** By name: true is fine, false or a reason is not. */
export type Readiness = Readonly<Record<string, boolean | string>>;

export interface HealthServer {
  /** Resolves with the port it listens on. */
  start(): Promise<number>;
  /** Closes every connection, also one that is being answered. */
  stop(): Promise<void>;
}

type HealthServerOptions = {
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly ready: () => Readiness;
  readonly metrics: Pick<Metrics, 'text' | 'contentType'>;
  /** Probes and collectors are few; whoever comes on top is hung up on. */
  readonly connectionsMax?: number;
  /** How long a request may take to arrive, and a connection may stand idle. */
  readonly patienceMs?: number;
};

// A probe sends a few hundred bytes.
const HEADER_BYTES_MAX = 8_192;

export function createHealthServer(options: HealthServerOptions): HealthServer {
  const { host = '127.0.0.1', port, connectionsMax = 32, patienceMs = 5_000 } = options;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      requestTimeout: patienceMs,
      keepAliveTimeout: patienceMs,
      connectionsCheckingInterval: Math.ceil(patienceMs / 2),
    },
    (request, response) => void respond(request, response, options),
  );
  server.maxConnections = connectionsMax;
  // Also for a client that does not take its answer.
  server.timeout = patienceMs;
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
      // It says so when it was not listening; either way it no longer does.
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
    return { status: 200, body: JSON.stringify({ status: 'ok' }) };
  } catch (error) {
    // A check or a gauge that throws is a bug, but one that only the watching has.
    return { status: 500, body: JSON.stringify({ status: 'failed', reason: String(error) }) };
  }
}

function readiness(checks: Readiness): Answer {
  const isReady = Object.values(checks).every((check) => check === true);
  const body = JSON.stringify({ status: isReady ? 'ready' : 'not ready', checks });
  return { status: isReady ? 200 : 503, body };
}
