// Builds the publishable client package from client/: JavaScript with type declarations, because
// Node does not strip types from installed packages. Writes only to the given folder.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');
const source = join(root, 'client');

/** Writes the package to FOLDER/package and its tarball to FOLDER; returns the tarball's path. */
export function packClient(folder: string): string {
  const home = resolve(folder, 'package');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  compile(home);
  for (const page of globSync('examples/**/*.html', { cwd: source })) {
    cpSync(join(source, page), join(home, page), { recursive: true });
  }
  writeFileSync(join(home, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(source, 'README.md'), join(home, 'README.md'));
  for (const name of ['LICENSE', 'NOTICE']) copyFileSync(join(root, name), join(home, name));
  return tarball(home, resolve(folder));
}

function compile(home: string): void {
  const settings = join(home, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    incremental: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    target: 'es2024',
    outDir: home,
    rootDir: source,
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const examples = globSync('examples/*/main.ts', { cwd: source });
  const files = ['index.ts', ...examples].map((path) => join(source, path));
  const text = { extends: join(root, 'tsconfig.json'), include: [], files, compilerOptions };
  writeFileSync(settings, JSON.stringify(text));
  try {
    run(join(root, 'node_modules/.bin/tsc'), ['--project', settings], home);
  } finally {
    rmSync(settings);
  }
  for (const path of globSync('examples/*/main.d.ts', { cwd: home })) rmSync(join(home, path));
}

function manifest(): Record<string, unknown> {
  const text = readFileSync(join(source, 'package.json'), 'utf8');
  const { private: _, ...given } = JSON.parse(text) as Record<string, unknown>;
  return {
    ...given,
    types: './index.d.ts',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts', 'examples', 'NOTICE'],
  };
}

function tarball(home: string, destination: string): string {
  const printed = run('npm', ['pack', '--json', '--pack-destination', destination], home);
  const packed = Object.values(JSON.parse(printed) as object)[0] as { readonly filename: string };
  return join(destination, packed.filename);
}

function run(program: string, args: readonly string[], folder: string): string {
  const { error, status, stderr, stdout } = spawnSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]} failed: ${stdout}${stderr}`, { cause: error });
}
