// Log moments on the command line: a frame, a time, or the end. A time means the state after the
// last frame that is not later.

import { decodeCommandFrame } from '../../core/messages/index.ts';
import { type Archive, ArchiveFault } from '../../infra/journal/index.ts';

export type Moment =
  | { readonly kind: 'end' }
  | { readonly kind: 'frame'; readonly sequence: number }
  | { readonly kind: 'time'; readonly timeMs: number };

export const END: Moment = { kind: 'end' };

export const MOMENT_FORMS = 'a frame, milliseconds since 1970, or a time like 2026-03-01T12:00:00Z';

// Smaller numbers are frames: no log has this many, and this many milliseconds are a day in 2001.
const FIRST_TIME_MS = 10 ** 12;
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** Returns undefined if the text is not a moment. A time of day needs a time zone. */
export function parseMoment(text: string): Moment | undefined {
  if (text === 'end') return END;
  if (/^\d{1,16}$/.test(text)) {
    const number = Number(text);
    if (!Number.isSafeInteger(number)) return undefined;
    if (number >= FIRST_TIME_MS) return { kind: 'time', timeMs: number };
    return { kind: 'frame', sequence: number };
  }
  const timeMs = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(timeMs) ? undefined : { kind: 'time', timeMs };
}

/** Returns the last frame at the moment; 0 before the first. */
export async function sequenceAt(archive: Archive, moment: Moment): Promise<number> {
  const { sequence: last } = archive.end;
  if (moment.kind === 'end') return last;
  if (moment.kind === 'time') return lastFrameUntil(archive, moment.timeMs);
  if (moment.sequence <= last) return moment.sequence;
  throw new ArchiveFault('not_there', `the archive ends with frame ${last}`, {
    sequence: moment.sequence,
  });
}

async function lastFrameUntil(archive: Archive, timeMs: number): Promise<number> {
  const segment = archive.findTime(timeMs);
  if (segment === undefined) return 0;
  if (segment.toMs <= timeMs) return segment.lastSequence;
  // A frame stamped before an earlier one has that one's time, so the first frame with a later
  // stamp ends the search.
  const { frames } = await archive.readSegment(segment);
  const later = frames.findIndex((bytes) => decodeCommandFrame(bytes).timeMs > timeMs);
  return segment.firstSequence + (later < 0 ? frames.length : later) - 1;
}

export function timeText(timeMs: number): string {
  const time = new Date(timeMs);
  return Number.isNaN(time.getTime()) ? `${timeMs} ms` : time.toISOString();
}
