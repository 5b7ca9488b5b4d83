// Log lines and metrics for an HTTP gateway. Paths must be those of routes, never the requested
// URL, because queries can contain credentials.

import type { Logger, Metrics } from '../../infra/process/index.ts';

export interface Served {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly requestId: string;
  readonly tookMs: number;
  readonly address: string;
}

export interface GatewayWatcher {
  served(served: Served): void;
  /** An unexpected fault; the client gets no details. */
  faulted(route: string, requestId: string, fault: unknown): void;
  /** A connection was closed because its address has too many. */
  connectionRefused(): void;
  /** A forwarded stream socket was opened, closed, or refused. */
  streamOpened(): void;
  streamClosed(): void;
  streamRefused(reason: string): void;
}

// In seconds. An order takes about a millisecond on a quiet machine.
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function watchGateway(log: Logger, metrics: Metrics, writesLines: boolean): GatewayWatcher {
  const requests = metrics.histogram({
    name: 'rialto_http_request_seconds',
    help: 'Request duration, by route and status',
    labelNames: ['method', 'path', 'status'],
    buckets: BUCKETS,
  });
  const faults = metrics.counter({
    name: 'rialto_http_faults_total',
    help: 'Requests that failed because of a bug or an unavailable dependency',
    labelNames: ['route'],
  });
  const refusedConnections = metrics.counter({
    name: 'rialto_http_refused_connections_total',
    help: 'Connections closed because their address has too many',
  });
  const streamSockets = metrics.gauge({
    name: 'rialto_http_stream_sockets',
    help: 'Open stream sockets forwarded to the stream gateway',
  });
  const streamRefusals = metrics.counter({
    name: 'rialto_http_stream_refusals_total',
    help: 'Refused stream handshakes, by reason',
    labelNames: ['reason'],
  });
  // Looking up a histogram by labels costs more than observing, so histograms are cached by route
  // and status.
  type Times = ReturnType<typeof requests.labels>;
  const known = new Map<string, Map<string, Map<number, Times>>>();
  const timesOf = ({ method, path, status }: Served): Times => {
    const found = known.get(path)?.get(method)?.get(status);
    if (found !== undefined) return found;
    const byMethod = known.get(path) ?? new Map<string, Map<number, Times>>();
    const byStatus = byMethod.get(method) ?? new Map<number, Times>();
    const times = requests.labels({ method, path, status });
    known.set(path, byMethod.set(method, byStatus.set(status, times)));
    return times;
  };
  return {
    served(served) {
      const { address, method, path, requestId, status, tookMs } = served;
      timesOf(served).observe(tookMs / 1_000);
      if (!writesLines) return;
      const ms = Math.round(tookMs * 100) / 100;
      log.info({ method, path, status, ms, address, requestId }, 'request');
    },
    faulted(route, requestId, err) {
      faults.inc({ route });
      log.error({ err, route, requestId }, 'request failed');
    },
    connectionRefused: () => refusedConnections.inc(),
    streamOpened: () => streamSockets.inc(),
    streamClosed: () => streamSockets.dec(),
    streamRefused(reason) {
      streamRefusals.inc({ reason });
      log.warn({ reason }, 'stream handshake refused');
    },
  };
}
