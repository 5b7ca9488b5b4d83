// What happens in a publisher, as log lines and metrics. The only place that knows both.

import type { Logger, Metrics } from '../../infra/process/index.ts';
import type { PublisherWatcher } from './publisher.ts';

export function watchPublisher(log: Logger, metrics: Metrics): PublisherWatcher {
  const frame = metrics.gauge({
    name: 'rialto_publisher_frame',
    help: 'The last event frame that was applied',
  });
  const events = metrics.counter({
    name: 'rialto_publisher_events_total',
    help: 'Events that were applied',
  });
  const messages = metrics.counter({
    name: 'rialto_publisher_messages_total',
    help: 'Messages sent: said once, or kept as a last value',
    labelNames: ['way'],
  });
  const sentBytes = metrics.counter({
    name: 'rialto_publisher_sent_bytes_total',
    help: 'Bytes of the payloads sent',
    labelNames: ['way'],
  });
  const checkpoint = metrics.gauge({
    name: 'rialto_publisher_checkpoint_message',
    help: 'The last message of EVENTS in the newest checkpoint taken',
  });
  const pauses = metrics.counter({
    name: 'rialto_publisher_pauses_total',
    help: 'How often reading stopped because too much waited to be taken',
  });
  return {
    started: (from, cursor) => log.info({ from, cursor }, 'has a state to start from'),
    checkpointInvalid: (err) => log.warn({ err }, 'a checkpoint can not be used; begins anew'),
    caughtUp: (message) => log.info({ message }, 'has caught up with the log'),
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
      log.info({ message, bytes, tookMs: Math.round(tookMs) }, 'took a checkpoint');
    },
    paused(isPaused) {
      if (isPaused) pauses.inc();
      log.warn({ isPaused }, 'too much waits to be taken by NATS');
    },
  };
}
