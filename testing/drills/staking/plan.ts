// Plan of the drill: pools, their rates and the daily prices, from which judge.ts computes the
// expected payments without reading the reward tables.

export interface PoolPlan {
  readonly name: string;
  readonly reward: 'btc' | 'usdt';
  /** Null if it has no end. */
  readonly durationDays: number | null;
  readonly principalSlashPpm: bigint;
  readonly rewardSlashPpm: bigint;
  /** In millionths of a percent: the initial rate, and new rates on some days of the drill. */
  readonly apyMicro: bigint;
  readonly changes: Readonly<Record<number, bigint>>;
  /** Days of the drill on which its account is funded; until then it is empty. */
  readonly fundedOn: readonly number[];
}

export const POOLS: readonly PoolPlan[] = [
  {
    name: 'bitcoin for 45 days',
    reward: 'btc',
    durationDays: 45,
    principalSlashPpm: 12_345n,
    rewardSlashPpm: 333_333n,
    apyMicro: 7_777_777n,
    changes: { 100: 3_333_333n, 250: 0n, 270: 19_999_999n },
    fundedOn: [0],
  },
  {
    name: 'bitcoin without an end, paid in dollars',
    reward: 'usdt',
    durationDays: null,
    principalSlashPpm: 0n,
    rewardSlashPpm: 0n,
    apyMicro: 4_123_457n,
    changes: { 180: 11_000_001n },
    // Three weeks of rewards are delayed until they are funded.
    fundedOn: [21],
  },
];

/** Returns the price of a bitcoin in dollars, different each day. */
export function priceOfDay(day: string): string {
  const number = Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  const fraction = `${(number * 104_729) % 1_000_003}`.padStart(7, '0');
  return `${30_000 + ((number * 7_919) % 20_011)}.${fraction}`;
}
