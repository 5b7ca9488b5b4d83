// Configuration of markets, users and the exchange's limits. Section 10 of the rules.

import type {
  Limits,
  Refusal,
  SetLimits,
  SetMarketFees,
  SetMarketStatus,
  SetPriceBand,
  SetRulesVersion,
  SetUserFees,
  SetUserGroup,
} from '../../core/messages/index.ts';
import { isWholeWithin } from './exact-arithmetic.ts';
import { changeStatus, checkAuctionEnd, isCrossed, runAuctionStep } from './reference-auction.ts';
import { checkUser, checkUserCapacity } from './reference-capacity.ts';
import { forgetBeyondShare } from './reference-closing.ts';
import { checkFeeRate } from './reference-direct-trades.ts';
import { checkReferencePrice } from './reference-listing.ts';
import { setReference } from './reference-prices.ts';
import { emit, findMarket, openUser, type ReferenceState } from './reference-state.ts';
import { runStopStep } from './reference-stops.ts';

export function setMarketStatus(
  state: ReferenceState,
  command: SetMarketStatus,
): Refusal | undefined {
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const refusal = checkAuctionEnd(state, command);
  if (refusal !== undefined) return refusal;
  const opens = state.rulesVersion >= 2 && command.status === 'full' && market.frozenBy === 0;
  if (opens && (market.status === 'auction' || isCrossed(market))) {
    const saysSo = state.rulesVersion >= 3 ? !market.isUncrossing : market.status !== 'auction';
    const auctionEndsMs = state.rulesVersion >= 3 ? state.timeMs : 0;
    if (saysSo) changeStatus(state, market, { status: 'auction', auctionEndsMs });
    market.isUncrossing = true;
    runAuctionStep(state, market);
  } else {
    const auctionEndsMs = state.rulesVersion >= 2 ? command.auctionEndsMs : 0;
    changeStatus(state, market, { status: command.status, auctionEndsMs });
  }
  runStopStep(state, market);
  return undefined;
}

export function setMarketFees(state: ReferenceState, command: SetMarketFees): Refusal | undefined {
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const { tier, makerPpm, takerPpm } = command;
  const refusal = checkTier(tier) ?? checkFeeRate(makerPpm) ?? checkFeeRate(takerPpm);
  if (refusal !== undefined) return refusal;
  market.feesByTier.set(tier, { makerPpm, takerPpm });
  emit(state, { kind: 'MarketFeesSet', market: market.id, tier, makerPpm, takerPpm });
  return undefined;
}

function checkTier(tier: number): Refusal | undefined {
  return isWholeWithin(tier, 0, 63) ? undefined : 'fee_tier_out_of_range';
}

export function setUserFees(state: ReferenceState, command: SetUserFees): Refusal | undefined {
  const { user, tier, discountPpm } = command;
  const refusal = checkUser(user) ?? checkTier(tier);
  if (refusal !== undefined) return refusal;
  if (!isWholeWithin(discountPpm, 0, 1_000_000)) return 'discount_out_of_range';
  const capacityRefusal = checkUserCapacity(state, [{ user, assets: [] }]);
  if (capacityRefusal !== undefined) return capacityRefusal;
  Object.assign(openUser(state, user), { tier, discountPpm });
  emit(state, { kind: 'UserFeesSet', user, tier, discountPpm });
  return undefined;
}

export function setUserGroup(state: ReferenceState, command: SetUserGroup): Refusal | undefined {
  const { user, group, house } = command;
  const refusal = checkUser(user) ?? checkUserCapacity(state, [{ user, assets: [] }]);
  if (refusal !== undefined) return refusal;
  Object.assign(openUser(state, user), { group, house });
  emit(state, { kind: 'UserGroupSet', user, group, house });
  return undefined;
}

export function setPriceBand(state: ReferenceState, command: SetPriceBand): Refusal | undefined {
  const market = findMarket(state, command.market);
  if (market === undefined) return 'market_must_exist';
  const { bandPpm, slippagePpm } = command;
  if (!isWholeWithin(bandPpm, 0, 999_999) || !isWholeWithin(slippagePpm, 0, 999_999)) {
    return 'band_out_of_range';
  }
  const refusal = checkReferencePrice(command.referenceTicks, market);
  if (refusal !== undefined) return refusal;
  const hasReference = command.referenceTicks > 0 || market.referenceTicks > 0;
  if (state.rulesVersion >= 2 && bandPpm > 0 && !hasReference) {
    return 'band_needs_a_reference_price';
  }
  market.bandPpm = bandPpm;
  market.slippagePpm = slippagePpm;
  if (command.referenceTicks !== 0) setReference(state, market, command.referenceTicks);
  const { referenceTicks } = market;
  emit(state, { kind: 'PriceBandSet', market: market.id, bandPpm, slippagePpm, referenceTicks });
  return undefined;
}

const GROWING_LIMITS: readonly (keyof Limits)[] = [
  'assetsMax',
  'marketsMax',
  'usersMax',
  'accountsMax',
  'ordersMax',
  'withdrawalsMax',
  'deadManSwitchesMax',
  'channelsMax',
  'commandWindow',
  'clientOrderIdWindow',
  'ordersPerUserMax',
];

const MOVING_LIMITS: readonly (keyof Limits)[] = [
  'fillsPerCommandMax',
  'stopsPerStepMax',
  'switchesPerFrameMax',
  'bandWindowMs',
  'accountsPerUserMax',
  'stopsPerUserMax',
  'withdrawalsPerUserMax',
  'deadManSwitchesPerUserMax',
  'clientOrderIdsPerUserMax',
  'ownOrdersPerCommandMax',
];

export function setLimits(state: ReferenceState, command: SetLimits): Refusal | undefined {
  const limits: { -readonly [Name in keyof Limits]: number } = { ...state.limits };
  for (const name of [...GROWING_LIMITS, ...MOVING_LIMITS]) {
    if (!isWholeWithin(command[name], 1, largestLimit(name))) return 'limits_out_of_range';
    limits[name] = command[name];
  }
  const isShrunk = GROWING_LIMITS.some((name) => command[name] < state.limits[name]);
  if (isShrunk) return 'limits_must_not_shrink';
  state.limits = limits;
  for (const user of state.users.keys()) forgetBeyondShare(state, user);
  emit(state, { kind: 'LimitsSet', ...state.limits });
  return undefined;
}

function largestLimit(name: keyof Limits): number {
  if (name === 'assetsMax' || name === 'marketsMax' || name === 'channelsMax') return 4_096;
  return name === 'bandWindowMs' ? 86_400_000 : 2 ** 26;
}

export function setRulesVersion(
  state: ReferenceState,
  { version }: SetRulesVersion,
): Refusal | undefined {
  if (version < state.rulesVersion) return 'rules_version_must_not_decrease';
  state.rulesVersion = version;
  emit(state, { kind: 'RulesVersionSet', version });
  return undefined;
}
