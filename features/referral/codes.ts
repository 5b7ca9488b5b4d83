// Referral codes. The owner of a code divides the operator's earning rate into a discount for the
// users of the code and a share of their fees.

import type { UserId } from '../../core/money/index.ts';
import {
  type Connection,
  idOf,
  inTransaction,
  type Statements,
} from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { ReferralSettings } from './settings.ts';

export interface ReferralCode {
  readonly code: string;
  readonly owner: UserId;
  /** Percentage of the fees that a user of the code does not pay. */
  readonly discount: number;
  /** Percentage of the paid fees that the owner earns. */
  readonly earningRate: number;
  /** Number of users who have used it. */
  readonly uses: number;
  readonly createdAt: Date;
}

export type CodeRefusal =
  | 'referral_code_invalid'
  | 'referral_rates_invalid'
  | 'referral_code_taken'
  | 'referral_codes_limit_reached';

export interface NewReferralCode {
  readonly owner: UserId;
  readonly code: string;
  readonly discount: number;
  readonly earningRate: number;
}

const CODE = /^[A-Za-z0-9]{6}$/;
export const REFERRAL_CODES_PER_USER_MAX = 3;
const STEP = 10;
/** Below 100, so no user gets back all the fees they pay, through however many accounts. */
const EARNING_RATE_MAX = 90;

/** Runs in its own transaction. */
export function createReferralCode(
  connection: Connection,
  asked: NewReferralCode,
  settings: Pick<ReferralSettings, 'earningRate'>,
): Promise<ReferralCode | Refused<CodeRefusal>> {
  return inTransaction(connection, async () => {
    // Two concurrent requests must not both create the third code.
    await connection.query('select from users where id = $1 for no key update', [asked.owner]);
    const refusal = refuseCode(asked, settings);
    if (refusal !== undefined) return refusal;
    const codes = await listReferralCodes(connection, asked.owner);
    if (codes.length >= REFERRAL_CODES_PER_USER_MAX) {
      return new Refused('referral_codes_limit_reached', { max: REFERRAL_CODES_PER_USER_MAX });
    }
    return insertReferralCode(connection, asked, settings);
  });
}

/** Runs in the caller's transaction. Operators can create any number for a user. */
export async function insertReferralCode(
  statements: Statements,
  asked: NewReferralCode,
  settings: Pick<ReferralSettings, 'earningRate'>,
): Promise<ReferralCode | Refused<CodeRefusal>> {
  const refusal = refuseCode(asked, settings);
  if (refusal !== undefined) return refusal;
  const { code, discount, earningRate, owner } = asked;
  // Another user's affiliation code refers to that user.
  const { rows } = await statements.query(
    `insert into referral_codes (code, user_id, discount, earning_rate)
     select $1::text, $2::bigint, $3, $4
     where not exists (select from users where affiliation_code = upper($1) and id <> $2)
     on conflict do nothing returning *`,
    [code, owner, discount, earningRate],
  );
  return rows.length === 0 ? new Refused('referral_code_taken') : codeOfRow(rows[0]);
}

function refuseCode(
  { code, ...rates }: NewReferralCode,
  settings: Pick<ReferralSettings, 'earningRate'>,
): Refused<CodeRefusal> | undefined {
  if (!CODE.test(code)) return new Refused('referral_code_invalid');
  if (areRatesValid(rates, settings)) return undefined;
  return new Refused('referral_rates_invalid', { max: settings.earningRate });
}

/** Without a code there is nothing to count. */
export async function hasReferralCodes(statements: Statements): Promise<boolean> {
  return (await statements.query('select from referral_codes limit 1')).rows.length > 0;
}

/** Oldest first; a user has few. */
export async function listReferralCodes(
  statements: Statements,
  owner: UserId,
): Promise<ReferralCode[]> {
  const { rows } = await statements.query(
    'select * from referral_codes where user_id = $1 order by created_at, code',
    [owner],
  );
  return rows.map(codeOfRow);
}

/**
 * Returns the currently usable code. A user's affiliation code is another name for that user's
 * first code. Returns undefined if there is none, or if the operator lowered the earning rate below
 * what the code promises.
 */
export async function checkReferralCode(
  statements: Statements,
  code: string,
  settings: Pick<ReferralSettings, 'earningRate'>,
): Promise<ReferralCode | undefined> {
  if (!CODE.test(code)) return undefined;
  const { rows } = await statements.query(
    'select * from referral_codes where upper(code) = upper($1)',
    [code],
  );
  if (rows.length === 0) return findByAffiliationCode(statements, code, settings);
  const [found] = rows.map(codeOfRow);
  return areRatesValid(found, settings) ? found : undefined;
}

/** Without a code, a user refers others for the entire earning rate and without a discount. */
async function findByAffiliationCode(
  statements: Statements,
  code: string,
  settings: Pick<ReferralSettings, 'earningRate'>,
): Promise<ReferralCode | undefined> {
  const { rows } = await statements.query(
    `select id, created_at from users
     where affiliation_code = upper($1) and kind = 'person' and state = 'active'`,
    [code],
  );
  if (rows.length === 0) return undefined;
  const owner = idOf<UserId>(rows[0].id);
  const own = await listReferralCodes(statements, owner);
  const usable = own.find((one) => areRatesValid(one, settings));
  if (usable !== undefined || own.length > 0) return usable;
  const { earningRate: rate } = settings;
  const earningRate = Math.min(rate - (rate % STEP), EARNING_RATE_MAX);
  const createdAt: Date = rows[0].created_at;
  const made = { code: code.toUpperCase(), owner, discount: 0, earningRate, uses: 0, createdAt };
  return areRatesValid(made, settings) ? made : undefined;
}

/** An affiliation code becomes a code of its owner with its first use. */
export async function storeCode(
  statements: Statements,
  { code, discount, earningRate, owner }: ReferralCode,
): Promise<void> {
  await statements.query(
    `insert into referral_codes (code, user_id, discount, earning_rate) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [code, owner, discount, earningRate],
  );
}

function areRatesValid(
  { discount, earningRate }: Pick<ReferralCode, 'discount' | 'earningRate'>,
  settings: Pick<ReferralSettings, 'earningRate'>,
): boolean {
  const areSteps = [discount, earningRate].every((rate) => rate >= 0 && rate % STEP === 0);
  const sum = discount + earningRate;
  return areSteps && earningRate <= EARNING_RATE_MAX && sum > 0 && sum <= settings.earningRate;
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function codeOfRow(row: any): ReferralCode {
  return {
    code: row.code,
    owner: idOf(row.user_id),
    discount: Number(row.discount),
    earningRate: Number(row.earning_rate),
    uses: Number(row.uses),
    createdAt: row.created_at,
  };
}
