// Every act that can be requested: votes find the act of a request by its name.

import { HEALTH_ACTS } from '../../domain/health/index.ts';
import { MARKET_ACTS } from '../../domain/market-acts/index.ts';
import { MONEY_ACTS } from '../../domain/money-acts/index.ts';
import { SET_UP_ACTS } from '../../domain/set-up/set-up-acts.ts';
import { SWITCH_ACTS } from '../../domain/switches/index.ts';
import { USER_ACTS } from '../../domain/user-acts/user-acts.ts';
import type { Act, ActTable } from '../../features/approvals/index.ts';
import { PEOPLE_ACTS } from '../../features/pii-access/admin.ts';
import { RECONCILIATION_ACTS } from '../../features/reconciliation/index.ts';
import { REFERRAL_ACTS } from '../../features/referral/admin.ts';
import { STAKING_ACTS } from '../../features/staking/admin/index.ts';
import { SURVEILLANCE_ACTS } from '../../features/surveillance/admin.ts';

/** Acts of one package, with their own types of payload and result. */
// biome-ignore lint/suspicious/noExplicitAny: payloads differ; a request stores the one of its act.
export type ActList = readonly Act<any, any>[];

const PACKAGES: readonly ActList[] = [
  // One line for each package.
  HEALTH_ACTS,
  MARKET_ACTS,
  MONEY_ACTS,
  PEOPLE_ACTS,
  RECONCILIATION_ACTS,
  REFERRAL_ACTS,
  SET_UP_ACTS,
  STAKING_ACTS,
  SWITCH_ACTS,
  SURVEILLANCE_ACTS,
  USER_ACTS,
];

export const ACTS: ActTable = tableOf(PACKAGES.flat());

function tableOf(acts: ActList): ActTable {
  const table = new Map(acts.map((act) => [act.name, act]));
  if (table.size !== acts.length) throw new Error('two acts have the same name');
  return table;
}
