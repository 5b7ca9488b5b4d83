// A recorded flow: frames as bytes and their initial state. Every measurement starts from a new
// copy of that state and warms up with the first half of the frames.

import {
  applyFrame,
  type Exchange,
  restoreExchange,
  snapshotExchange,
} from '../../../core/engine/index.ts';
import {
  decodeCommandFrame,
  encodeCommandFrame,
  encodeEventFrame,
  FrameWriter,
} from '../../../core/messages/index.ts';
import {
  type ClientIds,
  Recorder,
  recordFlow,
  restingOrder,
  seeded,
  setUp,
  USERS,
} from './flow.ts';

const FILL_COMMANDS = 250;

export interface Recording {
  readonly before: Uint8Array;
  readonly warmUp: readonly Uint8Array[];
  readonly measured: readonly Uint8Array[];
}

interface Wanted {
  /** Orders that rest away from the middle before the flow begins. */
  readonly resting: number;
  /** Commands to measure, and the same number to warm up. */
  readonly commands: number;
  readonly clientIds: ClientIds;
  readonly seed: number;
}

export function record({ resting, commands, clientIds, seed }: Wanted): Recording {
  const recorder = new Recorder(clientIds);
  setUp(recorder, USERS);
  const random = seeded(seed);
  for (let placed = 0; placed < resting; placed += FILL_COMMANDS) {
    recorder.apply(Array.from({ length: FILL_COMMANDS }, () => restingOrder(recorder, random)));
  }
  const before = snapshotExchange(recorder.exchange);
  const writer = new FrameWriter();
  const frames = recordFlow(recorder, commands * 2, seed).map((frame) =>
    encodeCommandFrame(writer, frame).slice(),
  );
  const half = Math.floor(frames.length / 2);
  return { before, warmUp: frames.slice(0, half), measured: frames.slice(half) };
}

export function warmedUp(recording: Recording): Exchange {
  const exchange = restoreExchange(recording.before);
  const writer = new FrameWriter();
  for (const bytes of recording.warmUp) {
    encodeEventFrame(writer, applyFrame(exchange, decodeCommandFrame(bytes)));
  }
  return exchange;
}

export function perSecond(count: number, milliseconds: number): number {
  return Math.round((count / milliseconds) * 1000);
}
