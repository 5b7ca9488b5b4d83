// Every TypeScript file must be imported, directly or indirectly, by an entry point or an index.

import { posix } from 'node:path';
import { packageOf } from './check-layers.ts';
import { importsOf } from './imports.ts';
import { isTest, isTypeScript, type Rule } from './source-file.ts';

export const checkDeadFiles: Rule = (files) => {
  const sources = new Map(files.filter(isTypeScript).map((file) => [file.path, file]));
  const reached = new Set([...sources.keys()].filter(isEntry));
  // Iterating a set also visits entries added during the iteration.
  for (const path of reached) {
    const file = sources.get(path);
    if (file === undefined) continue;
    for (const { target } of importsOf(file)) {
      if (target !== undefined) reached.add(target);
    }
  }
  return [...sources.keys()]
    .filter((path) => !reached.has(path))
    .map((path) => ({ path, line: 1, message: 'no entry point imports this file' }));
};

function isEntry(path: string): boolean {
  const isPackageIndex = path === `${packageOf(path)}/index.ts`;
  const isMain = /^main\.tsx?$|^vite\.config\.ts$/.test(posix.basename(path));
  return isPackageIndex || isMain || isScreen(path) || isRun(path);
}

/** Screens are loaded by path. */
function isScreen(path: string): boolean {
  return /^apps\/[^/]+\/screens\/[^/]+\.tsx$/.test(path);
}

function isRun(path: string): boolean {
  return isTest(path) || path.endsWith('.bench.ts');
}
