// Reads the outcomes of positions that their channel reports as seen from the log itself, so that
// refusals are exact too, however long ago the command was sent. The log may hold several copies of
// a command; the one that advanced its channel counts.

import { isDeepStrictEqual } from 'node:util';
import {
  decodeCommandFrame,
  decodeEventFrame,
  type Event,
  type Refusal,
} from '../../core/messages/index.ts';
import { type ChannelCommand, type OutboxRow, toCommand } from '../../domain/transfers/index.ts';
import {
  decodeEventBatch,
  type EventBatch,
  EventBatchFault,
  type Extent,
  LogReader,
  type LogStream,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { isOutOfTurn } from './round-answers.ts';

export interface LookupOptions {
  readonly commands: LogStream;
  readonly events: LogStream;
  readonly clock: Clock;
  readonly retryMs: number;
  readonly watchMs: number;
}

export interface LookedUp {
  readonly row: OutboxRow;
  /**
   * foreign: another command is at this position; the registry and the log do not belong together.
   * missing: nothing in the log has advanced the channel to it since it was marked.
   */
  readonly found:
    | { readonly kind: 'outcome'; readonly refusal: Refusal; readonly command: number }
    | { readonly kind: 'foreign'; readonly command: number }
    | { readonly kind: 'missing' };
}

/** A command of one of the positions, and where it is in the log. */
interface Copy {
  readonly frame: number;
  readonly index: number;
  readonly command: ChannelCommand;
}

/** The rows have been sent; a frame up to and including `toFrame` reported them as seen. */
export async function lookUp(
  options: LookupOptions,
  rows: readonly OutboxRow[],
  toFrame: number,
): Promise<LookedUp[]> {
  const copies = await findCopies(options, rows, toFrame);
  const frames = new Set([...copies.values()].flat().map(({ frame }) => frame));
  const outcomes = await readOutcomes(options, frames);
  return rows.map((row) => ({ row, found: judge(row, copies.get(nameOf(row)) ?? [], outcomes) }));
}

function judge(
  row: OutboxRow,
  copies: readonly Copy[],
  outcomes: ReadonlyMap<number, FrameOutcomes>,
): LookedUp['found'] {
  for (const { command, frame, index } of copies) {
    const of = outcomes.get(frame);
    if (of === undefined) throw new Error(`outcomes of frame ${frame} were not read`);
    const number = of.firstCommand + index;
    const refusal = of.refusals.get(number) ?? 'none';
    if (of.repeated.has(number) || isOutOfTurn(refusal)) continue;
    const asked = toCommand(row, { source: command.source, number: command.number });
    if (!isDeepStrictEqual(command, asked)) return { kind: 'foreign', command: number };
    return { kind: 'outcome', refusal, command: number };
  }
  return { kind: 'missing' };
}

/** By position, in the order of the log. */
async function findCopies(
  options: LookupOptions,
  rows: readonly OutboxRow[],
  toFrame: number,
): Promise<Map<string, Copy[]>> {
  const copies = new Map<string, Copy[]>(rows.map((row) => [nameOf(row), []]));
  const from = Math.min(...rows.map(({ sentAfterFrame }) => sentAfterFrame ?? 0)) + 1;
  if (from > toFrame) return copies;
  await readLog(options, {
    log: options.commands,
    from,
    open: openSealedFrame,
    receive({ frame: bytes }, frame) {
      for (const [index, command] of decodeCommandFrame(bytes).commands.entries()) {
        if (!('channelSequence' in command)) continue;
        const { channel, channelSequence: sequence } = command;
        copies.get(nameOf({ channel, sequence }))?.push({ frame, index, command });
      }
      return frame < toFrame;
    },
  });
  return copies;
}

interface FrameOutcomes {
  firstCommand: number;
  readonly refusals: Map<number, Refusal>;
  readonly repeated: Set<number>;
}

/** The refusals and repeats of these frames. Waits until EVENTS has them. */
async function readOutcomes(
  options: LookupOptions,
  frames: ReadonlySet<number>,
): Promise<Map<number, FrameOutcomes>> {
  const outcomes = new Map<number, FrameOutcomes>();
  if (frames.size === 0) return outcomes;
  const last = Math.max(...frames);
  const from = await firstMessageWith(options, Math.min(...frames));
  await readLog(options, {
    log: options.events,
    from,
    open: openEventBatch,
    receive({ parts }) {
      for (const { bytes, sequence } of parts) {
        if (!frames.has(sequence)) continue;
        const { events, firstCommand } = decodeEventFrame(bytes);
        const of = outcomes.get(sequence) ?? {
          firstCommand,
          refusals: new Map(),
          repeated: new Set(),
        };
        outcomes.set(sequence, of);
        for (const event of events) note(of, event);
      }
      const end = parts.at(-1);
      return end === undefined || end.sequence < last || (end.sequence === last && !end.isLast);
    },
  });
  return outcomes;
}

function note({ refusals, repeated }: FrameOutcomes, event: Event): void {
  if (event.kind === 'CommandRefused') refusals.set(event.command, event.refusal);
  else if (event.kind === 'CommandPoisoned') refusals.set(event.command, 'command_is_poisoned');
  else if (event.kind === 'CommandRepeated') repeated.add(event.command);
}

/**
 * The first message of EVENTS that may hold the frame: each begins where the previous one ended.
 */
async function firstMessageWith(options: LookupOptions, frame: number): Promise<number> {
  const { events } = options;
  const extent = await untilAnswered<Extent>(options, (done) => events.extent(done));
  let low = extent.first;
  let high = Math.max(extent.last, low);
  // Invariant: no message before `low` holds the frame, and some message from `low` on does.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const message = await untilAnswered<Uint8Array>(options, (done) => events.read(middle, done));
    const first = decodeEventBatch(message).parts[0];
    // A frame in parts may have begun in the previous message.
    if (first.sequence > frame || (first.sequence === frame && first.part > 0)) high = middle - 1;
    else low = middle;
  }
  return low;
}

function openEventBatch(message: Uint8Array): EventBatch | undefined {
  try {
    return decodeEventBatch(message);
  } catch (fault) {
    if (fault instanceof EventBatchFault) return undefined;
    throw fault;
  }
}

/** Retries without end: the log is only temporarily unavailable. */
async function untilAnswered<Answer>(
  { clock, retryMs }: LookupOptions,
  ask: (done: (answer: Answer | undefined) => void) => void,
): Promise<Answer> {
  for (;;) {
    const answer = await new Promise<Answer | undefined>((done) => ask(done));
    if (answer !== undefined) return answer;
    await new Promise<void>((done) => void clock.after(retryMs, done));
  }
}

/** Until `receive` returns false. */
function readLog<Opened>(
  { clock, retryMs, watchMs }: LookupOptions,
  reading: {
    readonly log: LogStream;
    readonly from: number;
    open(message: Uint8Array): Opened | undefined;
    receive(opened: Opened, sequence: number): boolean;
  },
): Promise<void> {
  const { from, log, open } = reading;
  return new Promise((done, fail) => {
    let isOver = false;
    const end = (finish: () => void) => {
      isOver = true;
      // The first message may be delivered before `reader` is assigned.
      queueMicrotask(() => reader.stop());
      finish();
    };
    const reader: LogReader<Opened> = new LogReader<Opened>({
      log,
      clock,
      from,
      retryMs,
      watchMs,
      open,
      receive(opened, sequence) {
        if (isOver) return;
        try {
          if (!reading.receive(opened, sequence)) end(done);
        } catch (fault) {
          end(() => fail(fault));
        }
      },
      onLost: (reason) => fail(new Error(`log read failed: ${reason}`)),
    });
  });
}

function nameOf({ channel, sequence }: { channel: number; sequence: number }): string {
  return `${channel}.${sequence}`;
}
