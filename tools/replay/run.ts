// Executes a replay command line and returns the exit code: 0; 1 if the archive is damaged or has
// no result; 2 if the command line is wrong.

import { ArchiveFault } from '../../infra/journal/index.ts';
import { ChainFault, PoisonFault } from '../../infra/replica/index.ts';
import { UsageFault } from '../command-line.ts';
import { balance, balanceText } from './balance.ts';
import { diff, WrongOrderFault } from './diff.ts';
import { diffText } from './diff-text.ts';
import { orderLife, orderText } from './order.ts';
import { parseRequest, REPLAY_USAGE, type ReplayRequest } from './replay-request.ts';
import { openSource } from './source.ts';
import { verificationText, verify } from './verify.ts';

export interface Output {
  print(text: string): void;
  /** Prints problems and usage. */
  note(text: string): void;
  /** Shows the progress of a long run; `of` is 0 if its length is unknown. */
  progress(frames: number, of: number): void;
}

export async function run(words: readonly string[], output: Output): Promise<number> {
  if (words.includes('--help')) {
    output.print(REPLAY_USAGE);
    return 0;
  }
  try {
    return await answer(parseRequest(words), output);
  } catch (fault) {
    if (fault instanceof UsageFault) {
      const [firstLine] = REPLAY_USAGE.split('\n');
      output.note(`${fault.message}\n${firstLine}\nRun with --help for details.`);
      return 2;
    }
    if (!isExpected(fault)) throw fault;
    output.note((fault as Error).message);
    return 1;
  }
}

async function answer(request: ReplayRequest, output: Output): Promise<number> {
  const { question, folder, isJson, usesSnapshots } = request;
  const onProblem = (problem: unknown) => output.note(String(problem));
  const show = (found: object, text: string) =>
    output.print(isJson ? JSON.stringify(found, atomsAsText, 2) : text);
  if (question.command === 'verify') {
    const onProgress = (frames: number, of: number) => output.progress(frames, of);
    const found = await verify({ folder, usesSnapshots, onProblem, onProgress });
    show(found, verificationText(folder, found));
    return found.isSound ? 0 : 1;
  }
  const source = await openSource({ folder, usesSnapshots, onProblem });
  if (question.command === 'balance') {
    const found = await balance(source, question.options);
    show(found, balanceText(found));
  } else if (question.command === 'order') {
    const found = await orderLife(source, question.options);
    show(found, orderText(found));
  } else {
    const found = await diff(source, question.options);
    show(found, diffText(found));
  }
  return 0;
}

function atomsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** Returns true for a fault in an archive, a disk or a request; all others are bugs. */
function isExpected(fault: unknown): boolean {
  const kinds = [ArchiveFault, ChainFault, PoisonFault, WrongOrderFault];
  return kinds.some((kind) => fault instanceof kind) || isDiskError(fault);
}

function isDiskError(fault: unknown): boolean {
  return fault instanceof Error && 'syscall' in fault;
}
