// Queries an archived log: `npm run replay -- COMMAND --archive FOLDER`. See
// docs/operating/replay.md.

import { Progress } from '../progress.ts';
import { run } from './run.ts';

const progress = new Progress('replaying frames');
process.exitCode = await run(process.argv.slice(2), {
  print: (text) => console.log(text),
  note: (text) => console.error(text),
  progress: (frames, of) => progress.update(frames, of),
}).finally(() => progress.stop());
