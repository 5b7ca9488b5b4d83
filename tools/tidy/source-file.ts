// Source file as input for the rules, and the format of violations.

import { stripSource } from './strip-source.ts';

export type SourceFile = {
  /** Relative to the repository root, with forward slashes. */
  path: string;
  text: string;
  /** TypeScript only: the text with comments and literals blanked, offsets unchanged. */
  code: string;
  /** TypeScript only: the text with everything but comments blanked, offsets unchanged. */
  comments: string;
};

export type Violation = { path: string; line: number; message: string };

export type Rule = (files: readonly SourceFile[]) => Violation[];

export function sourceFile(path: string, text: string): SourceFile {
  const stripped = isScript(path) ? stripSource(text) : { code: '', comments: '' };
  return { path, text, ...stripped };
}

export function isTypeScript(file: SourceFile): boolean {
  return isScript(file.path);
}

function isScript(path: string): boolean {
  return /\.tsx?$/.test(path);
}

export function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}

/** Includes the helpers that only tests and benches import. */
export function isTestOrBench(path: string): boolean {
  return isTest(path) || path.endsWith('-for-test.ts') || path.endsWith('.bench.ts');
}

export function isGenerated(path: string): boolean {
  return path.endsWith('.generated.ts');
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
  }
  return line;
}
