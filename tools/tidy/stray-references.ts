// The repository is self-contained: no local paths and no package hosts in its text.

import { lineAt, type Rule } from './source-file.ts';

const strays: { pattern: RegExp; message: string }[] = [
  {
    pattern: new RegExp(
      [
        String.raw`\bregistry\.(?!slow\.test)[\w-]+\.\w+`,
        String.raw`\b(?:npmjs\.(?:org|com)|npmmirror\.com|yarnpkg\.com|jsr\.io)\b`,
      ].join('|'),
      'gi',
    ),
    message: 'names a package registry; the user of the repository chooses one',
  },
  {
    pattern: /\.\.\/shared\b/g,
    message: 'refers to a folder outside the repository',
  },
  {
    pattern: /(?<![\w.~/:-])\/(?:work|root|Users)(?![\w-])/g,
    message: 'refers to a path of one machine',
  },
];

export const checkStrayReferences: Rule = (files) =>
  files.flatMap(({ path, text }) =>
    strays.flatMap(({ pattern, message }) =>
      [...text.matchAll(pattern)].map((match) => ({
        path,
        line: lineAt(text, match.index),
        message: `'${match[0]}' ${message}`,
      })),
    ),
  );
