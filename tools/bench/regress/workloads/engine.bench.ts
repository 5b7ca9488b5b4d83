// The engine alone: recorded frames of orders, cancels and amendments on eight markets.

import {
  applyFrame,
  type Exchange,
  restoreExchange,
  snapshotExchange,
} from '../../../../core/engine/index.ts';
import { decodeCommandFrame } from '../../../../core/messages/index.ts';
import { record, warmedUp } from '../../core/recording.ts';
import type { Workload } from '../workload.ts';

const FRAMES_PER_WINDOW = 12;

export function open(): Workload {
  const recording = record({ resting: 2_000, commands: 40_000, clientIds: 'half', seed: 7 });
  const frames = recording.measured.map((bytes) => decodeCommandFrame(bytes));
  const start = snapshotExchange(warmedUp(recording));
  let exchange: Exchange;
  return {
    windows: Math.floor(frames.length / FRAMES_PER_WINDOW),
    restart() {
      exchange = restoreExchange(start);
    },
    run(window) {
      const from = window * FRAMES_PER_WINDOW;
      let units = 0;
      for (let at = from; at < from + FRAMES_PER_WINDOW; at++) {
        applyFrame(exchange, frames[at]);
        units += frames[at].commands.length;
      }
      return units;
    },
  };
}
