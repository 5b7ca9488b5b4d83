// Keeps the core a pure function of its commands: no clock, no randomness, no I/O, no async code.
// Packages that count money also have no fractions. The core's tests and benches are exempt.

import {
  isTestOrBench,
  isTypeScript,
  lineAt,
  type Rule,
  type SourceFile,
  type Violation,
} from './source-file.ts';

type Ban = { pattern: RegExp; because: string };

const name = (names: string): RegExp => new RegExp(`(?<![.\\w$])(?:${names})(?![\\w$])`, 'g');
const member = (names: string): RegExp => new RegExp(`\\.(?:${names})(?![\\w$])`, 'g');

// Comparison and integer functions; the others are inexact or differ between machines.
const exactMath = 'abs|ceil|clz32|floor|imul|max|min|sign|trunc';

const bansInCore: Ban[] = [
  { pattern: name('Date|performance'), because: 'time enters only as a field of a frame' },
  { pattern: name('crypto'), because: 'randomness enters only as a field of a command' },
  {
    pattern: name('process|globalThis|console|fetch'),
    because: 'the core has no access to the machine',
  },
  { pattern: name('setTimeout|setInterval|setImmediate'), because: 'the core has no timers' },
  { pattern: name('queueMicrotask|async|await|Promise'), because: 'the core is synchronous' },
  { pattern: name('WeakRef|FinalizationRegistry'), because: 'garbage collection is not replayed' },
  { pattern: name('Intl'), because: 'the result depends on the locale of the machine' },
  {
    pattern: member('toLocale\\w*|localeCompare'),
    because: 'the result depends on the locale of the machine',
  },
  { pattern: name('parseFloat'), because: 'decimals are parsed from their text, without a float' },
  {
    pattern: member('parseFloat'),
    because: 'decimals are parsed from their text, without a float',
  },
  {
    pattern: new RegExp(`(?<![.\\w$])Math\\.(?!(?:${exactMath})(?![\\w$]))\\w+`, 'g'),
    because: `of Math only ${exactMath.replaceAll('|', ', ')} are exact everywhere`,
  },
];

const moneyPackages = ['core/money/', 'core/ledger/', 'core/engine/'];

const bansWhereMoneyIsCounted: Ban[] = [
  { pattern: member('toFixed|toPrecision|toExponential'), because: 'money is never a float' },
  {
    pattern: /(?<![\w$.])(?:\d[\d_]*\.\d[\d_]*|\.\d[\d_]*)|(?<![\w$])\d[\d_.]*e-\d+/gi,
    because: 'money is never a float',
  },
];

export const checkCorePurity: Rule = (files) =>
  files
    .filter((file) => isTypeScript(file) && file.path.startsWith('core/'))
    .filter((file) => !isTestOrBench(file.path))
    .flatMap(checkFile);

function checkFile(file: SourceFile): Violation[] {
  const countsMoney = moneyPackages.some((folder) => file.path.startsWith(folder));
  const bans = countsMoney ? [...bansInCore, ...bansWhereMoneyIsCounted] : bansInCore;
  return bans.flatMap(({ pattern, because }) =>
    [...file.code.matchAll(pattern)].map((match) => ({
      path: file.path,
      line: lineAt(file.text, match.index),
      message: `'${match[0]}' is not allowed here: ${because}`,
    })),
  );
}
