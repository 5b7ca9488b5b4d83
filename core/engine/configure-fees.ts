// Sets market fee rates by tier, and a user's tier, discount, group and house flag. Open orders
// keep the rates they were placed with.

import type { Refusal, SetMarketFees, SetUserFees, SetUserGroup } from '../messages/index.ts';
import { ONE_MILLION_PPM, type Ppm, type UserId } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { type Exchange, marketOf } from './exchange.ts';
import { FEE_TIERS } from './market.ts';
import { isUser } from './users.ts';

/** Half of the received amount: a higher fee on a fill of two atoms would leave nothing. */
const FEE_RATE_MAX_PPM = 500_000;

export function isFeeRate(ppm: Ppm): boolean {
  return ppm >= 0 && ppm <= FEE_RATE_MAX_PPM;
}

export function setMarketFees(exchange: Exchange, command: SetMarketFees): Refusal {
  const market = marketOf(exchange, command.market);
  if (market === undefined) return 'market_must_exist';
  const { tier, makerPpm, takerPpm } = command;
  if (!isTier(tier)) return 'fee_tier_out_of_range';
  if (!isFeeRate(makerPpm) || !isFeeRate(takerPpm)) return 'fee_rate_out_of_range';
  market.makerPpmByTier[tier] = makerPpm;
  market.takerPpmByTier[tier] = takerPpm;
  exchange.events.push({
    kind: 'MarketFeesSet',
    command: exchange.command,
    market: market.id,
    tier,
    makerPpm,
    takerPpm,
  });
  return 'none';
}

export function setUserFees(exchange: Exchange, command: SetUserFees): Refusal {
  const { user, tier, discountPpm } = command;
  if (!isUser(user)) return 'user_must_be_valid';
  if (!isTier(tier)) return 'fee_tier_out_of_range';
  if (discountPpm < 0 || discountPpm > ONE_MILLION_PPM) return 'discount_out_of_range';
  if (!hasRoomFor(exchange, user)) return 'exchange_user_capacity_reached';
  exchange.users.setFees(exchange.users.findOrAdd(user), tier, discountPpm);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'UserFeesSet', command: cause, user, tier, discountPpm });
  return 'none';
}

export function setUserGroup(exchange: Exchange, command: SetUserGroup): Refusal {
  const { user, group, house } = command;
  if (!isUser(user)) return 'user_must_be_valid';
  if (!hasRoomFor(exchange, user)) return 'exchange_user_capacity_reached';
  const slot = exchange.users.findOrAdd(user);
  exchange.books.groups[slot] = group;
  exchange.users.setHouse(slot, house);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'UserGroupSet', command: cause, user, group, house });
  return 'none';
}

function isTier(tier: number): boolean {
  return tier >= 0 && tier < FEE_TIERS;
}

function hasRoomFor(exchange: Exchange, user: UserId): boolean {
  const { limits, users } = exchange;
  return users.size < limits.usersMax || users.find(user) !== NONE;
}
