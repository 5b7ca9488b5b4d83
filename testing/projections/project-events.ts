// Projects given EVENTS messages into a migrated schema, using the projector itself.

import type { ConnectionOptions } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { PROJECTOR_DEFAULTS, Projector } from '../../services/projector/index.ts';
import { memoryEvents } from './memory-events.ts';

export interface ProjectOptions {
  readonly connection: ConnectionOptions;
  readonly batchEventsMax?: number;
  /** Small, so reading pauses and resumes constantly. */
  readonly queueBytesMax?: number;
  readonly ordersPerPartition?: number;
  /** Called when a connection is lost, instead of failing. */
  readonly onDatabaseDown?: (fault: unknown) => void;
}

/** Returns the number of transactions. */
export async function projectEvents(
  messages: readonly Uint8Array[],
  options: ProjectOptions,
): Promise<number> {
  const { batchEventsMax = 2_000, connection, ordersPerPartition = 100_000 } = options;
  const { queueBytesMax = 1_000_000 } = options;
  const { log } = memoryEvents(messages, 7);
  let batches = 0;
  await new Promise<void>((done, fail) => {
    const projector = new Projector({
      events: log,
      clock: systemClock,
      settings: {
        ...PROJECTOR_DEFAULTS,
        gatherMs: 0,
        batchEventsMax,
        queueBytesMax,
        ordersPerPartition,
        retryMs: 20,
        retryMsMax: 200,
        watchMs: 200,
      },
      connection,
      watcher: {
        started: () => {},
        written({ cursor }) {
          batches++;
          if (cursor.eventsSequence === messages.length) void projector.stop().then(done, fail);
        },
        databaseDown: options.onDatabaseDown ?? ((fault) => fail(fault as Error)),
        databaseUp: () => {},
      },
      onFault: (reason, cause) => fail(new Error(reason, { cause })),
    });
  });
  log.close();
  return batches;
}
