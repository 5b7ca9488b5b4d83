// Reads all messages of a journal log from JetStream.

import type { Nats } from '../../../infra/bus/index.ts';
import { type Extent, JetStreamLog, LogReader } from '../../../infra/journal/index.ts';
import { systemClock } from '../../../infra/process/index.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';

interface LogNames {
  readonly stream: string;
  readonly subject: string;
}

const EXTENT_WITHIN_MS = 60_000;

/** Calls back for each message in order; resolves with the count. */
export async function readLog(
  nats: Nats,
  names: LogNames,
  receive: (message: Uint8Array) => void,
): Promise<number> {
  const log = new JetStreamLog({ nats, ...names });
  const { first, last } = await extentOf(log);
  if (last === 0) return 0;
  if (first !== 1) throw new Error(`${names.stream} starts with message ${first}, expected 1.`);
  await new Promise<void>((resolve, reject) => {
    const reader = new LogReader<Uint8Array>({
      log,
      clock: systemClock,
      from: 1,
      retryMs: 100,
      watchMs: 500,
      open: (message) => message,
      receive(message, sequence) {
        try {
          receive(message);
        } catch (fault) {
          reader.stop();
          reject(fault);
          return;
        }
        if (sequence !== last) return;
        reader.stop();
        resolve();
      },
      onLost: (reason) => reject(new Error(`${names.stream}: ${reason}`)),
    });
  });
  log.stop();
  return last;
}

/** Returns the first and last message of a log, as soon as the log reports them. */
export async function readExtent(nats: Nats, names: LogNames): Promise<Extent> {
  const log = new JetStreamLog({ nats, ...names });
  try {
    return await extentOf(log);
  } finally {
    log.stop();
  }
}

export async function extentOf(log: JetStreamLog): Promise<Extent> {
  let found: Extent | undefined;
  const question = async () => {
    found = await new Promise((done) => log.extent(done));
    return found !== undefined;
  };
  await waitUntil({ what: 'the log reports its length', timeoutMs: EXTENT_WITHIN_MS, question });
  return found!;
}
