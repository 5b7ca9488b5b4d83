// Answers questions about an archived log: `npm run replay -- COMMAND --archive FOLDER`. See
// docs/operating/replay.md.

import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  print: (text) => console.log(text),
  note: (text) => console.error(text),
  progress: (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
  },
});
