// From what a frame gave to what each gateway is told: the outcome of each of its commands, with
// the events they caused, in one message for each gateway (more only when it would be too large).

import type { Event, Refusal } from '../../core/messages/index.ts';
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

const NO_BYTES = new Uint8Array(0);

export function frameResults(
  applied: Applied,
  batches: readonly QueuedBatch[],
  header: ResultsHeader,
): AddressedResults[] {
  const messages: AddressedResults[] = [];
  const writers = new Map<number, ResultsWriter>();
  const outcomes = outcomesOf(applied.events.events);
  const { firstCommand } = applied.events;
  let index = 0;
  for (const { commands, source } of batches) {
    let writer = writers.get(source);
    for (const { number } of commands) {
      if (writer === undefined || writer.isFull) {
        if (writer !== undefined) messages.push({ source, message: writer.close(header) });
        writer = new ResultsWriter();
        writers.set(source, writer);
      }
      const command = firstCommand + index;
      writer.add(resultOf(applied, outcomes.get(command), { command, index, number }));
      index++;
    }
  }
  for (const [source, writer] of writers) messages.push({ source, message: writer.close(header) });
  return messages;
}

/** What came of the commands that were not simply accepted. */
type Exception = Extract<Event, { kind: 'CommandRefused' | 'CommandRepeated' | 'CommandPoisoned' }>;

function outcomesOf(events: readonly Event[]): Map<number, Exception> {
  const found = new Map<number, Exception>();
  for (const event of events) {
    const { kind } = event;
    if (kind === 'CommandRefused' || kind === 'CommandRepeated' || kind === 'CommandPoisoned') {
      found.set(event.command, event);
    }
  }
  return found;
}

function resultOf(
  { encoded: { parts, spans } }: Applied,
  exception: Exception | undefined,
  { command, index, number }: { command: number; index: number; number: number },
): CommandResult {
  const span = index * SPAN_FIELDS;
  const from = spans[span + SPAN_FROM];
  const to = spans[span + SPAN_TO];
  const part = parts[spans[span + SPAN_PART]];
  // A span that ends where its part does may have been cut there.
  const isWhole = part.isLast || to < part.bytes.length;
  const hasAllEvents = isWhole && to - from <= RESULT_EVENT_BYTES_MAX;
  const isRepeat = exception?.kind === 'CommandRepeated';
  return {
    number,
    command: isRepeat ? exception.original : command,
    refusal: refusalOf(exception),
    order: exception?.kind === 'CommandRefused' ? exception.order : 0,
    isRepeat,
    hasAllEvents: hasAllEvents && !isRepeat,
    eventCount: hasAllEvents ? spans[span + SPAN_COUNT] : 0,
    eventBytes: hasAllEvents ? part.bytes.subarray(from, to) : NO_BYTES,
  };
}

function refusalOf(exception: Exception | undefined): Refusal {
  if (exception === undefined) return 'none';
  return exception.kind === 'CommandPoisoned' ? 'command_is_poisoned' : exception.refusal;
}
