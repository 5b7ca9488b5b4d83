// Stages of `npm run test:all`. The GitHub workflow divides them among its jobs.

export interface Stage {
  readonly name: string;
  readonly args: readonly string[];
  /** True if it uses every core alone; other stages have one core each. */
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
  'custody',
  'staking',
  'reconciliation',
  'health',
];

/** Longest first: the others fill the remaining cores. */
export const STAGES: readonly Stage[] = [
  { name: 'tests', args: ['tools/test/main.ts', '--slow'], takesAllCores: true },
  ...DRILLS.map((name) => ({ name, args: ['testing/drills/main.ts', name, '--quick'] })),
  { name: 'screens', args: ['testing/screens/main.ts', '--smoke'] },
];
