// Makes an empty exchange one that trades: lists, describes, and makes users with keys and money.
// Safe to run again on the same data: what is there stays as it is.

import {
  type AssetId,
  atomsFromDecimal,
  type DecimalResult,
  lotsFromDecimal,
  type MarketId,
  type Ppm,
  ticksFromDecimal,
  type UserId,
} from '../../core/money/index.ts';
import {
  createUser,
  describeTier,
  findUserByEmail,
  listWallets,
  setTransactionLimit,
} from '../../domain/accounts/index.ts';
import { describeCoin, describePair, describeQuickTrade } from '../../domain/catalogue/index.ts';
import { listKeys } from '../../domain/credentials/index.ts';
import { readCredentials, writeCredentials } from './credentials-file.ts';
import type { ApiKey, SandboxAdmin, SeededAsset } from './sandbox-admin.ts';
import {
  ASSETS,
  type AssetPlan,
  BAND_PPM,
  LIMITS,
  MARKETS,
  type MarketPlan,
  SLIPPAGE_PPM,
  TIERS,
  USERS,
  type UserPlan,
} from './seed-plan.ts';

export interface SeededUser extends ApiKey {
  readonly user: UserId;
  readonly email: string;
  readonly funds: Readonly<Record<string, string>>;
}

export interface Seeded {
  readonly assets: ReadonlyMap<string, SeededAsset>;
  readonly markets: ReadonlyMap<string, MarketId>;
  readonly users: Readonly<Record<UserPlan['name'], SeededUser>>;
}

/** An administrator's key is good for this machine only. */
const ADMIN_ADDRESSES = ['127.0.0.1/32', '::1/128'];

export async function seedExchange(desk: SandboxAdmin): Promise<Seeded> {
  const assets = await listAssets(desk);
  const markets = await listMarkets(desk, assets);
  for (const { description, name, tier } of TIERS) {
    await describeTier(desk.registry, { tier, name, description });
  }
  for (const limit of LIMITS) await setTransactionLimit(desk.registry, limit);
  const users: Record<string, SeededUser> = {};
  for (const plan of USERS) users[plan.name] = await makeUser(desk, assets, plan);
  return { assets, markets, users: users as Seeded['users'] };
}

async function listAssets(desk: SandboxAdmin): Promise<Map<string, SeededAsset>> {
  const listed = await idsOf<AssetId>(desk, 'select symbol as name, id from assets');
  const missing = ASSETS.filter(({ description }) => !listed.has(description.symbol));
  for (const { description, issuanceCap, scale } of missing) {
    const { symbol } = description;
    const issuanceCapAtoms = exactly(atomsFromDecimal(issuanceCap, scale));
    const { events, frame } = await desk.apply({
      kind: 'ListAsset',
      symbol,
      scale,
      issuanceCapAtoms,
    });
    await describeCoin(desk.registry, description);
    const [event] = events;
    if (event.kind !== 'AssetListed') throw new Error(`${symbol} is not listed`);
    listed.set(symbol, event.asset);
    await desk.waitUntilProjected(frame);
  }
  return new Map(ASSETS.map((plan) => [plan.description.symbol, seededAsset(plan, listed)]));
}

function seededAsset(
  { description: { symbol, type }, scale }: AssetPlan,
  ids: ReadonlyMap<string, AssetId>,
): SeededAsset {
  return { id: ids.get(symbol)!, symbol, scale, isChainCoin: type === 'blockchain' };
}

async function listMarkets(
  desk: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
): Promise<Map<string, MarketId>> {
  const listed = await idsOf<MarketId>(desk, 'select name, id from markets');
  for (const plan of MARKETS) {
    const symbol = `${plan.base}-${plan.quote}`;
    if (listed.has(symbol)) continue;
    listed.set(symbol, await listMarket(desk, assets, plan));
    await describePair(desk.registry, { symbol, estimatedPrice: plan.referencePrice });
    await describeQuickTrade(desk.registry, { symbol, active: true });
  }
  return listed;
}

async function listMarket(
  desk: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
  plan: MarketPlan,
): Promise<MarketId> {
  const [base, quote] = [assets.get(plan.base)!, assets.get(plan.quote)!];
  const { tickMantissa, tickScale } = plan;
  const lotAtoms = exactly(atomsFromDecimal(plan.lot, base.scale));
  const ticks = (text: string) =>
    exactly(ticksFromDecimal(text, { mantissa: tickMantissa, scale: tickScale }));
  const lots = (text: string) =>
    exactly(lotsFromDecimal(text, { atoms: lotAtoms, scale: base.scale }));
  const referenceTicks = ticks(plan.referencePrice);
  const { events } = await desk.apply({
    kind: 'ListMarket',
    base: base.id,
    quote: quote.id,
    lotAtoms,
    tickMantissa,
    tickScale,
    minPriceTicks: ticks(plan.minPrice),
    maxPriceTicks: ticks(plan.maxPrice),
    minSizeLots: lots(plan.minSize),
    maxSizeLots: lots(plan.maxSize),
    referenceTicks,
    status: 'full',
  });
  const [event] = events;
  if (event.kind !== 'MarketListed') throw new Error(`${plan.base}-${plan.quote} is not listed`);
  const { market } = event;
  for (const { maker, taker, tier } of TIERS) {
    const rates = { makerPpm: maker as Ppm, takerPpm: taker as Ppm };
    await desk.apply({ kind: 'SetMarketFees', market, tier, ...rates });
  }
  const { frame } = await desk.apply({
    kind: 'SetPriceBand',
    market,
    referenceTicks,
    bandPpm: BAND_PPM as Ppm,
    slippagePpm: SLIPPAGE_PPM as Ppm,
  });
  await desk.waitUntilProjected(frame);
  return market;
}

async function makeUser(
  desk: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
  plan: UserPlan,
): Promise<SeededUser> {
  const { email, fullName, funds, role, tier, wallets } = plan;
  const { registry } = desk;
  let found = await findUserByEmail(registry, email);
  if (found === undefined) {
    const created = await createUser(registry, {
      email,
      fullName,
      verificationLevel: tier,
      emailVerified: true,
      ...(role === undefined ? {} : { role }),
    });
    if (typeof created === 'string') throw new Error(`no user ${email}: ${created}`);
    found = created;
    await desk.apply({ kind: 'SetUserFees', user: found.id, tier, discountPpm: 0 as Ppm });
  }
  const user = found.id;
  if ((await listWallets(registry, user)).length === 0) {
    for (const { address, currency, network } of wallets) {
      await registry.query(
        'insert into wallets (user_id, currency, network, address) values ($1, $2, $3, $4)',
        [user, currency, network, address],
      );
    }
  }
  for (const [symbol, amount] of Object.entries(funds)) {
    const asset = assets.get(symbol)!;
    const amountAtoms = exactly(atomsFromDecimal(amount, asset.scale));
    await desk.credit({ user, asset, amountAtoms, transactionId: `seed-${plan.name}-${symbol}` });
  }
  return { ...(await keyOf(desk, user, plan)), user, email, funds };
}

/** The key that was written down before, if it still counts; a new one otherwise. */
async function keyOf(desk: SandboxAdmin, user: UserId, plan: UserPlan): Promise<ApiKey> {
  const credentials = readCredentials(desk.folder);
  const known = credentials[plan.name];
  const keys = await listKeys(desk.registry, user);
  const isGood = keys.some(({ active, publicKey }) => active && publicKey === known?.key);
  if (known !== undefined && isGood) return known;
  const key = await desk.issueKey({
    user,
    name: `${plan.name} of the sandbox`,
    ...(plan.role === 'admin' ? { role: 'admin', whitelistedIps: ADMIN_ADDRESSES } : {}),
  });
  writeCredentials(desk.folder, { ...credentials, [plan.name]: key });
  return key;
}

async function idsOf<Id extends number>(
  desk: SandboxAdmin,
  text: string,
): Promise<Map<string, Id>> {
  const { rows } = await desk.projections.query(text);
  return new Map(rows.map(({ id, name }) => [name, Number(id) as Id]));
}

export function exactly<Value>(result: DecimalResult<Value>): Value {
  if (!result.ok) throw new Error(`a number of the plan is ${result.problem}`);
  return result.value;
}
