// Seeds an exchange: lists and describes assets and markets, and creates users with keys and money.
// Safe to run again on the same data: existing entries do not change.

import {
  type AssetId,
  atomsFromDecimal,
  type MarketId,
  type Ppm,
  type UserId,
} from '../../core/money/index.ts';
import {
  createUser,
  describeTier,
  findUserByEmail,
  listWallets,
  readPersonal,
  setTransactionLimit,
  writePersonal,
} from '../../features/accounts/index.ts';
import { listKeys } from '../../features/auth/index.ts';
import { describeCoin, describePair, describeQuickTrade } from '../../features/listings/index.ts';
import { describePolicySettings } from '../../features/payments/index.ts';
import { readCredentials, writeCredentials } from './credentials-file.ts';
import { assetListing, exactly, marketListing, marketTerms } from './listing-commands.ts';
import type { ApiKey, SandboxAdmin, SeededAsset } from './sandbox-admin.ts';
import {
  ASSETS,
  type AssetPlan,
  LIMITS,
  MARKETS,
  type MarketPlan,
  TIERS,
  USERS,
  type UserPlan,
  WIDE_POLICY,
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

/** Coins and pairs of an exchange. */
export interface SeedPlan {
  readonly assets: readonly AssetPlan[];
  readonly markets: readonly MarketPlan[];
}

export interface SeedOptions {
  readonly plan?: SeedPlan | undefined;
  /** usual: the production withdrawal policy. wide: tests withdraw without reviews. */
  readonly budgets: 'wide' | 'usual';
}

export async function seedExchange(
  admin: SandboxAdmin,
  { budgets, plan = { assets: ASSETS, markets: MARKETS } }: SeedOptions,
): Promise<Seeded> {
  const assets = await listAssets(admin, plan.assets);
  const markets = await listMarkets(admin, assets, plan.markets);
  for (const { description, name, tier } of TIERS) {
    await describeTier(admin.registry, { tier, name, description });
  }
  for (const limit of LIMITS) await setTransactionLimit(admin.registry, limit);
  if (budgets === 'wide') await describePolicySettings(admin.registry, WIDE_POLICY);
  const users: Record<string, SeededUser> = {};
  for (const plan of USERS) users[plan.name] = await seedUser(admin, assets, plan);
  return { assets, markets, users: users as Seeded['users'] };
}

/** Describes coins and pairs that a history has listed. */
export async function describeListings(admin: SandboxAdmin, plan: SeedPlan): Promise<void> {
  for (const { description } of plan.assets) await describeCoin(admin.registry, description);
  for (const market of plan.markets) await describeMarket(admin, market);
}

async function describeMarket(admin: SandboxAdmin, plan: MarketPlan): Promise<void> {
  const symbol = `${plan.base}-${plan.quote}`;
  await describePair(admin.registry, { symbol, estimatedPrice: plan.referencePrice });
  await describeQuickTrade(admin.registry, { symbol, active: true });
}

async function listAssets(
  admin: SandboxAdmin,
  plans: readonly AssetPlan[],
): Promise<Map<string, SeededAsset>> {
  const listed = await idsOf<AssetId>(admin, 'select symbol as name, id from assets');
  const missing = plans.filter(({ description }) => !listed.has(description.symbol));
  for (const plan of missing) {
    const { description } = plan;
    const { symbol } = description;
    const { events, frame } = await admin.apply(assetListing(plan));
    await describeCoin(admin.registry, description);
    const [event] = events;
    if (event.kind !== 'AssetListed') throw new Error(`${symbol} is not listed`);
    listed.set(symbol, event.asset);
    await admin.waitUntilProjected(frame);
  }
  return new Map(plans.map((plan) => [plan.description.symbol, seededAsset(plan, listed)]));
}

function seededAsset(
  { description: { symbol, type }, scale }: AssetPlan,
  ids: ReadonlyMap<string, AssetId>,
): SeededAsset {
  return { id: ids.get(symbol)!, symbol, scale, isChainCoin: type === 'blockchain' };
}

async function listMarkets(
  admin: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
  plans: readonly MarketPlan[],
): Promise<Map<string, MarketId>> {
  const listed = await idsOf<MarketId>(admin, 'select name, id from markets');
  for (const plan of plans) {
    const symbol = `${plan.base}-${plan.quote}`;
    if (listed.has(symbol)) continue;
    listed.set(symbol, await listMarket(admin, assets, plan));
    await describeMarket(admin, plan);
  }
  return listed;
}

async function listMarket(
  admin: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
  plan: MarketPlan,
): Promise<MarketId> {
  const { events } = await admin.apply(marketListing(plan, assets));
  const [event] = events;
  if (event.kind !== 'MarketListed') throw new Error(`${plan.base}-${plan.quote} is not listed`);
  const { market } = event;
  let frame = 0;
  for (const command of marketTerms(plan, market)) ({ frame } = await admin.apply(command));
  await admin.waitUntilProjected(frame);
  return market;
}

async function seedUser(
  admin: SandboxAdmin,
  assets: ReadonlyMap<string, SeededAsset>,
  plan: UserPlan,
): Promise<SeededUser> {
  const { email, fullName, funds, role, tier, wallets } = plan;
  const { registry } = admin;
  let found = await findUserByEmail(registry, email);
  if (found === undefined) {
    const created = await createUser(registry, {
      email,
      verificationLevel: tier,
      ...(role === undefined ? {} : { role }),
    });
    if (typeof created === 'string') throw new Error(`no user ${email}: ${created}`);
    found = created;
    await admin.apply({ kind: 'SetUserFees', user: found.id, tier, discountPpm: 0 as Ppm });
  }
  const user = found.id;
  if ((await readPersonal(registry, admin.vault, user)).fullName === '') {
    await writePersonal(registry, admin.vault, user, { fullName });
  }
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
    await admin.credit({ user, asset, amountAtoms, transactionId: `seed-${plan.name}-${symbol}` });
  }
  return { ...(await keyOf(admin, user, plan)), user, email, funds };
}

/** Returns the stored key if it is still active, otherwise a new one. */
async function keyOf(admin: SandboxAdmin, user: UserId, plan: UserPlan): Promise<ApiKey> {
  const credentials = readCredentials(admin.folder);
  const known = credentials[plan.name];
  const keys = await listKeys(admin.registry, user);
  const isActive = keys.some(({ active, publicKey }) => active && publicKey === known?.key);
  if (known !== undefined && isActive) return known;
  const key = await admin.issueKey({
    user,
    name: `${plan.name} of the sandbox`,
    ...(plan.role === 'admin' ? { role: 'admin' } : {}),
  });
  writeCredentials(admin.folder, { ...credentials, [plan.name]: key });
  return key;
}

async function idsOf<Id extends number>(
  admin: SandboxAdmin,
  text: string,
): Promise<Map<string, Id>> {
  const { rows } = await admin.projections.query(text);
  return new Map(rows.map(({ id, name }) => [name, Number(id) as Id]));
}
