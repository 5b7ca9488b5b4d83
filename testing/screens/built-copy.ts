// Builds an edited copy of `apps/` in a separate folder. Never changes the repository.

import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../tools/services/run-program.ts';

const ROOT = join(import.meta.dirname, '../..');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

export interface SourceCopy {
  /** Contains `apps/`, and links to the sources that the apps import. */
  readonly folder: string;
  remove(): void;
}

export function copySources(): SourceCopy {
  // Inside the repository, so packages resolve.
  const folder = join(ROOT, 'tmp', `apps-${randomUUID()}`);
  mkdirSync(folder, { recursive: true });
  const isBuilt = (path: string) => /apps\/\w+\/dist(?:$|\/)/.test(path);
  cpSync(join(ROOT, 'apps'), join(folder, 'apps'), {
    recursive: true,
    filter: (path) => !isBuilt(path),
  });
  for (const name of [
    'client',
    'protocol',
    'features',
    'core',
    'docs',
    'tsconfig.json',
    'package.json',
  ]) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Builds the copied terminal and returns the output folder. */
export async function buildCopy({ folder }: SourceCopy): Promise<string> {
  const built = join(folder, 'built');
  const config = join(folder, 'apps/vite.config.ts');
  const args = [VITE, 'build', '--config', config, '--outDir', built, '--logLevel', 'warn'];
  const { output, succeeded } = await runProgram(process.execPath, args, { folder });
  if (!succeeded) throw new Error(`Cannot build the copy.\n${output.trim()}`);
  return built;
}
