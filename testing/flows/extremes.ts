// The values that break careless code, by field: both sides of every limit, zero, and the ends of
// the ranges of message fields. A spoiled command differs from a valid one in one field.

import type { CommandWithoutId } from '../reference-models/index.ts';
import type { Random } from './random.ts';

const LARGEST = 2n ** 62n;
const SAFE_MAX = Number.MAX_SAFE_INTEGER;

const USERS = [0, 1, 5, 2 ** 31 - 1, 2 ** 31, 999];
const ASSETS = [0, 1, 3, 99, 2 ** 31 - 1];
const TICKS = [0, 1, 2, 3, 999, 1_000, 1_001, 2 ** 20, 2 ** 20 + 1, 2 ** 31, 2 ** 32 + 1, SAFE_MAX];
const LOTS = [0, 1, 2, 3, 1_000, 1_001, 2 ** 20, 2 ** 31, 2 ** 32 + 1, SAFE_MAX];
const ATOMS = [-1n, 0n, 1n, 2n, 3n, 2n ** 32n, LARGEST - 1n, LARGEST, LARGEST + 1n, 2n ** 63n - 1n];
const RATES = [0, 1, 499_999, 500_000, 500_001, 999_999, 1_000_000, 1_000_001, 2 ** 31 - 1];
const FEE_ATOMS = [-1n, 0n, 0n, 1n, LARGEST];
const WORDS = [
  '',
  '!',
  '~'.repeat(36),
  'x'.repeat(37),
  'with space',
  'tab\t',
  'é',
  '\u{1f980}',
  '\u0000',
  'twice',
];
const SYMBOLS = ['', 'btc', 'Upper', 'a'.repeat(15), 'a'.repeat(16), 'no-dash', 'é'];

const EXTREMES: Record<string, readonly unknown[]> = {
  user: USERS,
  maker: USERS,
  taker: USERS,
  sender: USERS,
  receiver: USERS,
  asset: ASSETS,
  feeAsset: ASSETS,
  base: ASSETS,
  quote: ASSETS,
  market: [0, 1, 2, 3, 17, 99, 2 ** 31 - 1],
  order: [0, 1, 2, 2 ** 40, SAFE_MAX],
  command: [0, 1, 77, SAFE_MAX],
  priceTicks: TICKS,
  stopTicks: TICKS,
  minPriceTicks: TICKS,
  maxPriceTicks: TICKS,
  referenceTicks: TICKS,
  sizeLots: LOTS,
  minSizeLots: LOTS,
  maxSizeLots: LOTS,
  amountAtoms: ATOMS,
  quoteAtoms: ATOMS,
  lotAtoms: ATOMS,
  issuanceCapAtoms: ATOMS,
  feeAtoms: FEE_ATOMS,
  makerFeePpm: RATES,
  takerFeePpm: RATES,
  makerPpm: RATES,
  takerPpm: RATES,
  discountPpm: RATES,
  bandPpm: RATES,
  slippagePpm: RATES,
  tier: [0, 1, 63, 64, 255],
  scale: [0, 18, 19, 255],
  tickMantissa: [0, 1, 3, 7, SAFE_MAX],
  tickScale: [0, 1, 18, 30, 31],
  timeoutMs: [0, 1, 999, 1_000, 86_400_000, 86_400_001, 2 ** 31 - 1],
  expiresAtMs: [0, 1, SAFE_MAX],
  clientOrderId: WORDS,
  note: WORDS,
  reference: WORDS,
  symbol: SYMBOLS,
  type: ['limit', 'market'],
  timeInForce: ['GTC', 'IOC', 'FOK'],
  postOnly: [true, false],
  side: ['buy', 'sell'],
  withdrawal: [0, 1, 2, 3, SAFE_MAX],
  group: [0, 1, 2, 2 ** 31 - 1],
  channel: [0, 1, 16, 17, 4_096, 4_097],
  channelSequence: [0, 1, 2, 3, SAFE_MAX],
  fillsPerCommandMax: [0, 1, 2 ** 26, 2 ** 26 + 1],
  stopsPerStepMax: [0, 1, 3],
  bandWindowMs: [0, 1, 86_400_000, 86_400_001],
  usersMax: [1, 1_023, 1_024, 2 ** 26 + 1],
  channelsMax: [1, 4_097],
  ordersPerUserMax: [1, 199, 2 ** 26 + 1],
  commandWindow: [1, 1_023],
};

/** Replaces one field that has known extremes by one of them. */
export function spoil<Body extends CommandWithoutId>(random: Random, body: Body): Body {
  const fields = Object.keys(body);
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const field = random.pick(fields);
    const extremes = EXTREMES[field];
    if (extremes === undefined) continue;
    (body as Record<string, unknown>)[field] = random.pick(extremes);
    break;
  }
  return body;
}
