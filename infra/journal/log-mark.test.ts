// The memory of a process without tables: how far it has followed the log.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { until } from '../../tools/services/wait-until.ts';
import { systemClock } from '../process/index.ts';
import { folderFor } from './archive-for-test.ts';
import { LogMark, logMarkOf } from './log-mark.ts';

const FOUND = { exchangeId: 'a1', completeSinceMs: 5_000, lastFrame: 7 };

test('a mark follows the log and is read back', async (context) => {
  const logMarkFile = join(await folderFor(context), 'log-mark');
  assert.equal(await logMarkOf({ logMarkFile })(), undefined);
  let frame = 0;
  const mark = new LogMark({
    file: logMarkFile,
    clock: systemClock,
    found: FOUND,
    frame: () => frame,
    onProblem: (problem) => assert.fail(String(problem)),
  });
  context.after(() => mark.stop());
  const written = () =>
    existsSync(logMarkFile) && readFileSync(logMarkFile, 'utf8').includes(`frame ${frame}\n`);
  const known = { by: logMarkFile, exchangeId: 'a1', completeSinceMs: 5_000 };
  frame = 7;
  await until('the frame at the start is written', written);
  assert.deepEqual(await logMarkOf({ logMarkFile })(), { ...known, frame: 7 });
  frame = 9;
  await until('a later frame is written', written);
  assert.deepEqual(await logMarkOf({ logMarkFile })(), { ...known, frame: 9 });
});

test('a damaged mark is named; without a setting there is none', async (context) => {
  const logMarkFile = join(await folderFor(context), 'log-mark');
  writeFileSync(logMarkFile, 'frame 1');
  await assert.rejects(logMarkOf({ logMarkFile })(), /log-mark is not a mark of the log/);
  assert.equal(await logMarkOf({ logMarkFile: undefined })(), undefined);
});
