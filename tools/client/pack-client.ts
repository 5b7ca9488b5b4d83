// Makes of client/ what can be published: JavaScript and declarations, since Node strips no types
// from packages, with a manifest that points there. Nothing is written elsewhere.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'client');

export function packClient(to: string): void {
  const folder = resolve(to);
  mkdirSync(folder, { recursive: true });
  compile(folder);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(source, 'README.md'), join(folder, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

function compile(folder: string): void {
  const settings = join(folder, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    target: 'es2024',
    outDir: folder,
    rootDir: source,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const files = [join(source, 'index.ts')];
  const text = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions };
  writeFileSync(settings, JSON.stringify(text));
  try {
    const { status, stderr, stdout } = spawnSync(
      join(root, 'node_modules/.bin/tsc'),
      ['--project', settings],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`the client does not compile: ${stdout}${stderr}`);
  } finally {
    rmSync(settings);
  }
}

function manifest(): Record<string, unknown> {
  const text = readFileSync(join(source, 'package.json'), 'utf8');
  const given = JSON.parse(text) as Record<string, unknown>;
  return { ...given, exports: { '.': { types: './index.d.ts', default: './index.js' } } };
}
