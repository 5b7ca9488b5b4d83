// Finds the imports of a file: static, re-exported, dynamic, or a worker's URL.

import { posix } from 'node:path';
import { lineAt, type SourceFile } from './source-file.ts';

export type Import = {
  specifier: string;
  line: number;
  /** Path inside the repository; undefined for a package or a `node:` module. */
  target: string | undefined;
};

const importForms = [
  /\bfrom\s*(['"])/g,
  /\bimport\s*(['"])/g,
  /\bimport\s*\(\s*(['"])/g,
  /\bnew\s+URL\s*\(\s*(['"])(?=\s*\1\s*,\s*import\.meta\.url)/g,
];

export function importsOf(file: SourceFile): Import[] {
  const imports: Import[] = [];
  for (const form of importForms) {
    for (const match of file.code.matchAll(form)) {
      const start = match.index + match[0].length;
      const end = file.text.indexOf(match[1], start);
      const specifier = file.text.slice(start, end);
      const target = specifier.startsWith('.')
        ? posix.join(posix.dirname(file.path), specifier)
        : undefined;
      imports.push({ specifier, line: lineAt(file.text, match.index), target });
    }
  }
  return imports;
}
