// Replays frames on a new engine and returns a short outcome for comparing two processes or
// machines: the state hash and a digest of every byte of every event.

import { createHash } from 'node:crypto';
import { applyFrame, bookOf, createExchange, hashExchange } from '../../core/engine/index.ts';
import {
  type CommandFrame,
  type EventFrame,
  encodeEventFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';

export interface Outcome {
  readonly commands: number;
  readonly events: number;
  readonly stateHash: string;
  /** Digest of the event frames as written. */
  readonly framesSha256: string;
  /** Digest of the events alone, independent of how the commands were grouped. */
  readonly eventsSha256: string;
  /** Frames that started while a ready stop order was pending until the next frame. */
  readonly framesAwaited: number;
}

/** Frame for encoding a single event, independent of its position. */
const NOWHERE = { sequence: 1, timeMs: 0 as TimeMs, firstCommand: 1 as CommandNumber };

export function replay(frames: readonly CommandFrame[]): Outcome {
  const exchange = createExchange();
  const ofFrames = createHash('sha256');
  const ofEvents = createHash('sha256');
  const writer = new FrameWriter();
  let events = 0;
  let framesAwaited = 0;
  for (const frame of frames) {
    const waits = exchange.markets.some(({ id }) =>
      bookOf(exchange, id).stops.some((stop) => stop.ready),
    );
    if (waits) framesAwaited += 1;
    const seen: EventFrame = applyFrame(exchange, frame);
    ofFrames.update(encodeEventFrame(writer, seen));
    for (const event of seen.events) {
      ofEvents.update(encodeEventFrame(writer, { ...NOWHERE, events: [event] }));
    }
    events += seen.events.length;
  }
  return {
    commands: exchange.commandsApplied,
    events,
    stateHash: hashExchange(exchange),
    framesSha256: ofFrames.digest('hex'),
    eventsSha256: ofEvents.digest('hex'),
    framesAwaited,
  };
}
