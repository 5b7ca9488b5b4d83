// Prints a file of frames as lines of JSON: `node tools/read-frame/main.ts FILE`.

import { readFileSync } from 'node:fs';
import { CodecFault } from '../../core/messages/index.ts';
import { frameLines } from './frame-lines.ts';

const [path, ...others] = process.argv.slice(2);

if (path === undefined || others.length > 0) {
  console.error('Usage: node tools/read-frame/main.ts FILE');
  process.exitCode = 2;
} else {
  try {
    for (const line of frameLines(readFileSync(path))) console.log(line);
  } catch (fault) {
    if (!(fault instanceof CodecFault)) throw fault;
    console.error(fault.message);
    process.exitCode = 1;
  }
}
