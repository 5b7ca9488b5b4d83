// How long one command takes, each in a frame of its own, decoded before and encoded after the
// clock runs: the usual, the one in a hundred, the one in a thousand, and the longest pause.

import { applyFrame } from '../../../core/engine/index.ts';
import {
  type CommandFrame,
  decodeCommandFrame,
  encodeEventFrame,
  FrameWriter,
} from '../../../core/messages/index.ts';
import { type Recording, warmedUp } from './recording.ts';

export function measureLatency(recording: Recording): Record<string, number> {
  const exchange = warmedUp(recording);
  const writer = new FrameWriter();
  const tookMs: number[] = [];
  let pauseMs = 0;
  let { sequence } = exchange;
  let last = performance.now();
  for (const bytes of recording.measured) {
    const frame = decodeCommandFrame(bytes);
    for (const command of frame.commands) {
      const single: CommandFrame = { ...frame, sequence: ++sequence, commands: [command] };
      const start = performance.now();
      const events = applyFrame(exchange, single);
      tookMs.push(performance.now() - start);
      encodeEventFrame(writer, events);
      // From one command's end to the next one's: a pause may fall between them as well.
      const now = performance.now();
      if (now - last > pauseMs) pauseMs = now - last;
      last = now;
    }
  }
  const sorted = Float64Array.from(tookMs).sort();
  const us = (share: number): number =>
    Math.round(sorted[Math.floor((sorted.length - 1) * share)] * 1e5) / 100;
  return {
    p50Us: us(0.5),
    p99Us: us(0.99),
    p999Us: us(0.999),
    maxPauseMs: Math.round(pauseMs * 1000) / 1000,
  };
}
