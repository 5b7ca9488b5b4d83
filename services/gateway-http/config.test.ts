// Only a process with the operator routes and without the terminal can serve the console.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemOfConsole, screensFolder } from './config.ts';

const ALL = ['public', 'user', 'admin', 'identity'] as const;

test('the console needs a separate origin and the operator routes', () => {
  const table: [
    console: string | undefined,
    terminal: string | undefined,
    admin: boolean,
    RegExp?,
  ][] = [
    [undefined, undefined, true],
    [undefined, '/terminal', true],
    [undefined, '/terminal', false],
    ['/console', undefined, true],
    ['/console', '/terminal', true, /is set with RIALTO_TERMINAL_FOLDER/],
    ['/console', undefined, false, /without the module admin/],
  ];
  for (const [consoleFolder, terminalFolder, isAdmin, expected] of table) {
    const modules = ALL.filter((one) => isAdmin || one !== 'admin');
    const problem = problemOfConsole({ consoleFolder, terminalFolder, modules });
    if (expected === undefined) assert.equal(problem, undefined);
    else assert.match(problem ?? '', expected);
  }
});

test('the folder is that of the configured app', () => {
  const folder = (consoleFolder?: string, terminalFolder?: string) =>
    screensFolder({ consoleFolder, terminalFolder });
  assert.equal(folder(), undefined);
  assert.equal(folder(undefined, '/terminal'), '/terminal');
  assert.equal(folder('/console'), '/console');
});
