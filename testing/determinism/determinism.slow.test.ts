// The same log produces the same bytes in another process, with a different heap, without optimized
// code, and for any grouping of simultaneous commands into frames.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyFrame, createExchange } from '../../core/engine/index.ts';
import {
  appendCommand,
  CodecFault,
  type Command,
  type CommandFrame,
  FrameWriter,
} from '../../core/messages/index.ts';
import type { TimeMs } from '../../core/money/index.ts';
import { chosenSeed, FLOW_NAMES, type FlowName, recordFrames } from '../flows/index.ts';
import { writeFrames } from './frame-file.ts';
import { type Outcome, replay } from './replay.ts';

const COMMANDS = 1_500;
const seed = chosenSeed();
const writer = new FrameWriter();
const folder = mkdtempSync(join(tmpdir(), 'rialto-determinism-'));
after(() => rmSync(folder, { recursive: true }));

function recorded(flow: FlowName): CommandFrame[] {
  const exchange = createExchange();
  const frames: CommandFrame[] = [];
  const apply = (frame: CommandFrame) => {
    frames.push({ ...frame, commands: frame.commands.filter(canBeWritten) });
    return applyFrame(exchange, frames.at(-1)!);
  };
  recordFrames({ flow, seed, commands: COMMANDS, apply });
  return frames;
}

/** The adversarial flow includes commands that no log can store, such as a negative user. */
function canBeWritten(command: Command): boolean {
  try {
    writer.reset();
    appendCommand(writer, command);
    return true;
  } catch (fault) {
    if (fault instanceof CodecFault) return false;
    throw fault;
  }
}

/** Returns the outcomes of a separate process that replays these files. */
function replayElsewhere(flags: readonly string[], paths: readonly string[]): Outcome[] {
  const program = join(import.meta.dirname, 'main.ts');
  const run = spawnSync(process.execPath, [...flags, program, ...paths], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

const paths = FLOW_NAMES.map((flow) => join(folder, `${flow}.frames`));
const here = FLOW_NAMES.map((flow, index) => {
  const frames = recorded(flow);
  writeFrames(paths[index], frames);
  return replay(frames);
});

const PROCESSES: Record<string, readonly string[]> = {
  'another process': [],
  'a process with little young memory': ['--max-semi-space-size=1'],
  'a process that never optimizes': ['--no-opt', '--no-maglev', '--no-sparkplug'],
  'a process that optimizes everything immediately': [
    '--always-sparkplug',
    '--invocation-count-for-turbofan=1',
  ],
};

for (const [name, flags] of Object.entries(PROCESSES)) {
  test(`${name} produces the same state and the same event bytes, seed ${seed}`, () => {
    assert.deepEqual(replayElsewhere(flags, paths), here);
  });
}

test('each flow produces a different outcome to compare', () => {
  assert.equal(new Set(here.map(({ stateHash }) => stateHash)).size, FLOW_NAMES.length);
  assert.equal(new Set(here.map(({ framesSha256 }) => framesSha256)).size, FLOW_NAMES.length);
  for (const { commands, events } of here) {
    // Some commands in the adversarial flow cannot be written.
    const isLong = commands >= 0.9 * COMMANDS && events >= COMMANDS / 2;
    assert.ok(isLong, `${events} events of ${commands}`);
  }
});

/** Times are rounded down to a multiple of this, so many commands share one. */
const SAME_TIME_MS = 1_000;

/** Returns the same commands at the same times, in frames of at most `most` commands. */
function regrouped(frames: readonly CommandFrame[], most: number): CommandFrame[] {
  const groups: { timeMs: TimeMs; commands: Command[] }[] = [];
  for (const frame of frames) {
    const timeMs = (Math.floor(frame.timeMs / SAME_TIME_MS) * SAME_TIME_MS) as TimeMs;
    for (const command of frame.commands) {
      const last = groups.at(-1);
      if (last?.timeMs === timeMs && last.commands.length < most) last.commands.push(command);
      else groups.push({ timeMs, commands: [command] });
    }
  }
  const { epoch, previousHash } = frames[0];
  return groups.map((group, index) => ({ sequence: index + 1, epoch, previousHash, ...group }));
}

for (const flow of ['calm', 'cancelling'] as const) {
  test(`frames of 1, 7 and 500 commands have the same outcome in another process: ${flow}`, () => {
    const frames = recorded(flow);
    const grouped = [1, 7, 500].map((most) => {
      const path = join(folder, `${flow}-${most}.frames`);
      writeFrames(path, regrouped(frames, most));
      return path;
    });
    const outcomes = replayElsewhere([], grouped);
    for (const outcome of outcomes) {
      // If a stop waited for the next frame, the grouping would matter, and the test would prove
      // nothing.
      assert.equal(outcome.framesAwaited, 0);
      assert.equal(outcome.stateHash, outcomes[0].stateHash);
      assert.equal(outcome.eventsSha256, outcomes[0].eventsSha256);
    }
    assert.notEqual(outcomes[0].framesSha256, outcomes[2].framesSha256, 'the frames must differ');
  });
}
