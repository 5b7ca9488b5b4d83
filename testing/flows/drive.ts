// Runs a flow against an exchange for a number of commands and yields each frame with its events.
// The caller can stop early.

import type { CommandFrame, EventFrame } from '../../core/messages/index.ts';
import { FLOWS, type FlowName } from './flow-list.ts';

export interface Drive {
  readonly flow: FlowName;
  readonly seed: number;
  /** Minimum number of commands. The frame that reaches it is finished. */
  readonly commands: number;
  readonly apply: (frame: CommandFrame) => EventFrame;
}

export function* drive(run: Drive): Generator<{ frame: CommandFrame; seen: EventFrame }, void> {
  const frames = FLOWS[run.flow](run.seed);
  let frame = frames.next().value;
  for (let commands = 0; commands < run.commands; ) {
    const seen = run.apply(frame);
    commands += frame.commands.length;
    yield { frame, seen };
    frame = frames.next(seen).value;
  }
}

/** Returns the flow's frames, as it sends them to this exchange. */
export function recordFrames(run: Drive): CommandFrame[] {
  return [...drive(run)].map(({ frame }) => frame);
}
