// `rialto status` shows the control mode in one line, with a pending change, to roles that read it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RialtoError } from '../../client/rialto-error.ts';
import { showStatus } from './status.ts';
import { openTerminal } from './terminal.ts';

const HEALTH = { status: 'well', alarms: [], leaders: [], processes: [], queues: [] };
const FORBIDDEN = new RialtoError({ message: '', status: 403, isOutcomeUnknown: false });

async function shown(control: object | Error): Promise<string[]> {
  const lines: string[] = [];
  const print = (line: string) => void lines.push(line);
  const surroundings = { environment: { NO_COLOR: '1' }, print, note: () => {} };
  const call = async (route: string) => {
    if (route === 'getExchangeHealth') return HEALTH;
    if (control instanceof Error) throw control;
    return control;
  };
  await showStatus({ call }, openTerminal(surroundings, { json: false, yes: false }));
  return lines.filter((line) => line.startsWith('Control mode'));
}

test('the mode is one line, with the time of a pending change', async () => {
  assert.deepEqual(await shown({ mode: 'solo', solo_from: null }), ['Control mode: solo']);
  assert.deepEqual(await shown({ mode: 'team', solo_from: null }), ['Control mode: team']);
  const from = '2026-11-19T10:00:00.000Z';
  assert.deepEqual(await shown({ mode: 'team', solo_from: from }), [
    `Control mode: team, solo from ${from}`,
  ]);
});

test('a role that cannot read the mode still sees the health', async () => {
  assert.deepEqual(await shown(FORBIDDEN), []);
  await assert.rejects(shown(new Error('unreachable')), /unreachable/);
});
