// Shrinks a failing list of frames: drops smaller and smaller pieces while the two exchanges still
// differ, for a few seconds. Commands keep their frames and times; empty frames remain.

import type { Command, CommandFrame } from '../../core/messages/index.ts';
import { differenceOfFrames } from './difference.ts';
import type { MakeExchange } from './tested-exchange.ts';

const BUDGET_MS = 8_000;

interface Pair {
  readonly left: MakeExchange;
  readonly right: MakeExchange;
}

interface Placed {
  readonly frame: number;
  readonly command: Command;
}

export function shrink(pair: Pair, frames: readonly CommandFrame[]): Command[] {
  const deadline = Date.now() + BUDGET_MS;
  let placed = frames.flatMap(({ commands }, frame) =>
    commands.map((command): Placed => ({ frame, command })),
  );
  let pieceLength = Math.ceil(placed.length / 2);
  while (pieceLength >= 1) {
    // From the end: the last commands before the difference are the least likely to matter.
    for (let end = placed.length; end > 0 && Date.now() < deadline; end -= pieceLength) {
      const start = Math.max(0, end - pieceLength);
      const without = [...placed.slice(0, start), ...placed.slice(end)];
      if (isDifferent(pair, frames, without)) placed = without;
    }
    if (Date.now() >= deadline) break;
    pieceLength = pieceLength === 1 ? 0 : Math.ceil(pieceLength / 2);
  }
  return placed.map(({ command }) => command);
}

function isDifferent(
  pair: Pair,
  frames: readonly CommandFrame[],
  placed: readonly Placed[],
): boolean {
  const left = pair.left();
  const right = pair.right();
  let next = 0;
  try {
    for (const [index, frame] of frames.entries()) {
      const commands: Command[] = [];
      while (next < placed.length && placed[next].frame === index) {
        commands.push(placed[next].command);
        next += 1;
      }
      const smaller = { ...frame, commands };
      if (differenceOfFrames(left.apply(smaller), right.apply(smaller)) !== undefined) return true;
    }
  } catch {
    // A shrunk list that makes an exchange fail is also worth showing.
    return true;
  }
  return false;
}
