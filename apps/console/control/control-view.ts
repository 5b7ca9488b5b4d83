// The console's view of the control mode, based on the exchange's response.

import type { Control } from '../../../client/index.ts';

export type Mode = Control['mode'];

export const MODES = ['solo', 'team'] as const satisfies readonly Mode[];

/** With fewer, administrators could not approve each other's actions. */
export const ADMINISTRATORS_FOR_TEAM = 2;

type Known = Pick<Control, 'administrators' | 'chosen_at' | 'mode'>;

/** Returns whether the overview asks for the first choice or recommends team mode. */
export type ModePrompt = 'choose' | 'recommend-team' | 'none';

export function modePrompt({ administrators, chosen_at, mode }: Known): ModePrompt {
  if (mode === 'team') return 'none';
  if (chosen_at === null) return 'choose';
  return administrators >= ADMINISTRATORS_FOR_TEAM ? 'recommend-team' : 'none';
}

export function isTeamPossible({ administrators }: Pick<Control, 'administrators'>): boolean {
  return administrators >= ADMINISTRATORS_FOR_TEAM;
}
