// Builds the replies for a frame: each command's outcome and events, in one message per gateway.

import type { Event } from '../../core/messages/index.ts';
import {
  type CommandResult,
  RESULT_EVENT_BYTES_MAX,
  type ResultsHeader,
  ResultsWriter,
} from '../../infra/command-link/index.ts';
import {
  type Applied,
  SPAN_COUNT,
  SPAN_FIELDS,
  SPAN_FROM,
  SPAN_PART,
  SPAN_TO,
} from '../../infra/replica/index.ts';
import type { QueuedBatch } from './intake.ts';

export interface AddressedResults {
  readonly sender: string;
  readonly source: number;
  readonly message: Uint8Array;
}

export function frameResults(
  applied: Applied,
  batches: readonly QueuedBatch[],
  header: ResultsHeader,
): AddressedResults[] {
  const exceptions = exceptionsOf(applied.events.events);
  return [...bySource(applied, batches)].map(([source, placed]) => {
    const writer = new ResultsWriter(sizesOf(placed));
    for (const batch of placed) addBatch(writer, applied, batch, exceptions);
    return { sender: placed[0].batch.sender, source, message: writer.close(header) };
  });
}

/** A batch, the index of its first command in the frame, and the range of its events. */
interface PlacedBatch {
  readonly batch: QueuedBatch;
  readonly first: number;
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

function bySource(
  { encoded: { spans } }: Applied,
  batches: readonly QueuedBatch[],
): Map<number, PlacedBatch[]> {
  const sources = new Map<number, PlacedBatch[]>();
  /** Bytes left for events in each gateway's message: the bus limits the size of messages. */
  const rooms = new Map<number, number>();
  let first = 0;
  for (const batch of batches) {
    const { source } = batch;
    const room = rooms.get(source) ?? RESULT_EVENT_BYTES_MAX;
    const placed = place(spans, batch, { first, room });
    rooms.set(source, room - (placed.to - placed.from));
    const others = sources.get(source);
    if (others === undefined) sources.set(source, [placed]);
    else others.push(placed);
    first += batch.commands.length;
  }
  return sources;
}

/** The events of a batch are contiguous. Finds all that fit into the part and the room. */
function place(
  spans: Int32Array,
  batch: QueuedBatch,
  { first, room }: { first: number; room: number },
): PlacedBatch {
  let part = -1;
  let from = 0;
  let to = 0;
  for (let index = first; index < first + batch.commands.length; index++) {
    const span = index * SPAN_FIELDS;
    if (spans[span + SPAN_COUNT] === 0) continue;
    if (part === -1) {
      part = spans[span + SPAN_PART];
      from = spans[span + SPAN_FROM];
      to = from;
    }
    const end = spans[span + SPAN_TO];
    if (spans[span + SPAN_PART] === part && end - from <= room) to = end;
  }
  return { batch, first, part, from, to };
}

function sizesOf(placed: readonly PlacedBatch[]): { results: number; eventBytes: number } {
  let results = 0;
  let eventBytes = 0;
  for (const { batch, from, to } of placed) {
    results += batch.commands.length;
    eventBytes += to - from;
  }
  return { results, eventBytes };
}

function addBatch(
  writer: ResultsWriter,
  applied: Applied,
  placed: PlacedBatch,
  exceptions: ReadonlyMap<number, Exception>,
): void {
  const { parts, spans } = applied.encoded;
  const { batch, first, part, from, to } = placed;
  // An event at `from` in the part is at `shift + from` in the message.
  const shift = part === -1 ? 0 : writer.addEvents(parts[part].bytes.subarray(from, to)) - from;
  const { commands } = batch;
  for (let offset = 0; offset < commands.length; offset++) {
    const index = first + offset;
    const span = index * SPAN_FIELDS;
    const eventCount = spans[span + SPAN_COUNT];
    const isSent =
      eventCount > 0 && spans[span + SPAN_PART] === part && spans[span + SPAN_TO] <= to;
    row.number = commands[offset].number;
    row.command = applied.events.firstCommand + index;
    row.refusal = 'none';
    row.order = 0;
    row.isRepeat = false;
    row.hasAllEvents = eventCount === 0 || (isSent && !isCut(applied, span));
    row.eventCount = isSent ? eventCount : 0;
    const exception = exceptions.size === 0 ? undefined : exceptions.get(row.command);
    if (exception !== undefined) applyException(exception);
    const eventsAt = isSent ? shift + spans[span + SPAN_FROM] : 0;
    const eventsEnd = isSent ? shift + spans[span + SPAN_TO] : 0;
    writer.add(row, eventsAt, eventsEnd);
  }
}

/** Reused for all results, because every command on the exchange has one. */
const row: { -readonly [Field in keyof CommandResult]: CommandResult[Field] } = {
  number: 0,
  command: 0,
  refusal: 'none',
  order: 0,
  isRepeat: false,
  hasAllEvents: true,
  eventCount: 0,
};

/** Returns true if the span ends with its part, because it might continue in the next part. */
function isCut({ encoded: { parts, spans } }: Applied, span: number): boolean {
  const { bytes, isLast } = parts[spans[span + SPAN_PART]];
  return !isLast && spans[span + SPAN_TO] === bytes.length;
}

/** Events of commands with an outcome other than accepted. */
type Exception = Extract<Event, { kind: 'CommandRefused' | 'CommandRepeated' | 'CommandPoisoned' }>;

function exceptionsOf(events: readonly Event[]): Map<number, Exception> {
  const found = new Map<number, Exception>();
  for (const event of events) {
    const { kind } = event;
    if (kind === 'CommandRefused' || kind === 'CommandRepeated' || kind === 'CommandPoisoned') {
      found.set(event.command, event);
    }
  }
  return found;
}

function applyException(exception: Exception): void {
  row.refusal = exception.kind === 'CommandPoisoned' ? 'command_is_poisoned' : exception.refusal;
  if (exception.kind === 'CommandRefused') row.order = exception.order;
  if (exception.kind !== 'CommandRepeated') return;
  row.command = exception.original;
  row.isRepeat = true;
  row.hasAllEvents = false;
}
