// Limits: of deposits and withdrawals by tier, and of the engine itself. Also whether a pair is
// converted by quick trades.

import { LIMIT_NAMES, type Limits } from '../../../core/messages/index.ts';
import { atomsFromDecimal } from '../../../core/money/index.ts';
import { upsert } from '../../../infra/postgres/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  defineActInTwoSteps,
} from '../../approvals/index.ts';
import { describeQuickTrade } from '../coins.ts';
import { invalidField } from './decimals.ts';
import { findAsset, readLimits, readTiers, requireListedMarket } from './listed.ts';

export type LimitFields = {
  readonly tier: number;
  readonly type: 'withdrawal' | 'deposit';
  /** The currency of the amounts. */
  readonly currency: string;
  /** The limited currency, or `default`. */
  readonly limit_currency: string;
  /** Within 24 hours; 0 for no limit, -1 for none at all. */
  readonly amount: string;
  readonly monthly_amount: string;
};

export type LimitChange = LimitFields & {
  /** The limit to replace; absent: that of the same tier, type and currency, or a new one. */
  readonly id?: number;
};

export type EngineLimitsChange = { readonly [Name in keyof Limits]?: number };
export type QuickTradeChange = { readonly symbol: string; readonly active: boolean };

const DECIMALS = 18;

export const SET_TRANSACTION_LIMIT: Act<LimitChange, { readonly id: number }> = defineActInTwoSteps(
  {
    name: 'limit.set',
    votePower: 'approve.config',
    async assess(context, limit) {
      const row = await checkLimit(context, limit);
      const { amount, currency, limit_currency, monthly_amount, tier, type } = limit;
      const before = row === undefined ? 'none' : `${row.amount} / ${row.monthly_amount}`;
      return {
        object: `${type} limit of tier ${tier} in ${limit_currency}`,
        objectVersion: row === undefined ? '' : row.updated_at.toISOString(),
        approvals: 1,
        beneficiaries: [],
        shown: [
          { label: 'Tier', value: `${tier}` },
          { label: 'Limit of', value: `${type}s, ${limit_currency}` },
          {
            label: 'A day / a month',
            value: `${before} → ${amount} / ${monthly_amount} ${currency}`,
          },
        ],
      };
    },
    async execute(context, limit) {
      const row = await checkLimit(context, limit);
      const { connection } = context;
      const { amount, currency, limit_currency, monthly_amount, tier, type } = limit;
      const values = { currency, amount, monthly_amount };
      if (row === undefined) {
        await upsert(connection, {
          table: 'transaction_limits',
          key: { tier, type, limit_currency },
          values,
        });
      } else {
        await connection.query(
          `update transaction_limits set tier = $2, type = $3, limit_currency = $4, currency = $5,
           amount = $6, monthly_amount = $7, updated_at = now() where id = $1`,
          [row.id, tier, type, limit_currency, currency, amount, monthly_amount],
        );
      }
      const written = await readLimit(context, limit);
      return {
        result: { id: Number(written.id) },
        before: row === undefined ? null : limitJson(row),
        after: limitJson(written),
        effects: { catalogue: true },
      };
    },
  },
);

export const DELETE_TRANSACTION_LIMIT: Act<{ readonly id: number }, { readonly id: number }> =
  defineActInTwoSteps({
    name: 'limit.delete',
    votePower: 'approve.config',
    async assess(context, { id }) {
      const row = await requireLimit(context, id);
      return {
        object: `${row.type} limit of tier ${row.tier} in ${row.limit_currency}`,
        objectVersion: row.updated_at.toISOString(),
        // Without a limit nothing can be withdrawn, or the default limit counts instead.
        approvals: 1,
        beneficiaries: [],
        shown: [{ label: 'Deleted limit', value: JSON.stringify(limitJson(row)) }],
      };
    },
    async execute(context, { id }) {
      const row = await requireLimit(context, id);
      await context.connection.query('delete from transaction_limits where id = $1', [id]);
      return { result: { id }, before: limitJson(row), effects: { catalogue: true } };
    },
  });

export const SET_ENGINE_LIMITS: Act<EngineLimitsChange, { readonly commands: readonly number[] }> =
  defineActInTwoSteps({
    name: 'engine.limits',
    votePower: 'approve.config',
    async assess(context, change) {
      const now = await readLimits(context);
      checkEngineLimits(now, change);
      return {
        object: 'engine limits',
        objectVersion: LIMIT_NAMES.map((name) => now[name]).join(' '),
        approvals: 1,
        beneficiaries: [],
        shown: namesIn(change).map((name) => ({
          label: name,
          value: `${now[name]} → ${change[name]}`,
        })),
      };
    },
    async execute(context, change) {
      const now = await readLimits(context);
      checkEngineLimits(now, change);
      const limits = { ...now, ...change };
      const command = await enqueue(context.connection, {
        kind: 'SetLimits',
        ...limits,
      });
      return {
        result: { commands: [command] },
        before: Object.fromEntries(namesIn(change).map((name) => [name, now[name]])),
        after: { ...change },
        effects: { dispatcher: true },
      };
    },
  });

export const SET_QUICK_TRADE: Act<QuickTradeChange, QuickTradeChange> = defineActInTwoSteps({
  name: 'quick-trade.set',
  votePower: 'approve.config',
  async assess(context, { active, symbol }) {
    await requireListedMarket(context, symbol);
    return {
      object: `quick trade ${symbol}`,
      objectVersion: '',
      approvals: active ? 1 : 0,
      beneficiaries: [],
      shown: [{ label: `Quick trade of ${symbol}`, value: active ? 'on' : 'off' }],
    };
  },
  async execute({ connection }, { active, symbol }) {
    const { rows } = await connection.query('select active from quick_trade where symbol = $1', [
      symbol,
    ]);
    await describeQuickTrade(connection, { symbol, active });
    return {
      result: { symbol, active },
      before: { active: rows[0]?.active ?? true },
      after: { active },
      effects: { catalogue: true },
    };
  },
});

/** The row that it replaces, if any. */
async function checkLimit(context: ActContext, limit: LimitChange) {
  const { amount, currency, limit_currency, monthly_amount, tier } = limit;
  for (const field of ['amount', 'monthly_amount'] as const) checkAmount(field, limit[field]);
  if (!(await readTiers(context)).includes(tier)) throw new ActRefused('tier_not_found', { tier });
  const coins = limit_currency === 'default' ? [currency] : [currency, limit_currency];
  for (const coin of coins) {
    if ((await findAsset(context, coin)) === undefined) {
      throw new ActRefused('currency_invalid', { currency: coin });
    }
  }
  const [day, month] = [Number(amount), Number(monthly_amount)];
  if (month > 0 && (day === 0 || day > month)) throw new ActRefused('limit_range_invalid');
  const same = await readLimit(context, limit);
  if (limit.id === undefined) return same;
  const row = await requireLimit(context, limit.id);
  if (same !== undefined && same.id !== row.id) throw new ActRefused('limit_exists');
  return row;
}

function checkAmount(field: string, text: string): void {
  if (text === '-1') return;
  const amount = atomsFromDecimal(text, DECIMALS);
  if (!amount.ok && amount.problem !== 'too_large') throw invalidField(field, amount.problem);
}

async function readLimit({ connection }: ActContext, limit: LimitFields) {
  const { rows } = await connection.query(
    'select * from transaction_limits where tier = $1 and type = $2 and limit_currency = $3',
    [limit.tier, limit.type, limit.limit_currency],
  );
  return rows[0];
}

async function requireLimit({ connection }: ActContext, id: number) {
  const { rows } = await connection.query('select * from transaction_limits where id = $1', [id]);
  if (rows.length === 0) throw new ActRefused('limit_not_found');
  return rows[0];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function limitJson(row: any) {
  const { amount, currency, limit_currency, monthly_amount, type } = row;
  return { tier: Number(row.tier), type, currency, limit_currency, amount, monthly_amount };
}

function namesIn(change: EngineLimitsChange): (keyof Limits)[] {
  return LIMIT_NAMES.filter((name) => change[name] !== undefined);
}

/** Limits on work and shares of users may shrink; the engine's memory does not. */
const MAY_SHRINK: ReadonlySet<keyof Limits> = new Set([
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
]);

/** The capacity that each share of a user is a part of. */
const CAPACITY_OF: { readonly [Name in keyof Limits]?: keyof Limits } = {
  accountsPerUserMax: 'accountsMax',
  ordersPerUserMax: 'ordersMax',
  stopsPerUserMax: 'ordersMax',
  withdrawalsPerUserMax: 'withdrawalsMax',
  deadManSwitchesPerUserMax: 'deadManSwitchesMax',
  clientOrderIdsPerUserMax: 'clientOrderIdWindow',
};

function checkEngineLimits(now: Limits, change: EngineLimitsChange): void {
  if (namesIn(change).length === 0) throw invalidField('limits', 'empty');
  for (const name of namesIn(change)) {
    const value = change[name] ?? 0;
    if (!MAY_SHRINK.has(name) && value < now[name]) {
      throw invalidField(name, `less than now (${now[name]}), and it cannot shrink`);
    }
    const capacity = CAPACITY_OF[name];
    const half =
      capacity === undefined ? value : Math.floor((change[capacity] ?? now[capacity]) / 2);
    if (value > half) throw invalidField(name, `more than half of ${capacity} for one user`);
  }
}
