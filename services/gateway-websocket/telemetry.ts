// Log lines and metrics for a websocket gateway. Only this file knows both. Metrics must never
// contain an address or a client's text.

import { type Logger, type Metrics, systemClock } from '../../infra/process/index.ts';
import type { CloseReason } from '../../protocol/index.ts';
import type { Traffic } from './socket-writer.ts';

export interface StreamWatcher {
  /** A message from a client. */
  received(): void;
  /** A socket closed by the gateway. */
  closed(why: CloseReason): void;
  /** A rejected handshake. */
  refused(why: string): void;
  /** Sockets closed within the last minute because they did not accept data. */
  readonly slowReaders: number;
  /** An internal fault; the client is only notified that one occurred. */
  faulted(where: string, fault: unknown): void;
}

/** Values that are counted elsewhere and read when metrics are collected. */
export interface SocketCounts {
  readonly count: number;
  readonly callerCount: number;
  readonly subscriptionCount: number;
}

const SLOW_READERS_MS = 60_000;

export function watchStream(log: Logger, metrics: Metrics): StreamWatcher {
  const received = metrics.counter({
    name: 'rialto_stream_received_total',
    help: 'Messages from clients',
  });
  const closed = metrics.counter({
    name: 'rialto_stream_closed_total',
    help: 'Sockets closed by the gateway, by reason; tooSlow: the client did not accept data',
    labelNames: ['reason'],
  });
  const refused = metrics.counter({
    name: 'rialto_stream_refused_total',
    help: 'Rejected handshakes, by reason',
    labelNames: ['reason'],
  });
  const faults = metrics.counter({
    name: 'rialto_stream_faults_total',
    help: 'Messages that hit a bug or an unavailable dependency',
    labelNames: ['where'],
  });
  let slowClosedMs: number[] = [];
  return {
    received: () => received.inc(),
    get slowReaders() {
      const sinceMs = systemClock.elapsedMs() - SLOW_READERS_MS;
      slowClosedMs = slowClosedMs.filter((timeMs) => timeMs >= sinceMs);
      return slowClosedMs.length;
    },
    closed(reason) {
      if (reason === 'tooSlow') slowClosedMs.push(systemClock.elapsedMs());
      closed.inc({ reason });
      log.debug({ reason }, 'socket closed');
    },
    refused(reason) {
      refused.inc({ reason });
      log.debug({ reason }, 'handshake rejected');
    },
    faulted(where, err) {
      faults.inc({ where });
      log.error({ err, where }, 'socket fault');
    },
  };
}

export function showStream(metrics: Metrics, traffic: Traffic, sockets: SocketCounts): void {
  const shown: [name: string, help: string, value: () => number][] = [
    ['sockets', 'Open sockets', () => sockets.count],
    ['sockets_known', 'Authenticated sockets', () => sockets.callerCount],
    ['subscriptions', 'Subscriptions on all sockets', () => sockets.subscriptionCount],
    ['sent_total', 'Messages to clients', () => traffic.frames],
    ['sent_bytes_total', 'Bytes to clients, with frame headers', () => traffic.bytes],
    ['conflated_total', 'Messages dropped for slow sockets', () => traffic.conflated],
    ['refreshed_total', 'Snapshots sent in place of dropped messages', () => traffic.refreshed],
  ];
  for (const [name, help, value] of shown) {
    metrics.gauge({
      name: `rialto_stream_${name}`,
      help,
      collect() {
        this.set(value());
      },
    });
  }
}
