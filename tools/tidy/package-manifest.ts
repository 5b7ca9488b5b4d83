// package.json pins exact versions, documents every dependency, and has only the agreed scripts.

import type { Rule } from './source-file.ts';

// All allowed scripts of `npm run`.
const scriptNames = new Set([
  'dev',
  'start',
  'check',
  'fix',
  'test',
  'test:all',
  'agents',
  'bench',
  'drill',
  'simulate',
  'clients',
  'screens',
  'replay',
  'restore',
  'migrate',
  'services',
  'rialto',
]);

const exactVersion = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;

const reasonsPath = 'docs/decisions/dependencies.md';

type Manifest = Record<string, Record<string, string> | undefined>;

export const checkPackageManifest: Rule = (files) => {
  const textOf = (path: string) => files.find((file) => file.path === path)?.text;
  const manifest = JSON.parse(textOf('package.json') ?? '{}') as Manifest;
  const reasons = textOf(reasonsPath) ?? '';
  const messages: string[] = [];

  for (const name of Object.keys(manifest.scripts ?? {})) {
    if (!scriptNames.has(name)) messages.push(`script '${name}' is not in the agreed list`);
  }
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
      if (!exactVersion.test(version))
        messages.push(`${name} '${version}' is not an exact version`);
      if (!reasons.includes(`\`${name}\``)) messages.push(`${name} has no line in ${reasonsPath}`);
    }
  }
  if (/"resolved":/.test(textOf('package-lock.json') ?? '')) {
    messages.push('package-lock.json contains download URLs; see .npmrc');
  }
  return messages.map((message) => ({ path: 'package.json', line: 1, message }));
};
