// The core benchmark's flow as commands for a real log, in order. The log's first command is its
// genesis, where the recorder has its own SetLimits, so order numbers are the same in both.

import type { Command } from '../../../core/messages/index.ts';
import { Recorder, recordFlow, setUp, USERS } from '../core/flow.ts';

export interface FlowCommands {
  /** Lists markets and funds users. */
  readonly preparing: readonly Command[];
  readonly measured: readonly Command[];
}

export function flowCommands(count: number, seed: number): FlowCommands {
  const recorder = new Recorder('none');
  const preparing: Command[] = [];
  const apply = recorder.apply.bind(recorder);
  recorder.apply = (commands) => {
    preparing.push(...commands);
    return apply(commands);
  };
  setUp(recorder, USERS);
  const measured = recordFlow(recorder, count, seed).flatMap((frame) => frame.commands);
  return { preparing: preparing.slice(1), measured };
}
