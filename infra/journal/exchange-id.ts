// The identity of an exchange: the hash of the first frame of its log. Frames after it chain to
// that hash, so no two exchanges share it. A trimmed log no longer has its first frame, so a stream
// without messages names the exchange. It is created last: a log without it is not complete.

import { hashFrame } from './sealed-frame.ts';

/** SHA-256 of the bytes of frame 1, in hexadecimal. A restored log has the same frame 1. */
export function exchangeIdOf(firstFrame: Uint8Array): string {
  return Buffer.from(hashFrame(firstFrame)).toString('hex');
}

/** The log that the servers hold. */
export interface FoundLog {
  readonly exchangeId: string;
  /** When the log was created or restored, by the clock of the servers. */
  readonly completeSinceMs: number;
  /** The last frame in COMMANDS. */
  readonly lastFrame: number;
}

/** The log of an exchange as a process or a store remembers it. */
export interface KnownLog {
  /** For example 'the archive'. */
  readonly by: string;
  /** Undefined if it recorded no exchange. */
  readonly exchangeId: string | undefined;
  /** The last frame that it has seen. */
  readonly frame: number;
  /** Completion time of the log that it followed. A log restored later might end earlier. */
  readonly completeSinceMs?: number;
}

export const LOG_LOST = 'See docs/operating/log-lost.md.';

/**
 * The log is missing, ends too early, or belongs to another exchange. No retry helps: an operator
 * restores the log or corrects the servers that the settings name.
 */
export class LogRefused extends Error {
  override readonly name = 'LogRefused';
  /** Supervisors do not restart a process that its configuration stops. */
  readonly isConfiguration = true;
  readonly why: 'missing' | 'empty' | 'older' | 'foreign';

  constructor(why: LogRefused['why'], sentence: string) {
    super(`${sentence} ${LOG_LOST}`);
    this.why = why;
  }
}

/** Throws LogRefused unless the log is the one that is known, and as long at least. */
export function refuseOther(found: FoundLog, known: KnownLog): void {
  const { by, exchangeId, frame } = known;
  if (exchangeId !== undefined && exchangeId !== found.exchangeId) {
    throw new LogRefused(
      'foreign',
      `The log belongs to exchange ${short(found.exchangeId)}, but ${by} to ${short(exchangeId)}.`,
    );
  }
  const { completeSinceMs = found.completeSinceMs } = known;
  if (found.completeSinceMs > completeSinceMs) return;
  if (found.completeSinceMs < completeSinceMs || found.lastFrame < frame) {
    throw new LogRefused(
      'older',
      `The log ends at frame ${found.lastFrame}, but ${by} has frame ${frame}: ` +
        'the log was lost or is an earlier copy.',
    );
  }
}

/** Enough to distinguish exchanges. */
function short(exchangeId: string): string {
  return exchangeId.slice(0, 12);
}
