// The stages of `npm run test:all`. The workflow of GitHub divides them among its jobs.

export interface Stage {
  readonly name: string;
  readonly args: readonly string[];
  /** Uses every core by itself; other stages have one core each. */
  readonly takesAllCores?: boolean;
}

const DRILLS = [
  'runtime',
  'mutations',
  'journal',
  'failover',
  'upgrade',
  'requests',
  'withdrawals',
  'staking',
  'reconciliation',
  'health',
];

/** The longest first: the others fill the cores beside it. */
export const STAGES: readonly Stage[] = [
  { name: 'tests', args: ['tools/test/main.ts', '--slow'], takesAllCores: true },
  ...DRILLS.map((name) => ({ name, args: ['testing/drills/main.ts', name, '--quick'] })),
  { name: 'screens', args: ['testing/screens/main.ts', '--smoke'] },
];
