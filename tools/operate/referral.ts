// The commands `referral on` and `referral off`: the referral program in the kit. Settings that
// cannot be paid are rejected.

import { decimalFromAtoms } from '../../core/money/index.ts';
import { describeKit } from '../../features/listings/index.ts';
import { readReferralSettings } from '../../features/referral/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import type { Changed } from '../audited-change.ts';
import { ToolFault } from '../command-line.ts';

export interface ReferralConfig {
  readonly currency: string;
  readonly rate: string;
  readonly minimum: string;
  readonly months: string;
  readonly distributor: string;
}

export async function turnReferralOn(
  { currency, distributor, minimum, months, rate }: ReferralConfig,
  statements: Statements,
  projectionSchema: string,
): Promise<Changed> {
  await describeKit(statements, {
    referral_history_config: {
      active: true,
      currency: currency.toLowerCase(),
      earning_rate: Number(rate),
      minimum_amount: Number(minimum),
      earning_period: Number(months),
      distributor_id: Number(distributor),
      date_enabled: new Date().toISOString(),
    },
  });
  const settings = await readReferralSettings(statements, projectionSchema);
  // Rolls back the change.
  if (settings === undefined) throw new ToolFault(EXPECTED);
  const { earningMonths, earningRate, minimumAtoms, scale } = settings;
  const least = `${decimalFromAtoms(minimumAtoms, scale)} ${settings.currency}`;
  const period = earningMonths === 0 ? 'without a time limit' : `for ${earningMonths} months`;
  const lines = [
    `referral is on: at most ${earningRate}% of fees, ${period}`,
    `user ${settings.distributor} pays amounts of ${least} or more`,
  ];
  return { lines, object: 'referral', after: { currency, distributor, minimum, months, rate } };
}

const EXPECTED =
  'The settings were rejected (expected a listed coin, a rate of 0 to 100, a minimum with at ' +
  'most the decimals of the coin, months from 0 to 1200, and an existing user).';

/** Keeps the other settings for comparison with the next `referral on`. */
export async function turnReferralOff(statements: Statements): Promise<Changed> {
  await statements.query(
    `update kit set updated_at = now(), content =
       jsonb_set(content, '{referral_history_config,active}', 'false', false)`,
  );
  return { lines: ['referral is off'], object: 'referral' };
}
