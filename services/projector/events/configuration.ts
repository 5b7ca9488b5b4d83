// Projects the exchange's configuration: assets, markets, fees, groups and limits.

import { LIMIT_NAMES } from '../../../core/messages/index.ts';
import type { EventHandlers } from './event-handler.ts';

const INSERT_ASSET = `
  insert into assets (id, symbol, scale, issuance_cap_atoms, listed_at)
  values ($1, $2, $3, $4, $5)`;

const SET_ISSUANCE_CAP = 'update assets set issuance_cap_atoms = $2 where id = $1';

// The symbols of the two assets form the market's name.
const INSERT_MARKET = `
  insert into markets (id, name, base_id, quote_id, lot_atoms, tick_mantissa, tick_scale,
    tick_lot_atoms, min_price_ticks, max_price_ticks, min_size_lots, max_size_lots,
    reference_ticks, status, listed_at, updated_at)
  select $1, b.symbol || '-' || q.symbol, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
    $14
  from assets b, assets q where b.id = $2 and q.id = $3`;

const SET_MARKET_STATUS = `
  update markets set status = $2, auction_ends_at = $3, updated_at = $4 where id = $1`;

const SET_PRICE_BAND = `
  update markets set band_ppm = $2, slippage_ppm = $3, reference_ticks = $4, updated_at = $5
  where id = $1`;

// Not changed by an operator, so `updated_at` stays.
const MOVE_REFERENCE = 'update markets set reference_ticks = $2 where id = $1';

const UPSERT_MARKET_FEES = `
  insert into market_fees (market_id, tier, maker_ppm, taker_ppm, updated_at)
  values ($1, $2, $3, $4, $5)
  on conflict (market_id, tier) do update
  set maker_ppm = excluded.maker_ppm, taker_ppm = excluded.taker_ppm,
    updated_at = excluded.updated_at`;

const UPSERT_USER_FEES = `
  insert into user_fees (user_id, tier, discount_ppm, updated_at) values ($1, $2, $3, $4)
  on conflict (user_id) do update
  set tier = excluded.tier, discount_ppm = excluded.discount_ppm,
    updated_at = excluded.updated_at`;

const INSERT_USER_FEE_CHANGE = `
  insert into user_fee_changes (user_id, command, tier, discount_ppm, changed_at)
  values ($1, $2, $3, $4, $5)`;

const UPSERT_USER_GROUP = `
  insert into user_groups (user_id, group_id, house, updated_at) values ($1, $2, $3, $4)
  on conflict (user_id) do update
  set group_id = excluded.group_id, house = excluded.house, updated_at = excluded.updated_at`;

const UPSERT_LIMITS = `
  insert into limits (name, value, updated_at)
  select name, value, $3 from unnest($1::text[], $2::bigint[]) as l(name, value)
  on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`;

/** Stored in the same table as the limits. */
const RULES_VERSION_NAME = 'rulesVersion';

export const configurationHandlers: EventHandlers<
  | 'AssetListed'
  | 'IssuanceCapSet'
  | 'MarketListed'
  | 'MarketStatusSet'
  | 'AuctionPriceSet'
  | 'PriceBandSet'
  | 'BandReferenceMoved'
  | 'MarketFeesSet'
  | 'UserFeesSet'
  | 'UserGroupSet'
  | 'LimitsSet'
  | 'RulesVersionSet'
> = {
  AssetListed({ asset, issuanceCapAtoms, scale, symbol }, { statements }, { timeMs }) {
    const values = [asset, symbol, scale, issuanceCapAtoms, new Date(timeMs)];
    statements.push({ text: INSERT_ASSET, values });
  },

  IssuanceCapSet({ asset, issuanceCapAtoms }, { statements }) {
    statements.push({ text: SET_ISSUANCE_CAP, values: [asset, issuanceCapAtoms] });
  },

  MarketListed(event, { statements }, { timeMs }) {
    const { base, lotAtoms, market, quote, tickLotAtoms, tickMantissa, tickScale } = event;
    const { maxPriceTicks, maxSizeLots, minPriceTicks, minSizeLots } = event;
    const steps = [lotAtoms, tickMantissa, tickScale, tickLotAtoms];
    const bounds = [minPriceTicks, maxPriceTicks, minSizeLots, maxSizeLots];
    const start = [event.referenceTicks, event.status, new Date(timeMs)];
    const values = [market, base, quote, ...steps, ...bounds, ...start];
    statements.push({ text: INSERT_MARKET, values });
  },

  MarketStatusSet({ auctionEndsMs, market, status }, { statements }, { timeMs }) {
    const endsAt = auctionEndsMs === 0 ? null : new Date(auctionEndsMs);
    statements.push({
      text: SET_MARKET_STATUS,
      values: [market, status, endsAt, new Date(timeMs)],
    });
  },

  /** The trades that follow contain the price. */
  AuctionPriceSet() {},

  PriceBandSet({ bandPpm, market, referenceTicks, slippagePpm }, { statements }, { timeMs }) {
    const values = [market, bandPpm, slippagePpm, referenceTicks, new Date(timeMs)];
    statements.push({ text: SET_PRICE_BAND, values });
  },

  BandReferenceMoved({ market, referenceTicks }, { statements }) {
    statements.push({ text: MOVE_REFERENCE, values: [market, referenceTicks] });
  },

  MarketFeesSet({ makerPpm, market, takerPpm, tier }, { statements }, { timeMs }) {
    const values = [market, tier, makerPpm, takerPpm, new Date(timeMs)];
    statements.push({ text: UPSERT_MARKET_FEES, values });
  },

  UserFeesSet({ command, discountPpm, tier, user }, { statements }, { timeMs }) {
    const fees = [tier, discountPpm, new Date(timeMs)];
    statements.push({ text: UPSERT_USER_FEES, values: [user, ...fees] });
    statements.push({ text: INSERT_USER_FEE_CHANGE, values: [user, command, ...fees] });
  },

  UserGroupSet({ group, house, user }, { statements }, { timeMs }) {
    statements.push({ text: UPSERT_USER_GROUP, values: [user, group, house, new Date(timeMs)] });
  },

  LimitsSet(event, { statements }, { timeMs }) {
    const values = [LIMIT_NAMES, LIMIT_NAMES.map((name) => event[name]), new Date(timeMs)];
    statements.push({ text: UPSERT_LIMITS, values });
  },

  RulesVersionSet({ version }, { statements }, { timeMs }) {
    const values = [[RULES_VERSION_NAME], [version], new Date(timeMs)];
    statements.push({ text: UPSERT_LIMITS, values });
  },
};
