// Replays files of command frames: `node testing/determinism/main.ts FILE…`. Prints one line of
// JSON for each file, the same on every machine and under every version and flag of V8.

import { readFrames } from './frame-file.ts';
import { replay } from './replay.ts';

const paths = process.argv.slice(2);

if (paths.length === 0) {
  console.error('Usage: node testing/determinism/main.ts FILE…');
  process.exitCode = 2;
}
for (const path of paths) console.log(JSON.stringify(replay(readFrames(path))));
