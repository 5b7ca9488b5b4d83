// Encodes the events of a frame as event frames: one, or several parts when they are too large. The
// cuts are part of the format: every replica must cut at the same places, so any can continue.

import {
  appendEvent,
  closeFrame,
  type EventFrame,
  FrameWriter,
  openEventFrame,
} from '../../core/messages/index.ts';
import type { EventPart } from '../journal/index.ts';

/** After this many bytes, the next event starts another part. Part of the format: never change. */
export const EVENT_PART_BYTES = 1024 * 1024;

/** The fields per command in EncodedEvents.spans. */
export const SPAN_FIELDS = 4;
export const SPAN_PART = 0;
export const SPAN_FROM = 1;
export const SPAN_TO = 2;
export const SPAN_COUNT = 3;

export interface EncodedEvents {
  readonly parts: readonly EventPart[];
  /**
   * For each command of the frame: the part, the byte range in it and the count of its events. The
   * span does not cover events of the command beyond the end of the part.
   */
  readonly spans: Int32Array;
}

const writer = new FrameWriter();

/** Finds spans for this many commands; followers need none. */
export function encodeEvents(frame: EventFrame, commandCount = 0): EncodedEvents {
  const { events, firstCommand, sequence } = frame;
  const parts: EventPart[] = [];
  const spans = new Int32Array(commandCount * SPAN_FIELDS);
  // The command of the previous event, and the command whose events the last cut divided.
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
