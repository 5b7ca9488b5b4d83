// Replays files of command frames: `node testing/determinism/main.ts FILE…`. Prints one line of
// JSON per file, identical on every machine and with every V8 version and flag.

import { runTool, UsageFault } from '../../tools/command-line.ts';
import { readFrames } from './frame-file.ts';
import { replay } from './replay.ts';

await runTool({
  usage: `Usage: node testing/determinism/main.ts FILE…

Replays files of command frames and prints one line of JSON for each.`,
  takesPositionals: true,
  run({ positionals: paths }) {
    if (paths.length === 0) throw new UsageFault('Expected at least one file name.');
    for (const path of paths) console.log(JSON.stringify(replay(readFrames(path))));
  },
});
