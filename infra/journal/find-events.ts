// Finds the message of EVENTS with the events of a frame. Messages hold as many frames as were
// waiting, so the number of a message says nothing about its frames; but both only grow.

import { decodeEventBatch, type EventBatch, EventBatchFault } from './event-batch.ts';
import type { Extent, LogStream } from './log-port.ts';

export interface FoundEvents {
  readonly message: number;
  readonly batch: EventBatch;
  /** The log no longer holds the frame; this is its first message. */
  readonly isTrimmed: boolean;
}

/** Undefined while the log does not respond. */
export async function readEvents(
  log: LogStream,
  message: number,
): Promise<EventBatch | 'damaged' | undefined> {
  const bytes = await new Promise<Uint8Array | undefined>((done) => log.read(message, done));
  return bytes && (openEventBatch(bytes) ?? 'damaged');
}

/** Undefined when the message is damaged. */
export function openEventBatch(message: Uint8Array): EventBatch | undefined {
  try {
    return decodeEventBatch(message);
  } catch (fault) {
    if (fault instanceof EventBatchFault) return undefined;
    throw fault;
  }
}

/**
 * The message in which the events of a frame begin, or will: the last one that begins at or before
 * it. Undefined while the log does not respond; 'none' if it never had a message.
 */
export async function findEvents(
  log: LogStream,
  frame: number,
): Promise<FoundEvents | 'none' | 'damaged' | undefined> {
  const extent = await new Promise<Extent | undefined>((done) => log.extent(done));
  if (extent === undefined) return undefined;
  if (extent.last === 0) return 'none';
  let { first: low, last: high } = extent;
  let found: { readonly message: number; readonly batch: EventBatch } | undefined;
  // Invariant: messages before `low` begin at or before the frame; those after `high` do not.
  while (low <= high) {
    const message = Math.floor((low + high) / 2);
    const batch = await readEvents(log, message);
    if (batch === undefined || batch === 'damaged') return batch;
    const begin = batch.parts[0];
    const isLater = begin.sequence > frame || (begin.sequence === frame && begin.part > 0);
    if (isLater) high = message - 1;
    else {
      low = message + 1;
      found = { message, batch };
    }
  }
  if (found !== undefined) return { ...found, isTrimmed: false };
  const batch = await readEvents(log, extent.first);
  if (batch === undefined || batch === 'damaged') return batch;
  return { message: extent.first, batch, isTrimmed: true };
}
