// What happens in a websocket gateway, as log lines and metrics. The only place that knows both.
// Names no address and no text of a client in a metric.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { CloseReason } from '../../protocol/index.ts';
import type { Traffic } from './socket-writer.ts';

export interface StreamWatcher {
  /** A message of a client. */
  received(): void;
  /** A socket that we closed. */
  closed(why: CloseReason): void;
  /** A handshake that was refused. */
  refused(why: string): void;
  /** Something that should not happen; the client was told only that. */
  faulted(where: string, fault: unknown): void;
}

/** What is counted elsewhere, and looked at when somebody asks for the metrics. */
export interface StreamGauges {
  readonly traffic: Traffic;
  sockets(): number;
  callers(): number;
  subscriptions(): number;
}

export function watchStream(log: Logger, metrics: Metrics): StreamWatcher {
  const received = metrics.counter({
    name: 'rialto_stream_received_total',
    help: 'Messages of clients',
  });
  const closed = metrics.counter({
    name: 'rialto_stream_closed_total',
    help: 'Sockets that we closed, by reason; tooSlow are those that did not take what was sent',
    labelNames: ['reason'],
  });
  const refused = metrics.counter({
    name: 'rialto_stream_refused_total',
    help: 'Handshakes that were refused, by reason',
    labelNames: ['reason'],
  });
  const faults = metrics.counter({
    name: 'rialto_stream_faults_total',
    help: 'Messages that met a bug or a part that is away',
    labelNames: ['where'],
  });
  return {
    received: () => received.inc(),
    closed(reason) {
      closed.inc({ reason });
      log.debug({ reason }, 'a socket is closed');
    },
    refused(reason) {
      refused.inc({ reason });
      log.debug({ reason }, 'a handshake is refused');
    },
    faulted(where, err) {
      faults.inc({ where });
      log.error({ err, where }, 'a socket met a fault');
    },
  };
}

export function showStream(metrics: Metrics, gauges: StreamGauges): void {
  const { traffic } = gauges;
  const shown: [name: string, help: string, value: () => number][] = [
    ['sockets', 'Sockets that are open', gauges.sockets],
    ['sockets_known', 'Sockets that have said who they are', gauges.callers],
    [
      'subscriptions',
      'Channels that sockets follow, counted for each socket',
      gauges.subscriptions,
    ],
    ['sent_total', 'Messages to clients', () => traffic.frames],
    ['sent_bytes_total', 'Bytes to clients, with the heads of frames', () => traffic.bytes],
    ['conflated_total', 'Messages that a slow socket was not sent', () => traffic.conflated],
    ['refreshed_total', 'Snapshots in place of what was left out', () => traffic.refreshed],
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
