// Prints a file of frames as JSON lines: `npx node tools/read-frame/main.ts FILE`.

import { readFileSync } from 'node:fs';
import { CodecFault } from '../../core/messages/index.ts';
import { runTool, ToolFault, UsageFault } from '../command-line.ts';
import { frameLines } from './frame-lines.ts';

await runTool({
  usage: `Usage: npx node tools/read-frame/main.ts FILE

Prints a file of command or event frames as lines of JSON: the header of each
frame, then one line per command or event.`,
  takesPositionals: true,
  run({ positionals: [path, ...others] }) {
    if (path === undefined) throw new UsageFault('FILE is required.');
    if (others.length > 0) throw new UsageFault(`Unexpected argument '${others[0]}'.`);
    try {
      for (const line of frameLines(readFileSync(path))) console.log(line);
    } catch (fault) {
      if (!(fault instanceof CodecFault)) throw fault;
      throw new ToolFault(`${path} is not a frame file: ${fault.message}`);
    }
  },
});
