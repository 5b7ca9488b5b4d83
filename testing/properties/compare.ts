// Sends the frames of one flow to two exchanges and stops at the first difference. The report has
// everything needed to reproduce it: flow, seed, frame, command, both events, and the shortest list
// of commands found in a few seconds that still shows a difference.

import { SWITCHES_STEP, timeStepNumber } from '../../core/engine/index.ts';
import type { CommandFrame } from '../../core/messages/index.ts';
import { FLOWS, type FlowName } from '../flows/index.ts';
import { type Difference, differenceOfFrames, differenceOfStates } from './difference.ts';
import { printed, reportOf } from './report.ts';
import { shrink } from './shrink.ts';
import type { MakeExchange, TestedExchange } from './tested-exchange.ts';

const STEP_POISONED_ONE_FRAME_IN = 40;

export interface Comparison {
  readonly flow: FlowName;
  readonly seed: number;
  /** Minimum number of commands; the frame that reaches it is completed. */
  readonly commands: number;
  readonly left: MakeExchange;
  readonly right: MakeExchange;
  /** Number of frames between comparisons of accounts, books and invariants. */
  readonly framesPerCheck: number;
  /** Poisons about one command in this many; 0 or undefined for none. */
  readonly poisonedOneIn?: number;
}

export interface Counts {
  readonly flow: FlowName;
  readonly seed: number;
  readonly commands: number;
  readonly frames: number;
  readonly events: number;
  readonly trades: number;
}

export function compareExchanges(comparison: Comparison): Counts {
  const { flow, seed } = comparison;
  const left = comparison.left();
  const right = comparison.right();
  const counts = { flow, seed, commands: 0, frames: 0, events: 0, trades: 0 };
  const frames = FLOWS[flow](seed);
  let markets = 0;
  let frame = frames.next().value;
  while (counts.commands < comparison.commands) {
    const { poisonedOneIn = 0 } = comparison;
    const poisoned = poisonedIn(poisonedOneIn, counts.commands, frame);
    const fromLeft = left.apply(frame, poisoned);
    const difference = differenceOfFrames(fromLeft, right.apply(frame, poisoned));
    if (difference !== undefined) fail(comparison, frame, difference);
    counts.commands += frame.commands.length;
    counts.frames += 1;
    counts.events += fromLeft.events.length;
    for (const { kind } of fromLeft.events) {
      if (kind === 'TradeExecuted') counts.trades += 1;
      if (kind === 'MarketListed') markets += 1;
    }
    if (counts.frames % comparison.framesPerCheck === 0) {
      const difference = compareStates(left, right, markets);
      if (difference !== undefined) fail(comparison, frame, difference);
    }
    frame = frames.next(fromLeft).value;
  }
  return counts;
}

function compareStates(
  left: TestedExchange,
  right: TestedExchange,
  markets: number,
): Difference | undefined {
  left.audit();
  right.audit();
  return differenceOfStates(left, right, markets);
}

/** Depends only on the command's number, so it is the same in every run. */
export function poisonedIn(
  poisonedOneIn: number,
  commandsBefore: number,
  frame: CommandFrame,
): ReadonlySet<number> | undefined {
  if (poisonedOneIn === 0) return undefined;
  const poisoned = new Set<number>();
  for (let index = 1; index <= frame.commands.length; index += 1) {
    const number = commandsBefore + index;
    const mixed = Math.imul(number, 0x9e3779b1) >>> 0;
    // The setup is never poisoned.
    if (number > 200 && mixed % poisonedOneIn === 0) poisoned.add(number);
  }
  // Time steps fail less often: a market frozen in every other frame would never trade.
  const mixed = Math.imul(frame.sequence, 0x85ebca6b) >>> 0;
  if (commandsBefore > 200 && mixed % STEP_POISONED_ONE_FRAME_IN === 0) {
    const step = (mixed >>> 16) % 4;
    poisoned.add(timeStepNumber(frame.sequence, step === 0 ? SWITCHES_STEP : step));
  }
  return poisoned;
}

function fail(comparison: Comparison, frame: CommandFrame, difference: Difference): never {
  const lines = reportOf(comparison, frame, difference);
  if (!comparison.poisonedOneIn) {
    const commands = shrink(comparison, framesUpTo(comparison, frame.sequence));
    lines.push(`${commands.length} commands that still show a difference:`);
    lines.push(...commands.slice(-40).map((command) => `  ${printed(command)}`));
  }
  throw new Error(lines.join('\n'));
}

/** Runs the flow again to get its frames, because a long run does not store them. */
function framesUpTo({ flow, seed, left }: Comparison, sequence: number): CommandFrame[] {
  const frames: CommandFrame[] = [];
  const exchange = left();
  const source = FLOWS[flow](seed);
  let frame = source.next().value;
  while (frame.sequence < sequence) {
    frames.push(frame);
    frame = source.next(exchange.apply(frame)).value;
  }
  return [...frames, frame];
}
