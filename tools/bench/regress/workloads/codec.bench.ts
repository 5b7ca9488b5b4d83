// The codec: decodes commands, and encodes and decodes the events that they caused.

import { applyFrame } from '../../../../core/engine/index.ts';
import {
  decodeCommandFrame,
  decodeEventFrame,
  encodeEventFrame,
  FrameWriter,
} from '../../../../core/messages/index.ts';
import { record, warmedUp } from '../../core/recording.ts';
import type { Workload } from '../workload.ts';

const FRAMES = 48;

export function open(): Workload {
  const recording = record({ resting: 2_000, commands: FRAMES * 256, clientIds: 'half', seed: 7 });
  const exchange = warmedUp(recording);
  const writer = new FrameWriter();
  const messages = recording.measured.slice(0, FRAMES);
  const applied = messages.map((bytes) => applyFrame(exchange, decodeCommandFrame(bytes)));
  return {
    windows: Number.MAX_SAFE_INTEGER,
    restart() {},
    run() {
      let units = 0;
      for (let at = 0; at < messages.length; at++) {
        units += decodeCommandFrame(messages[at]).commands.length;
        units += decodeEventFrame(encodeEventFrame(writer, applied[at])).events.length;
      }
      return units;
    },
  };
}
