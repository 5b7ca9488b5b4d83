// What the projector tells after each commit, so that whoever has told a user about a frame can
// wait until the tables have it. Sent on the bus: it may be lost, and the next one says more.

export interface Progress {
  /** All events of this frame are in the tables. */
  readonly frame: number;
  /** The last message of EVENTS in the tables. */
  readonly eventsSequence: number;
  /** The time of that frame. */
  readonly timeMs: number;
}

export function progressSubject(exchange: string): string {
  return `${exchange}.projector.progress`;
}

export function encodeProgress({ eventsSequence, frame, timeMs }: Progress): Uint8Array {
  return Buffer.from(JSON.stringify({ frame, eventsSequence, timeMs }));
}

/** Undefined when the message is something else. */
export function decodeProgress(message: Uint8Array): Progress | undefined {
  try {
    const { eventsSequence, frame, timeMs } = JSON.parse(Buffer.from(message).toString());
    const isWhole = [eventsSequence, frame, timeMs].every(Number.isSafeInteger);
    return isWhole ? { frame, eventsSequence, timeMs } : undefined;
  } catch {
    return undefined;
  }
}
