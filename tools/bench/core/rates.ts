// Measures commands per second of the entire engine: ledger, idempotency, books and events.
// Decoding and encoding are timed in the same loop, once excluded and once included.

import { applyFrame } from '../../../core/engine/index.ts';
import { decodeCommandFrame, encodeEventFrame, FrameWriter } from '../../../core/messages/index.ts';
import { perSecond, type Recording, warmedUp } from './recording.ts';

export interface Rates {
  readonly applied: number;
  readonly decoded: number;
}

export function measureRates(recording: Recording): Rates {
  const exchange = warmedUp(recording);
  const writer = new FrameWriter();
  let commands = 0;
  let applyMs = 0;
  const start = performance.now();
  for (const bytes of recording.measured) {
    const frame = decodeCommandFrame(bytes);
    const before = performance.now();
    const events = applyFrame(exchange, frame);
    applyMs += performance.now() - before;
    encodeEventFrame(writer, events);
    commands += frame.commands.length;
  }
  const wholeMs = performance.now() - start;
  return { applied: perSecond(commands, applyMs), decoded: perSecond(commands, wholeMs) };
}
