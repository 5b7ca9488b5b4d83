// Constructs that Rialto forbids, which leaves one way to write each thing.

import { isTypeScript, lineAt, type Rule, type SourceFile, type Violation } from './source-file.ts';

type Ban = { pattern: RegExp; message: string };

const bansInCode: Ban[] = [
  {
    pattern: /(?<![.\w$])enum\s+[\w$]+\s*\{/g,
    message: 'use a union of strings instead of an enum',
  },
  {
    // `extends` inside angle brackets is a constraint of a type parameter.
    pattern: /\bclass\b(?:[^{;<]|<[^{;>]*>)*?\bextends\s+(?![\w$.]*Error\b)/g,
    message: 'a class may only extend an Error',
  },
  {
    pattern: /\b(?:test|it|describe|suite|t)\s*\.\s*(?:only|skip|todo)\b/g,
    message: 'a test must always run; delete it otherwise',
  },
  {
    pattern: /\{\s*(?:[\w$]+\s*:[^{}]*,\s*)?(?:only|skip|todo)\s*:\s*true\b/g,
    message: 'a test must always run; delete it otherwise',
  },
  {
    pattern: /\.\.\.\s*(?:\{[^{}]*\}|\[[^[\]]*\])\s*[,}\])]/g,
    message: 'write the fields or elements themselves instead of spreading a literal',
  },
];

const bansInComments: Ban[] = [
  {
    pattern: /\bTODO\b(?!\(#\d+\):)/g,
    message: 'write TODO(#number): with the number of the issue',
  },
  { pattern: /\b(?:FIXME|XXX|HACK)\b/g, message: 'write NOTE: or TODO(#number):' },
];

// Vite reads its configuration from the default export.
const bansOutsideConfig: Ban[] = [
  { pattern: /\bexport\s+default\b/g, message: 'export by name, not by default' },
];

// The published client re-exports all of its generated files.
const bansOutsideClient: Ban[] = [
  { pattern: /\bexport\s+(?:type\s+)?\*/g, message: 'list the exported names' },
];

// Fast tests share processes: see tools/test/bundles.ts.
const sharedProcess = 'fast tests share a process: pass the value instead of changing the process';
const bansInFastTests: Ban[] = [
  { pattern: /\bprocess\.chdir\b/g, message: sharedProcess },
  { pattern: /\bprocess\.exitCode\s*=[^=]/g, message: sharedProcess },
  {
    pattern: /\bprocess\.env(?:\.\w+|\[[^\]]*\])\s*(?:\?\?)?=[^=]|\bdelete\s+process\.env\b/g,
    message: sharedProcess,
  },
  { pattern: /\bglobalThis\.\w+\s*=[^=]/g, message: sharedProcess },
];

export const checkForbiddenSyntax: Rule = (files) =>
  files
    .filter(isTypeScript)
    .flatMap((file) => [
      ...search(file, file.code, bansInCode),
      ...search(file, file.code, /\/vite\.config\.ts$/.test(file.path) ? [] : bansOutsideConfig),
      ...search(file, file.code, file.path.startsWith('client/') ? [] : bansOutsideClient),
      ...search(file, file.code, isFastTest(file) ? bansInFastTests : []),
      ...search(file, file.comments, bansInComments),
    ]);

function isFastTest({ path }: SourceFile): boolean {
  return path.endsWith('.test.ts') && !path.endsWith('.slow.test.ts');
}

function search(file: SourceFile, text: string, bans: Ban[]): Violation[] {
  return bans.flatMap(({ pattern, message }) =>
    [...text.matchAll(pattern)].map((match) => ({
      path: file.path,
      line: lineAt(text, match.index),
      message,
    })),
  );
}
