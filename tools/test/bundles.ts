// Fast test files that share a process, because loading modules takes longer than most tests. Each
// file becomes a suite, so hooks at its top level apply only to it. Tidy keeps fast tests free of
// process-wide state: environment, working directory, exit code.

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export interface BundlePlaces {
  readonly repository: string;
  /** Empty folder for the bundles. */
  readonly bundles: string;
}

/**
 * Returns the files to run: a bundle for each part of the files. Neighbors go into different parts,
 * because a folder's tests take similar time.
 */
export function writeBundles(
  files: readonly string[],
  partsMax: number,
  places: BundlePlaces,
): string[] {
  const parts = Math.min(partsMax, files.length);
  const sorted = [...files].sort();
  return Array.from({ length: parts }, (_, part) =>
    writeBundle(
      `part-${part + 1}`,
      sorted.filter((_file, index) => index % parts === part),
      places,
    ),
  );
}

function writeBundle(
  name: string,
  files: readonly string[],
  { bundles, repository }: BundlePlaces,
): string {
  const suites = files.map((file) => {
    const path = JSON.stringify(relative(repository, file));
    return `suite(${path}, async () => { await import(${JSON.stringify(file)}); });`;
  });
  const bundle = join(bundles, `${name}.test.mjs`);
  writeFileSync(bundle, ["import { suite } from 'node:test';", ...suites, ''].join('\n'));
  return bundle;
}
