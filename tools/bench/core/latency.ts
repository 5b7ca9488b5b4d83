// Measures the latency of one command, each in a separate frame, decoded before and encoded after
// the timed section: median, p99, p99.9, and the longest pause.

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
      // From one command's end to the next one's, because a pause can also fall between them.
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
