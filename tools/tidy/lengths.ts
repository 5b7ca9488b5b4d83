// Limits on the length of lines, files and functions, with a short list of exceptions and reasons.

import { findFunctions } from './functions.ts';
import {
  isGenerated,
  isTest,
  isTypeScript,
  lineAt,
  type Rule,
  type SourceFile,
  type Violation,
} from './source-file.ts';

const columnsMax = 100;
const fileLinesMax = 600;
const functionLinesMax = 80;

export type LengthException = { path: string; function?: string; linesMax: number; reason: string };

// An exception that is no longer needed is itself a violation.
const exceptions: readonly LengthException[] = [];

export const checkLengths: Rule = (files) => checkLengthsWith(exceptions, files);

export function checkLengthsWith(
  granted: readonly LengthException[],
  files: readonly SourceFile[],
): Violation[] {
  const used = new Set<LengthException>();
  const violations = files
    .filter((file) => /\.(?:ts|sql|ya?ml)$/.test(file.path) && !isGenerated(file.path))
    .flatMap((file) => [
      ...longLines(file),
      ...longBlocks(file).filter(({ name, lines }) => {
        const exception = granted.find((one) => one.path === file.path && one.function === name);
        if (exception !== undefined) used.add(exception);
        return lines > (exception?.linesMax ?? 0);
      }),
    ]);
  const stale = granted.filter((exception) => !used.has(exception));
  return [
    ...violations.map(({ path, line, message }) => ({ path, line, message })),
    ...stale.map(({ path }) => ({
      path,
      line: 1,
      message: 'has a length exception it no longer needs',
    })),
  ];
}

function longLines({ path, text }: SourceFile): Violation[] {
  const violations: Violation[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    // A row of a table in a scenario cannot be wrapped.
    const isTableRow = path.endsWith('.scenario.ts') && line.trimStart().startsWith('|');
    const columns = line.length > columnsMax ? [...line].length : 0;
    if (columns <= columnsMax || isTableRow) continue;
    const message = `is ${columns} columns wide; the limit is ${columnsMax}`;
    violations.push({ path, line: index + 1, message });
  }
  return violations;
}

type LongBlock = Violation & { name: string | undefined; lines: number };

function longBlocks(file: SourceFile): LongBlock[] {
  if (!isTypeScript(file)) return [];
  const blocks: LongBlock[] = [];
  const { path, text, code } = file;
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  if (lines > fileLinesMax) {
    const message = `has ${lines} lines; the limit is ${fileLinesMax}`;
    blocks.push({ path, line: 1, message, name: undefined, lines });
  }
  for (const { name, start, end, isArrow } of findFunctions(code)) {
    if (isArrow && isTest(path)) continue;
    const line = lineAt(text, start);
    const length = lineAt(text, end) - line + 1;
    if (length <= functionLinesMax) continue;
    const message = `${name} has ${length} lines; the limit is ${functionLinesMax}`;
    blocks.push({ path, line, message, name, lines: length });
  }
  return blocks;
}
