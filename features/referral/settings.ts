// The operator's referral settings, from the kit. Settings that are incomplete or name an unknown
// coin count as off, so nothing is promised that cannot be paid.

import { type AssetId, type Atoms, atomsFromDecimal, type UserId } from '../../core/money/index.ts';
import { assertPlainName, idOf, type Statements } from '../../infra/postgres/index.ts';

export interface ReferralSettings {
  /** Coin of the shares. */
  readonly currency: string;
  readonly asset: AssetId;
  readonly scale: number;
  /** Maximum total of a code's discount and earning rate, in percent. */
  readonly earningRate: number;
  /** Minimum payout. */
  readonly minimumAtoms: Atoms;
  /** How long a referred user's fees count; 0 for no limit. */
  readonly earningMonths: number;
  /** Paying account. */
  readonly distributor: UserId;
}

const MONTHS_MAX = 1_200;

/** Returns undefined if referral is off. */
export async function readReferralSettings(
  statements: Statements,
  projectionSchema: string,
): Promise<ReferralSettings | undefined> {
  const { rows } = await statements.query(
    `select content -> 'referral_history_config' as setting from kit`,
  );
  return checkedSettings(statements, rows[0]?.setting ?? {}, projectionSchema);
}

/** Returns undefined if the program is off, incomplete, or cannot be paid. */
export async function checkedSettings(
  statements: Statements,
  setting: object,
  projectionSchema: string,
): Promise<ReferralSettings | undefined> {
  assertPlainName(projectionSchema);
  const { rows } = await statements.query(
    `select a.id, a.symbol, a.scale, u.id as distributor, c.setting ->> 'earning_rate' as rate,
       c.setting ->> 'minimum_amount' as minimum, c.setting ->> 'earning_period' as period
     from (select $1::jsonb as setting) c
     join ${projectionSchema}.assets a on a.symbol = lower(c.setting ->> 'currency')
     join users u on u.id::text = c.setting ->> 'distributor_id'
     where c.setting ->> 'active' = 'true'`,
    [JSON.stringify(setting)],
  );
  if (rows.length === 0) return undefined;
  const [row] = rows;
  const scale = Number(row.scale);
  const [earningRate, earningMonths] = [Number(row.rate ?? Number.NaN), Number(row.period ?? 0)];
  const minimum = atomsFromDecimal(row.minimum ?? '0', scale);
  if (!minimum.ok || !isWithin(earningRate, 100) || !isWithin(earningMonths, MONTHS_MAX)) {
    return undefined;
  }
  return {
    currency: row.symbol,
    asset: idOf(row.id),
    scale,
    earningRate,
    minimumAtoms: minimum.value,
    earningMonths,
    distributor: idOf(row.distributor),
  };
}

function isWithin(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
