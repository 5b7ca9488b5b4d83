// Does what a command line asks for and says how it ended: 0, 1 when the archive is not sound or
// does not hold what was asked for, 2 when the words were not understood.

import { ArchiveFault } from '../../infra/journal/index.ts';
import { ChainFault, PoisonFault } from '../../infra/replica/index.ts';
import { balance, balanceText } from './balance.ts';
import { type CommandLine, parseCommandLine, USAGE, UsageFault } from './command-line.ts';
import { diff, WrongOrderFault } from './diff.ts';
import { diffText } from './diff-text.ts';
import { orderLife, orderText } from './order.ts';
import { openSource } from './source.ts';
import { verificationText, verify } from './verify.ts';

export interface Output {
  print(text: string): void;
  /** What is not the answer: problems, and how to ask. */
  note(text: string): void;
  /** How far a long run has come. */
  progress(text: string): void;
}

export async function run(words: readonly string[], output: Output): Promise<number> {
  if (words.includes('--help')) {
    output.print(USAGE);
    return 0;
  }
  try {
    return await answer(parseCommandLine(words), output);
  } catch (fault) {
    if (fault instanceof UsageFault) {
      output.note(`${fault.message}\n\n${USAGE}`);
      return 2;
    }
    if (!isExpected(fault)) throw fault;
    output.note((fault as Error).message);
    return 1;
  }
}

async function answer(line: CommandLine, output: Output): Promise<number> {
  const { asked, folder, isJson, usesSnapshots } = line;
  const onProblem = (problem: unknown) => output.note(String(problem));
  const show = (found: object, text: string) =>
    output.print(isJson ? JSON.stringify(found, atomsAsText, 2) : text);
  if (asked.verb === 'verify') {
    const onProgress = (frames: number, of: number) => output.progress(`${frames} of ${of} frames`);
    const found = await verify({ folder, usesSnapshots, onProblem, onProgress });
    show(found, verificationText(folder, found));
    return found.isSound ? 0 : 1;
  }
  const source = await openSource({ folder, usesSnapshots, onProblem });
  if (asked.verb === 'balance') {
    const found = await balance(source, asked.options);
    show(found, balanceText(found));
  } else if (asked.verb === 'order') {
    const found = await orderLife(source, asked.options);
    show(found, orderText(found));
  } else {
    const found = await diff(source, asked.options);
    show(found, diffText(found));
  }
  return 0;
}

function atomsAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

/** What may be wrong with an archive, a disk or a question; everything else is a bug of ours. */
function isExpected(fault: unknown): boolean {
  const kinds = [ArchiveFault, ChainFault, PoisonFault, WrongOrderFault];
  return kinds.some((kind) => fault instanceof kind) || isDiskError(fault);
}

function isDiskError(fault: unknown): boolean {
  return fault instanceof Error && 'syscall' in fault;
}
