// Tests the snapshot built from rows: whole numbers from the log, descriptions by operators, and
// defaults where there is no description.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  atomsFromDecimal,
  decimalFromLots,
  decimalFromTicks,
  lotsFromDecimal,
  ticksFromDecimal,
} from '../../core/money/index.ts';
import type { CatalogueRows } from './catalogue-rows.ts';
import { makeSnapshot } from './catalogue-snapshot.ts';

const LISTED_MS = 1_700_000_000_000;
const LATER_MS = LISTED_MS + 5_000;

// As returned by the driver: 64-bit integers are strings.
const ASSETS = [
  { id: '1', symbol: 'btc', scale: '8', issuance_cap_atoms: '0', listed_at_ms: `${LISTED_MS}` },
  { id: '2', symbol: 'usdt', scale: '6', issuance_cap_atoms: '9', listed_at_ms: `${LISTED_MS}` },
];

// One lot is 0.0001 btc, one tick 0.5 usdt.
const MARKET = {
  id: '1',
  name: 'btc-usdt',
  base_id: '1',
  quote_id: '2',
  lot_atoms: '10000',
  tick_mantissa: '5',
  tick_scale: '1',
  tick_lot_atoms: '50',
  min_price_ticks: '1',
  max_price_ticks: '2000000',
  min_size_lots: '1',
  max_size_lots: '1000000',
  reference_ticks: '120000',
  band_ppm: '100000',
  slippage_ppm: '50000',
  status: 'full',
  auction_ends_at_ms: null,
  listed_at_ms: `${LISTED_MS}`,
  updated_at_ms: `${LATER_MS}`,
};

const NOTHING: CatalogueRows = {
  assets: [],
  markets: [],
  market_fees: [],
  coins: [],
  pairs: [],
  tiers: [],
  kit: [],
  migrations: [{ applied_at_ms: '1767600000000' }],
  transaction_limits: [],
  quick_trade: [],
  stops: [],
  exchange_banner: [],
};
const LISTED: CatalogueRows = { ...NOTHING, assets: ASSETS, markets: [MARKET] };

const COIN = {
  symbol: 'btc',
  fullname: 'Bitcoin',
  type: 'blockchain',
  verified: true,
  is_public: false,
  active: true,
  allow_deposit: true,
  allow_withdrawal: true,
  withdrawal_fee: '0.0001',
  min: '0.001',
  max: null,
  increment_unit: null,
  estimated_price: '60000',
  description: 'gold',
  network: 'btc,ln',
  standard: null,
  issuer: null,
  logo: null,
  meta: { a: 1 },
  created_by: '7',
  created_at_ms: '5',
  updated_at_ms: '6',
  has_withdrawal_fees: false,
  withdrawal_fees: {},
};

test('a market converts decimals to whole numbers and back', () => {
  const market = makeSnapshot(LISTED).marketsBySymbol.get('btc-usdt');
  assert.ok(market);
  assert.deepEqual(ticksFromDecimal('60000.5', market.tick), { ok: true, value: 120_001 });
  assert.deepEqual(lotsFromDecimal('0.0123', market.lot), { ok: true, value: 123 });
  assert.equal(decimalFromTicks(market.maxPriceTicks, market.tick), '1000000');
  assert.equal(decimalFromLots(market.minSizeLots, market.lot), '0.0001');
  assert.deepEqual(atomsFromDecimal('1', market.quote.scale), { ok: true, value: 1_000_000n });
  assert.equal(market.tickLotAtoms, 50n);
  assert.deepEqual([market.bandPpm, market.slippagePpm], [100_000, 50_000]);
});

test('an entry found by symbol is the entry found by id', () => {
  const now = makeSnapshot(LISTED);
  const market = now.marketsById.get(1);
  assert.equal(market, now.marketsBySymbol.get('btc-usdt'));
  assert.equal(market?.base, now.assetsById.get(1));
  assert.equal(market?.quote, now.assetsBySymbol.get('usdt'));
  assert.equal(now.pairs.get('btc-usdt')?.market, market);
  assert.equal(now.coins.get('btc')?.asset, market?.base);
});

test('an asset without a description is shown but cannot be deposited or withdrawn', () => {
  const { coins, pairs, quickTrades } = makeSnapshot(LISTED);
  const { asset: _, ...coin } = coins.get('usdt') ?? {};
  assert.deepEqual(coin, {
    symbol: 'usdt',
    fullname: 'USDT',
    type: 'blockchain',
    verified: true,
    isPublic: true,
    active: true,
    allowDeposit: false,
    allowWithdrawal: false,
    withdrawalFee: '0',
    withdrawalFees: null,
    min: '0.000001',
    max: '4611686018427.387904',
    incrementUnit: '0.000001',
    estimatedPrice: null,
    description: null,
    network: '',
    networks: [],
    standard: '',
    issuer: '',
    logo: '',
    meta: {},
    createdBy: 0,
    createdAtMs: LISTED_MS,
    updatedAtMs: LISTED_MS,
  });
  const { market: __, ...pair } = pairs.get('btc-usdt') ?? {};
  assert.deepEqual(pair, {
    symbol: 'btc-usdt',
    verified: true,
    isPublic: true,
    active: true,
    // Reference from the listing.
    estimatedPrice: '60000',
    createdBy: 0,
    createdAtMs: LISTED_MS,
    updatedAtMs: LATER_MS,
  });
  assert.deepEqual(quickTrades.get('btc-usdt'), { symbol: 'btc-usdt', type: 'pro', active: true });
});

test('a description overrides the defaults; unlisted assets are not shown', () => {
  const coins = [COIN, { ...COIN, symbol: 'doge' }];
  const now = makeSnapshot({ ...LISTED, coins });
  assert.deepEqual([...now.coins.keys()], ['btc', 'usdt']);
  const coin = now.coins.get('btc');
  assert.deepEqual([coin?.fullname, coin?.isPublic, coin?.min], ['Bitcoin', false, '0.001']);
  assert.deepEqual([coin?.max, coin?.createdBy], ['46116860184.27387904', 7]);
  assert.deepEqual(coin?.networks, ['btc', 'ln']);
});

test('a malformed fee is ignored', () => {
  const fees = {
    btc: { value: '0.0001', symbol: null, active: null, type: null, min: null, max: '1' },
    ln: { value: '0', symbol: 'usdt', active: false, type: 'percentage', min: null, max: null },
    odd: { value: '1e-8', symbol: null, active: true, type: null, min: null, max: null },
    none: { value: null, symbol: null, active: true, type: null, min: null, max: null },
    low: { value: '1', symbol: null, active: true, type: null, min: '-1', max: null },
  };
  const coins = [{ ...COIN, has_withdrawal_fees: true, withdrawal_fees: fees }];
  const found = makeSnapshot({ ...LISTED, coins }).coins.get('btc')?.withdrawalFees;
  const unclear = {
    value: '0',
    symbol: 'btc',
    active: false,
    type: 'static',
    min: null,
    max: null,
  };
  assert.deepEqual(Object.fromEntries(found ?? []), {
    btc: { value: '0.0001', symbol: 'btc', active: true, type: 'static', min: null, max: '1' },
    ln: { value: '0', symbol: 'usdt', active: false, type: 'percentage', min: null, max: null },
    odd: unclear,
    none: unclear,
    low: unclear,
  });
  assert.equal(found?.get('constructor'), undefined);
});

test('a delisted market is inactive, whatever its description', () => {
  const described = { symbol: 'btc-usdt', verified: true, is_public: true, active: true };
  for (const [status, active] of [
    ['full', true],
    ['paused', true],
    ['delisted', false],
    ['inactive', false],
  ] as const) {
    const markets = [{ ...MARKET, status }];
    const now = makeSnapshot({ ...LISTED, markets, pairs: [described] });
    assert.equal(now.pairs.get('btc-usdt')?.active, active, status);
    assert.equal(now.quickTrades.get('btc-usdt')?.active, active, status);
  }
});

test('a tier exists if it is described or has fees, and lists fees of every market', () => {
  const fee = { market_id: '1', tier: '3', maker_ppm: '1000', taker_ppm: '2500' };
  const tier = {
    id: '2',
    name: 'vip',
    icon: '',
    description: '',
    note: '',
    deposit_limit: '0',
    withdrawal_limit: '-1',
    native_currency_limit: true,
    created_at_ms: '5',
    updated_at_ms: '6',
  };
  const { tiers } = makeSnapshot({ ...LISTED, market_fees: [fee], tiers: [tier] });
  const names = [...tiers.values()].map(({ name, tier: number }) => [number, name]);
  assert.deepEqual(names, [
    [1, 'tier 1'],
    [2, 'vip'],
    [3, 'tier 3'],
  ]);
  assert.deepEqual(tiers.get(3)?.fees.get('btc-usdt'), { makerPpm: 1_000, takerPpm: 2_500 });
  assert.deepEqual(tiers.get(2)?.fees.get('btc-usdt'), { makerPpm: 0, takerPpm: 0 });
  assert.deepEqual(
    [tiers.get(2)?.withdrawalLimit, tiers.get(2)?.nativeCurrencyLimit],
    ['-1', true],
  );
});

test("the kit has every key that clients read, and the operator's values", () => {
  const content = { title: 'Ours', info: { url: 'https://exchange.example' }, own: [1] };
  const kit = makeSnapshot({ ...NOTHING, kit: [{ content }] }).kit as Record<string, unknown>;
  assert.deepEqual([kit.title, kit.api_name, kit.own], ['Ours', 'Rialto', [1]]);
  const info = kit.info as Record<string, unknown>;
  assert.deepEqual([info.url, info.plan], ['https://exchange.example', 'crypto']);
  assert.deepEqual(kit.defaults, { theme: 'white', language: 'en', country: '' });
  assert.equal(info.created_at, '2026-01-05T08:00:00.000Z');
});

test('the kit of an exchange without settings has a value for every key', () => {
  const empty = (value: unknown): string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([key, inner]) =>
          inner === null || inner === undefined ? [key] : empty(inner),
        );
  const { kit } = makeSnapshot(NOTHING);
  assert.deepEqual(empty(kit), []);
  assert.ok(new Date((kit.info as { expiry: string }).expiry) > new Date('2100-01-01'));
});

test('a market without a reference has no estimated price until an operator sets one', () => {
  const price = (market: object, pairs: readonly object[] = []) =>
    makeSnapshot({ ...LISTED, markets: [{ ...MARKET, ...market }], pairs }).pairs.get('btc-usdt')
      ?.estimatedPrice;
  assert.equal(price({ reference_ticks: '0' }), null);
  assert.equal(price({}, [{ symbol: 'btc-usdt', estimated_price: '61000.5' }]), '61000.5');
});

test('a market of an unlisted asset is a fault', () => {
  assert.throws(() => makeSnapshot({ ...LISTED, assets: [] }), /an unlisted asset/);
});
