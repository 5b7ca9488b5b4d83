// The projector publishes its progress after each commit, so a reader can wait until the
// tables contain a frame. A reader that waits publishes the wanted frame, so the projector commits
// without gathering more events. Sent on the bus: a message may be lost, and the next one
// supersedes it.

export interface Progress {
  /** All events up to this frame are in the tables. */
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

/** Undefined if the message is malformed. */
export function decodeProgress(message: Uint8Array): Progress | undefined {
  try {
    const { eventsSequence, frame, timeMs } = JSON.parse(Buffer.from(message).toString());
    const isWhole = [eventsSequence, frame, timeMs].every(Number.isSafeInteger);
    return isWhole ? { frame, eventsSequence, timeMs } : undefined;
  } catch {
    return undefined;
  }
}

export function wantedSubject(exchange: string): string {
  return `${exchange}.projector.wanted`;
}

export function encodeWanted(frame: number): Uint8Array {
  return Buffer.from(JSON.stringify({ frame }));
}

/** Undefined if the message is malformed. */
export function decodeWanted(message: Uint8Array): number | undefined {
  try {
    const { frame } = JSON.parse(Buffer.from(message).toString());
    return Number.isSafeInteger(frame) ? frame : undefined;
  } catch {
    return undefined;
  }
}
