// From what a frame gave to what each gateway is told: the outcome of each of its commands, with
// the events they caused, in one message for each gateway.

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
    return { source, message: writer.close(header) };
  });
}

/** A batch, where its first command stands in the frame, and where its events are. */
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
  /** For events in the message of each gateway: the bus takes no message of any size. */
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

/** The events of a batch stand together: all of them, or as far as the part or the room goes. */
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
  // What is at `from` in the part stands at `shift + from` in the message.
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
    if (exception !== undefined) tellException(exception);
    const eventsAt = isSent ? shift + spans[span + SPAN_FROM] : 0;
    const eventsEnd = isSent ? shift + spans[span + SPAN_TO] : 0;
    writer.add(row, eventsAt, eventsEnd);
  }
}

/** One for all results, filled anew for each: there is one for every command of the exchange. */
const row: { -readonly [Field in keyof CommandResult]: CommandResult[Field] } = {
  number: 0,
  command: 0,
  refusal: 'none',
  order: 0,
  isRepeat: false,
  hasAllEvents: true,
  eventCount: 0,
};

/** A span that ends where its part does may go on in the next. */
function isCut({ encoded: { parts, spans } }: Applied, span: number): boolean {
  const { bytes, isLast } = parts[spans[span + SPAN_PART]];
  return !isLast && spans[span + SPAN_TO] === bytes.length;
}

/** What came of the commands that were not simply accepted. */
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

function tellException(exception: Exception): void {
  row.refusal = exception.kind === 'CommandPoisoned' ? 'command_is_poisoned' : exception.refusal;
  if (exception.kind === 'CommandRefused') row.order = exception.order;
  if (exception.kind !== 'CommandRepeated') return;
  row.command = exception.original;
  row.isRepeat = true;
  row.hasAllEvents = false;
}
