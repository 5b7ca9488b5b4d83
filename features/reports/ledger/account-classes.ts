// The three kinds of accounts of an asset: those of users, fees, and everything outside.

import { EXTERNAL_OWNER, FEES_OWNER } from '../../../core/messages/index.ts';

const sumOf = (atoms: string, owners: string) =>
  `coalesce(sum(${atoms}) filter (where ${owners}), 0)`;

/** The columns of a sum over the accounts of each asset. */
export const sumsByClass = (available: string, held: string) => `
  asset_id, ${sumOf(available, 'owner > 0')} as users_available,
  ${sumOf(held, 'owner > 0')} as users_held,
  ${sumOf(`${available} + ${held}`, `owner = ${FEES_OWNER}`)} as fees,
  ${sumOf(`${available} + ${held}`, `owner = ${EXTERNAL_OWNER}`)} as external`;
