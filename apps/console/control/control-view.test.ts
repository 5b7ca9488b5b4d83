// The overview asks for the control mode once, and later recommends team mode.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTeamPossible, modePrompt } from './control-view.ts';

const CHOSEN = '2026-11-18T10:00:00.000Z';

test('the mode is chosen once, and team mode is recommended from two administrators', () => {
  const table = [
    ['solo', null, 1, 'choose'],
    ['solo', null, 2, 'choose'],
    ['solo', CHOSEN, 1, 'none'],
    ['solo', CHOSEN, 2, 'recommend-team'],
    ['team', null, 2, 'none'],
    ['team', CHOSEN, 3, 'none'],
  ] as const;
  for (const [mode, chosen_at, administrators, expected] of table) {
    const prompt = modePrompt({ mode, chosen_at, administrators });
    assert.equal(prompt, expected, `${mode} ${chosen_at} ${administrators}`);
  }
});

test('team mode needs two administrators', () => {
  assert.deepEqual(
    [0, 1, 2, 3].map((administrators) => isTeamPossible({ administrators })),
    [false, false, true, true],
  );
});
