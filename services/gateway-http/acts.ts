// Every operator action that can be requested. Votes find a request's action by its name.

import { ACCOUNTS_ACTS } from '../../features/accounts/admin/index.ts';
import { APPROVALS_ACTS } from '../../features/approvals/admin/index.ts';
import type { Act, ActTable } from '../../features/approvals/index.ts';
import { AUTH_ACTS } from '../../features/auth/admin/index.ts';
import { CUSTODY_ACTS } from '../../features/custody/admin/index.ts';
import { EXCHANGE_CONFIG_ACTS } from '../../features/exchange-config/admin.ts';
import { HEALTH_ACTS } from '../../features/health/admin.ts';
import { KILL_SWITCHES_ACTS } from '../../features/kill-switches/admin/index.ts';
import { LISTINGS_ACTS } from '../../features/listings/admin/index.ts';
import { MESSAGES_ACTS } from '../../features/messages/admin/index.ts';
import { PAYMENTS_ACTS } from '../../features/payments/admin/index.ts';
import { PII_ACCESS_ACTS } from '../../features/pii-access/admin.ts';
import { RECONCILIATION_ACTS } from '../../features/reconciliation/admin.ts';
import { REFERRAL_ACTS } from '../../features/referral/admin.ts';
import { STAKING_ACTS } from '../../features/staking/admin/index.ts';
import { SURVEILLANCE_ACTS } from '../../features/surveillance/admin.ts';
import { TRADING_ACTS } from '../../features/trading/admin/index.ts';

/** Actions of one feature, with their own payload and result types. */
// biome-ignore lint/suspicious/noExplicitAny: payloads differ; a request stores the one of its act.
type ActList = readonly Act<any, any, string>[];

const FEATURES: readonly ActList[] = [
  // One line for each feature.
  ACCOUNTS_ACTS,
  APPROVALS_ACTS,
  AUTH_ACTS,
  CUSTODY_ACTS,
  EXCHANGE_CONFIG_ACTS,
  HEALTH_ACTS,
  KILL_SWITCHES_ACTS,
  LISTINGS_ACTS,
  MESSAGES_ACTS,
  PAYMENTS_ACTS,
  PII_ACCESS_ACTS,
  RECONCILIATION_ACTS,
  REFERRAL_ACTS,
  STAKING_ACTS,
  SURVEILLANCE_ACTS,
  TRADING_ACTS,
];

export const ACTS: ActTable = tableOf(FEATURES.flat());

function tableOf(acts: ActList): ActTable {
  const table = new Map(acts.map((act) => [act.name, act]));
  if (table.size !== acts.length) throw new Error('two actions have the same name');
  return table;
}
