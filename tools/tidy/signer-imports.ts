// Keeps the signer small: everything that its process loads imports only these packages and Node
// modules. A new one is a decision about who can read private keys.

import { importsOf } from './imports.ts';
import { isTestOrBench, isTypeScript, type Rule, type SourceFile } from './source-file.ts';

const ENTRY = 'services/signer/main.ts';

const PACKAGES = [
  '@ethereumjs/rlp',
  '@noble/curves',
  '@noble/hashes',
  '@scure/bip32',
  // Log lines, and metrics of the same package, which the signer never opens.
  'pino',
  'prom-client',
];

/** `node:http` is the health server of `infra/process`, which the signer does not start. */
const NODE_MODULES = [
  'node:child_process',
  'node:crypto',
  'node:events',
  'node:fs',
  'node:fs/promises',
  'node:http',
  'node:net',
  'node:os',
  'node:path',
  'node:perf_hooks',
  'node:timers',
  'node:util',
];

export const checkSignerImports: Rule = (files) => {
  const byPath = new Map(files.filter(isTypeScript).map((file) => [file.path, file]));
  return [...loadedFrom(ENTRY, byPath)].flatMap((file) =>
    importsOf(file)
      .filter(({ specifier, target }) => target === undefined && !isAllowed(specifier))
      .map(({ line, specifier }) => ({
        path: file.path,
        line,
        message: `the signer loads this file and must not import '${specifier}'`,
      })),
  );
};

function loadedFrom(entry: string, byPath: ReadonlyMap<string, SourceFile>): Set<SourceFile> {
  const loaded = new Set<SourceFile>();
  const load = (path: string) => {
    const file = byPath.get(path);
    if (file === undefined || loaded.has(file) || isTestOrBench(path)) return;
    loaded.add(file);
    for (const { target } of importsOf(file)) if (target !== undefined) load(target);
  };
  load(entry);
  return loaded;
}

function isAllowed(specifier: string): boolean {
  if (specifier.startsWith('node:')) return NODE_MODULES.includes(specifier);
  return PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
}
