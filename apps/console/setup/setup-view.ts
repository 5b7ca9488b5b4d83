// Steps from an empty exchange to the first trade, and the checklist of what is still unsafe. Each
// is read from the exchange, so setup continues wherever it was left, in any browser or on the
// command line.

import type { Control, ExchangeHealth, ListedCoin, ListedPair } from '../../../client/index.ts';

export interface SetupFacts {
  readonly isModeChosen: boolean;
  readonly title: string;
  readonly mailsSent: boolean;
  readonly coins: readonly Pick<ListedCoin, 'symbol' | 'allow_deposit'>[];
  readonly pairs: readonly Pick<ListedPair, 'name' | 'status'>[];
}

export const STEPS = ['mode', 'name', 'mail', 'assets', 'markets'] as const;
export type Step = (typeof STEPS)[number];

const RELEASED_TITLE = 'Rialto';

export function isDone(step: Step, facts: SetupFacts): boolean {
  switch (step) {
    case 'mode':
      return facts.isModeChosen;
    case 'name':
      return facts.title !== RELEASED_TITLE;
    case 'mail':
      return facts.mailsSent;
    case 'assets':
      return facts.coins.filter(({ allow_deposit: isOpen }) => isOpen).length > 1;
    case 'markets':
      return facts.pairs.some(({ status }) => status === 'full');
  }
}

export interface SafetyFacts {
  readonly control: Pick<Control, 'administrators' | 'mode'> | undefined;
  readonly health: Pick<ExchangeHealth, 'ages' | 'alarms' | 'disks'> | undefined;
  readonly supportLink: string;
}

export type Risk =
  | 'oneAdministrator'
  | 'solo'
  | 'noBackup'
  | 'noRestore'
  | 'noHealth'
  | 'alarms'
  | 'noSupport';

/** Risks that remain, the gravest first. */
export function risksOf({ control, health, supportLink }: SafetyFacts): readonly Risk[] {
  const risks: [Risk, boolean][] = [
    ['noHealth', health === undefined],
    ['alarms', health !== undefined && health.alarms.length > 0],
    ['noBackup', health !== undefined && health.ages.backup_ms === null],
    ['noRestore', health !== undefined && health.ages.restore_drill_ms === null],
    ['oneAdministrator', control !== undefined && control.administrators < 2],
    ['solo', control?.mode === 'solo'],
    ['noSupport', supportLink === ''],
  ];
  return risks.filter(([, isTrue]) => isTrue).map(([name]) => name);
}
