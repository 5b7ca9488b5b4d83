// Operator actions on limits: deposits and withdrawals by tier, and the engine's limits. Also
// whether quick trades convert a pair.

import { LIMIT_NAMES, type Limits } from '../../../core/messages/index.ts';
import { atomsFromDecimal } from '../../../core/money/index.ts';
import { upsert } from '../../../infra/postgres/index.ts';
import { enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { describeQuickTrade } from '../coins.ts';
import { type FieldRefused, invalidField } from './decimals.ts';
import { readLimits, readTiers, requireAsset, requireListedMarket } from './listed.ts';

export type LimitFields = {
  readonly tier: number;
  readonly type: 'withdrawal' | 'deposit';
  /** Currency of the amounts. */
  readonly currency: string;
  /** Limited currency, or `default`. */
  readonly limit_currency: string;
  /** Within 24 hours; 0 for unlimited, -1 for disabled. */
  readonly amount: string;
  readonly monthly_amount: string;
};

export type LimitChange = LimitFields & {
  /** Limit to replace; if absent, that of the same tier, type and currency, or a new one. */
  readonly id?: number;
};

export type EngineLimitsChange = { readonly [Name in keyof Limits]?: number };
export type QuickTradeChange = { readonly symbol: string; readonly active: boolean };

const DECIMALS = 18;

export const SET_TRANSACTION_LIMIT = defineAct({
  name: 'limit.set',
  votePower: 'approve.config',
  async prepare(context: ActContext, limit: LimitChange) {
    const replaced = await checkLimit(context, limit);
    if (replaced instanceof Refused) return replaced;
    const { row } = replaced;
    const { amount, currency, limit_currency, monthly_amount, tier, type } = limit;
    const before = row === undefined ? 'none' : `${row.amount} / ${row.monthly_amount}`;
    return {
      object: `${type} limit of tier ${tier} in ${limit_currency}`,
      objectVersion: row === undefined ? '' : row.updated_at.toISOString(),
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Tier', value: `${tier}` },
        { label: 'Applies to', value: `${type}s, ${limit_currency}` },
        {
          label: 'Daily / monthly limit',
          value: `${before} → ${amount} / ${monthly_amount} ${currency}`,
        },
      ],

      async run() {
        await writeLimit(context, limit, row?.id);
        const written = await readLimit(context, limit);
        return {
          result: { id: Number(written!.id) },
          before: row === undefined ? null : limitJson(row),
          after: limitJson(written!),
          effects: { catalogue: true },
        };
      },
    };
  },
});

export const DELETE_TRANSACTION_LIMIT = defineAct({
  name: 'limit.delete',
  votePower: 'approve.config',
  async prepare(context: ActContext, { id }: { readonly id: number }) {
    const row = await requireLimit(context, id);
    if (row instanceof Refused) return row;
    return {
      object: `${row.type} limit of tier ${row.tier} in ${row.limit_currency}`,
      objectVersion: row.updated_at.toISOString(),
      // Without a limit nothing can be withdrawn, or the default limit counts instead.
      approvals: 1,
      beneficiaries: [],
      shown: [{ label: 'Deleted limit', value: JSON.stringify(limitJson(row)) }],

      async run() {
        await context.connection.query('delete from transaction_limits where id = $1', [id]);
        return { result: { id }, before: limitJson(row), effects: { catalogue: true } };
      },
    };
  },
});

export const SET_ENGINE_LIMITS = defineAct({
  name: 'engine.limits',
  votePower: 'approve.config',
  async prepare(context: ActContext, change: EngineLimitsChange) {
    const now = await readLimits(context);
    const refusal = checkEngineLimits(now, change);
    if (refusal !== undefined) return refusal;
    const names = namesIn(change);
    return {
      object: 'engine limits',
      objectVersion: LIMIT_NAMES.map((name) => now[name]).join(' '),
      approvals: 1,
      beneficiaries: [],
      shown: names.map((name) => ({ label: name, value: `${now[name]} → ${change[name]}` })),

      async run() {
        const limits = { ...now, ...change };
        const command = await enqueue(context.connection, { kind: 'SetLimits', ...limits });
        return {
          result: { commands: [command] },
          before: Object.fromEntries(names.map((name) => [name, now[name]])),
          after: { ...change },
          effects: { dispatcher: true },
        };
      },
    };
  },
});

export const SET_QUICK_TRADE = defineAct({
  name: 'quick-trade.set',
  votePower: 'approve.config',
  async prepare(context: ActContext, { active, symbol }: QuickTradeChange) {
    const market = await requireListedMarket(context, symbol);
    if (market instanceof Refused) return market;
    return {
      object: `quick trade ${symbol}`,
      objectVersion: '',
      approvals: active ? 1 : 0,
      beneficiaries: [],
      shown: [{ label: `Quick trade: ${symbol}`, value: active ? 'on' : 'off' }],

      async run() {
        const { connection } = context;
        const { rows } = await connection.query(
          'select active from quick_trade where symbol = $1',
          [symbol],
        );
        await describeQuickTrade(connection, { symbol, active });
        return {
          result: { symbol, active },
          before: { active: rows[0]?.active ?? true },
          after: { active },
          effects: { catalogue: true },
        };
      },
    };
  },
});

/** Returns the row that it replaces, if any. */
async function checkLimit(context: ActContext, limit: LimitChange) {
  const { amount, currency, limit_currency, monthly_amount, tier } = limit;
  const refusal = checkAmount('amount', amount) ?? checkAmount('monthly_amount', monthly_amount);
  if (refusal !== undefined) return refusal;
  if (!(await readTiers(context)).includes(tier)) return new Refused('tier_not_found', { tier });
  const coins = limit_currency === 'default' ? [currency] : [currency, limit_currency];
  for (const coin of coins) {
    const asset = await requireAsset(context, coin);
    if (asset instanceof Refused) return asset;
  }
  const [day, month] = [Number(amount), Number(monthly_amount)];
  if (month > 0 && (day === 0 || day > month)) return new Refused('limit_range_invalid');
  const same = await readLimit(context, limit);
  if (limit.id === undefined) return { row: same };
  const row = await requireLimit(context, limit.id);
  if (row instanceof Refused) return row;
  if (same !== undefined && same.id !== row.id) return new Refused('limit_exists');
  return { row };
}

function checkAmount(field: string, text: string): FieldRefused | undefined {
  if (text === '-1') return undefined;
  const amount = atomsFromDecimal(text, DECIMALS);
  if (amount.ok || amount.problem === 'too_large') return undefined;
  return invalidField(field, amount.problem);
}

async function writeLimit(
  { connection }: ActContext,
  { amount, currency, limit_currency, monthly_amount, tier, type }: LimitFields,
  replaced: number | undefined,
): Promise<void> {
  if (replaced === undefined) {
    await upsert(connection, {
      table: 'transaction_limits',
      key: { tier, type, limit_currency },
      values: { currency, amount, monthly_amount },
    });
    return;
  }
  await connection.query(
    `update transaction_limits set tier = $2, type = $3, limit_currency = $4, currency = $5,
     amount = $6, monthly_amount = $7, updated_at = now() where id = $1`,
    [replaced, tier, type, limit_currency, currency, amount, monthly_amount],
  );
}

interface LimitRow extends LimitFields {
  readonly id: number;
  readonly updated_at: Date;
}

async function readLimit(
  { connection }: ActContext,
  limit: LimitFields,
): Promise<LimitRow | undefined> {
  const { rows } = await connection.query(
    'select * from transaction_limits where tier = $1 and type = $2 and limit_currency = $3',
    [limit.tier, limit.type, limit.limit_currency],
  );
  return rows[0];
}

async function requireLimit(
  { connection }: ActContext,
  id: number,
): Promise<LimitRow | Refused<'limit_not_found'>> {
  const { rows } = await connection.query('select * from transaction_limits where id = $1', [id]);
  return rows.length === 0 ? new Refused('limit_not_found') : rows[0];
}

function limitJson(row: LimitRow) {
  const { amount, currency, limit_currency, monthly_amount, type } = row;
  return { tier: Number(row.tier), type, currency, limit_currency, amount, monthly_amount };
}

function namesIn(change: EngineLimitsChange): (keyof Limits)[] {
  return LIMIT_NAMES.filter((name) => change[name] !== undefined);
}

/** Limits on work and users' shares can shrink; the engine's memory cannot. */
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

/** Capacity that each user share is a part of. */
const CAPACITY_OF: { readonly [Name in keyof Limits]?: keyof Limits } = {
  accountsPerUserMax: 'accountsMax',
  ordersPerUserMax: 'ordersMax',
  stopsPerUserMax: 'ordersMax',
  withdrawalsPerUserMax: 'withdrawalsMax',
  deadManSwitchesPerUserMax: 'deadManSwitchesMax',
  clientOrderIdsPerUserMax: 'clientOrderIdWindow',
};

function checkEngineLimits(now: Limits, change: EngineLimitsChange): FieldRefused | undefined {
  if (namesIn(change).length === 0) return invalidField('limits', 'must not be empty');
  for (const name of namesIn(change)) {
    const value = change[name] ?? 0;
    if (!MAY_SHRINK.has(name) && value < now[name]) {
      return invalidField(name, `below the current value (${now[name]}); it cannot be lowered`);
    }
    const capacity = CAPACITY_OF[name];
    const half =
      capacity === undefined ? value : Math.floor((change[capacity] ?? now[capacity]) / 2);
    if (value > half) return invalidField(name, `more than half of ${capacity} for a single user`);
  }
  return undefined;
}
