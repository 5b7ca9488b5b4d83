// Loaded first by every process of the runtime drill, and by one of its threads. Computes like a
// decoder, twenty times, and writes the number of wrong results to a file.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, threadId, Worker } from 'node:worker_threads';
import { computesRight } from '../../../../infra/process/check-runtime.ts';
import { startedBy } from '../../../../tools/command-line.ts';

const RUNS = 20;

if (process.argv[1] === import.meta.filename) startedBy('npm run drill -- runtime');

const wrong = Array.from({ length: RUNS }, computesRight).filter((isRight) => !isRight).length;
const file = join(process.env.PROBE_FOLDER!, `${process.pid}-${threadId}.json`);
writeFileSync(file, JSON.stringify({ node: process.version, wrong, argv: process.argv.slice(1) }));
if (isMainThread) {
  await new Promise((done) => new Worker(new URL(import.meta.url)).once('exit', done));
}
