// Runs a replay command line and captures its output. Only tests import it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from './run.ts';

export interface Answer {
  readonly code: number;
  readonly printed: string;
  readonly noted: string;
}

/** Runs the command line as typed; an argument must not contain a space. */
export async function ask(question: string): Promise<Answer> {
  const output = { printed: '', noted: '' };
  const code = await run(question.split(' '), {
    print: (text) => {
      output.printed += `${text}\n`;
    },
    note: (text) => {
      output.noted += `${text}\n`;
    },
    progress: () => undefined,
  });
  return { code, ...output };
}

/** Creates a temporary folder, removed after the test. */
export async function folderFor(test: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-replay-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
