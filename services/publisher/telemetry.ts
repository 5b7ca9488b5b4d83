// Log lines and metrics for a publisher. Only this file knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { PublisherWatcher } from './publisher.ts';

export function watchPublisher(log: Logger, metrics: Metrics): PublisherWatcher {
  const frame = metrics.gauge({
    name: 'rialto_publisher_frame',
    help: 'Last applied event frame',
  });
  const events = metrics.counter({
    name: 'rialto_publisher_events_total',
    help: 'Applied events',
  });
  const messages = metrics.counter({
    name: 'rialto_publisher_messages_total',
    help: 'Messages sent: published once (said), or stored as a last value (kept)',
    labelNames: ['way'],
  });
  const sentBytes = metrics.counter({
    name: 'rialto_publisher_sent_bytes_total',
    help: 'Bytes of sent payloads',
    labelNames: ['way'],
  });
  const checkpoint = metrics.gauge({
    name: 'rialto_publisher_checkpoint_message',
    help: 'Last EVENTS message in the newest checkpoint',
  });
  const pauses = metrics.counter({
    name: 'rialto_publisher_pauses_total',
    help: 'Read pauses caused by too many unacknowledged bytes',
  });
  return {
    started: (from, cursor) => log.info({ from, cursor }, 'publisher started'),
    checkpointInvalid: (err) => log.warn({ err }, 'checkpoint invalid, rebuilding from EVENTS'),
    caughtUp: (message) => log.info({ message }, 'publisher caught up'),
    applied(applied, count) {
      frame.set(applied);
      events.inc(count);
    },
    published(count, bytes) {
      messages.inc({ way: 'said' }, count);
      sentBytes.inc({ way: 'said' }, bytes);
    },
    stored(bytes) {
      messages.inc({ way: 'kept' });
      sentBytes.inc({ way: 'kept' }, bytes);
    },
    checkpointTaken(message, bytes, tookMs) {
      checkpoint.set(message);
      log.info({ message, bytes, tookMs: Math.round(tookMs) }, 'checkpoint taken');
    },
    paused(isPaused) {
      if (isPaused) pauses.inc();
      log.warn({ isPaused }, isPaused ? 'reading paused' : 'reading resumed');
    },
  };
}
