// The events of a seeded flow as EVENTS messages: frames are split into parts and grouped into
// messages at random, chained like a leader does. With gaps, days and months pass between frames.

import { applyFrame, createExchange, type Exchange } from '../../core/engine/index.ts';
import { type EventFrame, encodeEventFrame, FrameWriter } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { type EventPart, encodeEventBatch, NO_HASH } from '../../infra/journal/index.ts';
import { drive, type FlowName, Random } from '../flows/index.ts';

export interface RecordedEvents {
  readonly frames: readonly EventFrame[];
  readonly messages: readonly Uint8Array[];
  readonly events: number;
  /** State after the last frame. */
  readonly exchange: Exchange;
}

export interface RecordOptions {
  readonly flow: FlowName;
  readonly seed: number;
  readonly commands: number;
  /** Whether time sometimes jumps. */
  readonly gaps: boolean;
}

const HOUR_MS = 3_600_000;
const LEAP_PERCENT = 2;
const LEAP_HOURS_MAX = 24 * 12;
const CUT_PERCENT = 10;
const PARTS_PER_MESSAGE_MAX = 12;

export function recordEvents({ commands, flow, gaps, seed }: RecordOptions): RecordedEvents {
  const exchange = createExchange();
  const random = new Random(seed + 1);
  const frames: EventFrame[] = [];
  let leaptMs = 0;
  for (const { seen } of drive({ flow, seed, commands, apply: (it) => applyFrame(exchange, it) })) {
    if (gaps && random.chance(LEAP_PERCENT)) leaptMs += random.below(LEAP_HOURS_MAX * HOUR_MS);
    frames.push({ ...seen, events: [...seen.events], timeMs: (seen.timeMs + leaptMs) as TimeMs });
  }
  const events = frames.reduce((sum, frame) => sum + frame.events.length, 0);
  return { frames, messages: messagesOf(frames, random), events, exchange };
}

export function messagesOf(frames: readonly EventFrame[], random: Random): Uint8Array[] {
  const messages: Uint8Array[] = [];
  const parts = frames.flatMap((frame) => partsOf(frame, random));
  let previousHash = NO_HASH;
  for (let from = 0; from < parts.length; ) {
    const to = from + random.between(1, PARTS_PER_MESSAGE_MAX);
    const { hash, message } = encodeEventBatch(previousHash, parts.slice(from, to));
    messages.push(message);
    previousHash = hash;
    from = to;
  }
  return messages;
}

function partsOf(frame: EventFrame, random: Random): EventPart[] {
  const cuts = [0];
  for (let at = 1; at < frame.events.length; at++) if (random.chance(CUT_PERCENT)) cuts.push(at);
  return cuts.map((from, part) => {
    const events = frame.events.slice(from, cuts[part + 1]);
    const bytes = new Uint8Array(encodeEventFrame(new FrameWriter(), { ...frame, events }));
    return { sequence: frame.sequence, part, isLast: part === cuts.length - 1, bytes };
  });
}
