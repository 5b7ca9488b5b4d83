// Fast test files that share a process, because loading a package's modules takes longer than most
// of its tests. Each file becomes a suite, so hooks at its top level apply only to it. Tidy keeps
// fast tests free of process-wide state: environment, working directory, exit code.

import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Few enough to keep all cores busy until the end. */
const FILES_MAX = 32;

export interface BundlePlaces {
  readonly repository: string;
  /** Empty folder for the bundles. */
  readonly bundles: string;
}

/**
 * Returns the files to run: a bundle for each part of a top folder, or the file itself if it is
 * alone.
 */
export function writeBundles(files: readonly string[], places: BundlePlaces): string[] {
  const folders = Map.groupBy([...files].sort(), (file) => topFolder(file, places.repository));
  return [...folders]
    .flatMap(([folder, members]) =>
      partsOf(members).map((part, index) => ({ name: `${folder}-${index + 1}`, part })),
    )
    .map(({ name, part }) => (part.length === 1 ? part[0] : writeBundle(name, part, places)));
}

function topFolder(file: string, repository: string): string {
  return relative(repository, file).split('/')[0];
}

function partsOf(files: readonly string[]): string[][] {
  const parts = Math.ceil(files.length / FILES_MAX);
  return Array.from({ length: parts }, (_, part) =>
    files.filter((_file, index) => index % parts === part),
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
