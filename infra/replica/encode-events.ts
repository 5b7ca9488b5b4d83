// What a frame gave, as event frames: one, or several parts when it is too large. Where to cut is
// part of the format: every replica must cut at the same places, so that one can go on for another.

import {
  appendEvent,
  closeFrame,
  type EventFrame,
  FrameWriter,
  openEventFrame,
} from '../../core/messages/index.ts';
import type { EventPart } from '../journal/index.ts';

/** After this many bytes the next event begins another part. Part of the format: never change. */
export const EVENT_PART_BYTES = 1024 * 1024;

/** Numbers per command in EncodedEvents.spans, and what they are. */
export const SPAN_FIELDS = 4;
export const SPAN_PART = 0;
export const SPAN_FROM = 1;
export const SPAN_TO = 2;
export const SPAN_COUNT = 3;

export interface EncodedEvents {
  readonly parts: readonly EventPart[];
  /**
   * For each command of the frame: the part, the bytes in it and the count of its events. What a
   * command caused beyond the end of a part is not in its span.
   */
  readonly spans: Int32Array;
}

const writer = new FrameWriter();

/** Spans are found for so many commands; a follower wants none. */
export function encodeEvents(frame: EventFrame, commandCount = 0): EncodedEvents {
  const { events, firstCommand, sequence } = frame;
  const parts: EventPart[] = [];
  const spans = new Int32Array(commandCount * SPAN_FIELDS);
  // The command of the event before, and the one whose events the last cut went through.
  let last = -1;
  let cutAt = -1;
  openEventFrame(writer, frame);
  for (const event of events) {
    if (writer.at >= EVENT_PART_BYTES) {
      close(false);
      openEventFrame(writer, frame);
      cutAt = last;
    }
    const from = writer.at;
    appendEvent(writer, event);
    last = event.command - firstCommand;
    if (last < 0 || last >= commandCount || last === cutAt) continue;
    const span = last * SPAN_FIELDS;
    if (spans[span + SPAN_COUNT]++ === 0) {
      spans[span + SPAN_PART] = parts.length;
      spans[span + SPAN_FROM] = from;
    }
    spans[span + SPAN_TO] = writer.at;
  }
  close(true);
  return { parts, spans };

  function close(isLast: boolean): void {
    const bytes = new Uint8Array(closeFrame(writer));
    parts.push({ sequence, part: parts.length, isLast, bytes });
  }
}
