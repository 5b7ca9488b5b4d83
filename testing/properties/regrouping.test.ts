// The grouping of commands into frames does not change events or the state hash if each command
// keeps its time. This holds if nothing is pending until the start of a frame: no ready stops, no
// switches beyond the bound, no band reference that needs a trade.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Command, CommandFrame, Event } from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { chosenSeed, type FlowName, recordFrames } from '../flows/index.ts';
import { makeEngine } from './tested-exchange.ts';

const FLOWS_WITHOUT_WAITING: readonly FlowName[] = ['calm', 'cancelling'];
/** Times are rounded down to a multiple of this, so many commands share one. */
const SAME_TIME_MS = 1_000;

interface Timed {
  readonly command: Command;
  readonly timeMs: number;
}

for (const flow of FLOWS_WITHOUT_WAITING) {
  test(`frames cut at other positions produce the same events and state, under ${flow}`, () => {
    const anyLengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 12 });
    const property = fc.property(fc.nat(), anyLengths, anyLengths, (seed, one, other) => {
      const commands = timedCommands(flow, seed);
      assert.deepEqual(runIn(cut(commands, one)), runIn(cut(commands, other)));
    });
    fc.assert(property, { numRuns: 12, seed: chosenSeed() % 2 ** 31, endOnFailure: true });
  });
}

function timedCommands(flow: FlowName, seed: number): Timed[] {
  const frames = recordFrames({ flow, seed, commands: 2_500, apply: makeEngine().apply });
  return frames.flatMap((frame) =>
    frame.commands.map((command) => ({
      command,
      timeMs: Math.floor(frame.timeMs / SAME_TIME_MS) * SAME_TIME_MS,
    })),
  );
}

/** Repeats frames of these lengths; a new time always begins a new frame. */
function cut(commands: readonly Timed[], lengths: readonly number[]): CommandFrame[] {
  const frames: { timeMs: number; commands: Command[] }[] = [];
  for (const { command, timeMs } of commands) {
    const last = frames.at(-1);
    const length = lengths[(frames.length - 1) % lengths.length];
    const isOpen = last !== undefined && last.timeMs === timeMs && last.commands.length < length;
    if (isOpen) last.commands.push(command);
    else frames.push({ timeMs, commands: [command] });
  }
  return frames.map((frame, index) => ({
    sequence: index + 1,
    epoch: 1,
    timeMs: frame.timeMs as TimeMs,
    previousHash: new Uint8Array(32),
    commands: frame.commands,
  }));
}

function runIn(frames: readonly CommandFrame[]): { hash: string; events: Event[] } {
  const engine = makeEngine();
  const events = frames.flatMap((frame) => engine.apply(frame).events);
  return { hash: engine.hash(), events };
}
