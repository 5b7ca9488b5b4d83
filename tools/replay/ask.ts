// For tests: asks a question as a command line would and keeps what was said.

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

/** The words as they would be typed; none of them has a space in it. */
export async function ask(question: string): Promise<Answer> {
  const said = { printed: '', noted: '' };
  const code = await run(question.split(' '), {
    print: (text) => {
      said.printed += `${text}\n`;
    },
    note: (text) => {
      said.noted += `${text}\n`;
    },
    progress: () => undefined,
  });
  return { code, ...said };
}

/** A folder that goes away with the test. */
export async function folderFor(test: Pick<TestContext, 'after'>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rialto-replay-'));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
