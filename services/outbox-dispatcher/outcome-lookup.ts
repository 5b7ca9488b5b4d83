// Reads the outcomes of positions that their channel reports as seen from the log itself, so even
// refusals are exact, no matter how long ago the command was sent. The log can contain several
// copies of a command; the one that advanced its channel counts.

import { isDeepStrictEqual } from 'node:util';
import {
  decodeCommandFrame,
  decodeEventFrame,
  type Event,
  type Refusal,
} from '../../core/messages/index.ts';
import {
  type Extent,
  type FoundEvents,
  findEvents,
  LogReader,
  type LogStream,
  openEventBatch,
  openSealedFrame,
} from '../../infra/journal/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { type ChannelCommand, type OutboxRow, toCommand } from '../../platform/outbox/index.ts';
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
   * trimmed: the log no longer holds the frames in which it may have done so; the archive does.
   */
  readonly found:
    | { readonly kind: 'outcome'; readonly refusal: Refusal; readonly command: number }
    | { readonly kind: 'foreign'; readonly command: number }
    | { readonly kind: 'missing' | 'trimmed' };
}

/** A command for one of the positions, and its position in the log. */
interface Copy {
  readonly frame: number;
  readonly index: number;
  readonly command: ChannelCommand;
}

/** The rows have been sent, and a frame up to and including `toFrame` reported them as seen. */
export async function lookUp(
  options: LookupOptions,
  rows: readonly OutboxRow[],
  toFrame: number,
): Promise<LookedUp[]> {
  const { commands, events } = options;
  const held = await untilAnswered<Extent>(options, (done) => commands.extent(done));
  const copies = await findCopies(options, rows, { from: held.first, to: toFrame });
  const frames = new Set([...copies.values()].flat().map(({ frame }) => frame));
  const found = await untilAnswered<FoundEvents | 'none' | 'damaged'>(options, (done) => {
    void findEvents(events, Math.min(...frames, toFrame)).then(done);
  });
  if (found === 'damaged') throw new Error('a message of EVENTS is damaged');
  const outcomes = await readOutcomes(options, frames, found);
  return rows.map((row) => {
    const judged = judge(row, copies.get(nameOf(row)) ?? [], outcomes);
    const isTrimmed = judged.kind === 'missing' && (row.sentAfterFrame ?? 0) + 1 < held.first;
    return { row, found: isTrimmed ? { kind: 'trimmed' } : judged };
  });
}

function judge(
  row: OutboxRow,
  copies: readonly Copy[],
  outcomes: ReadonlyMap<number, FrameOutcomes>,
): LookedUp['found'] {
  for (const { command, frame, index } of copies) {
    const of = outcomes.get(frame);
    if (of === undefined) return { kind: 'trimmed' };
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
  held: { readonly from: number; readonly to: number },
): Promise<Map<string, Copy[]>> {
  const copies = new Map<string, Copy[]>(rows.map((row) => [nameOf(row), []]));
  const marked = Math.min(...rows.map(({ sentAfterFrame }) => sentAfterFrame ?? 0)) + 1;
  const from = Math.max(marked, held.from);
  if (from > held.to) return copies;
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
      return frame < held.to;
    },
  });
  return copies;
}

interface FrameOutcomes {
  firstCommand: number;
  readonly refusals: Map<number, Refusal>;
  readonly repeated: Set<number>;
}

/**
 * Returns the refusals and repeats in these frames. Waits until EVENTS has the frames, unless it
 * had them.
 */
async function readOutcomes(
  options: LookupOptions,
  frames: ReadonlySet<number>,
  found: FoundEvents | 'none',
): Promise<Map<number, FrameOutcomes>> {
  const outcomes = new Map<number, FrameOutcomes>();
  if (frames.size === 0) return outcomes;
  const last = Math.max(...frames);
  const from = found === 'none' ? 1 : found.message;
  const isTrimmed = found !== 'none' && found.isTrimmed;
  if (isTrimmed && last < found.batch.parts[0].sequence) return outcomes;
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

/** Retries without a limit, because the log is only temporarily unavailable. */
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

/** Reads until `receive` returns false. */
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
      // The first message can be delivered before `reader` is assigned.
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
