// Every TypeScript file is reached by imports from something that runs or is offered to others.

import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { packageOf } from './layers.ts';
import { isTest, isTypeScript, type Rule } from './source-file.ts';

export const checkDeadFiles: Rule = (files) => {
  const sources = new Map(files.filter(isTypeScript).map((file) => [file.path, file]));
  const reached = new Set([...sources.keys()].filter(isEntry));
  // A set visits what is added to it while it is walked.
  for (const path of reached) {
    const file = sources.get(path);
    if (file === undefined) continue;
    for (const { target } of importsOf(file)) {
      if (target !== undefined) reached.add(target);
    }
  }
  return [...sources.keys()]
    .filter((path) => !reached.has(path))
    .map((path) => ({ path, line: 1, message: 'nothing that runs imports this file' }));
};

function isEntry(path: string): boolean {
  const isPackageIndex = path === `${packageOf(path)}/index.ts`;
  return isPackageIndex || posix.basename(path) === 'main.ts' || isRun(path);
}

function isRun(path: string): boolean {
  return isTest(path) || path.endsWith('.bench.ts');
}
