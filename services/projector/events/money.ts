// Projects money that enters, leaves and moves: deposits, mints, withdrawals, burns, transfers and
// settled fees. Balances and ledger entries follow from the postings, not from these handlers.

import type { AssetMinted, DepositCredited } from '../../../core/messages/index.ts';
import { storableText } from '../../../infra/postgres/index.ts';
import type { EventPosition } from '../event-position.ts';
import type { EventHandlers, TableChanges } from './event-handler.ts';

const INSERT_WITHDRAWAL = `
  insert into withdrawals (command, kind, withdrawal, user_id, asset_id, amount_atoms, fee_asset_id,
    fee_atoms, status, reference, created_at, updated_at)
  values ($1, 'withdrawal', $2, $3, $4, $5, $6, $7, 'open', '', $8, $8)`;

const COMPLETE_WITHDRAWAL = `
  update withdrawals set status = 'completed', reference = $2, updated_at = $3
  where withdrawal = $1 and status = 'open'`;

const CANCEL_WITHDRAWAL = `
  update withdrawals set status = 'canceled', updated_at = $2
  where withdrawal = $1 and status = 'open'`;

const INSERT_BURN = `
  insert into withdrawals (command, kind, withdrawal, user_id, asset_id, amount_atoms, fee_asset_id,
    fee_atoms, status, reference, created_at, updated_at)
  values ($1, 'burn', null, $2, $3, $4, $3, 0, 'completed', $5, $6, $6)`;

export const moneyHandlers: EventHandlers<
  | 'DepositCredited'
  | 'AssetMinted'
  | 'AssetBurned'
  | 'AssetTransferred'
  | 'WithdrawalOpened'
  | 'WithdrawalCompleted'
  | 'WithdrawalCanceled'
  | 'FeesSettled'
> = {
  DepositCredited: (event, changes, position) => addDeposit('deposit', event, changes, position),

  AssetMinted: (event, changes, position) => addDeposit('mint', event, changes, position),

  /** A burn is listed as a withdrawal that is completed immediately. */
  AssetBurned({ amountAtoms, asset, command, reference, user }, { statements }, { timeMs }) {
    const amount = [user, asset, amountAtoms];
    const values = [command, ...amount, storableText(reference), new Date(timeMs)];
    statements.push({ text: INSERT_BURN, values });
  },

  /** The postings create two ledger entries with the transfer's reference. */
  AssetTransferred() {},

  WithdrawalOpened(event, { statements }, { timeMs }) {
    const { amountAtoms, asset, command, feeAsset, feeAtoms, user, withdrawal } = event;
    const amounts = [user, asset, amountAtoms, feeAsset, feeAtoms];
    const values = [command, withdrawal, ...amounts, new Date(timeMs)];
    statements.push({ text: INSERT_WITHDRAWAL, values });
  },

  WithdrawalCompleted({ reference, withdrawal }, { statements }, { timeMs }) {
    const values = [withdrawal, storableText(reference), new Date(timeMs)];
    statements.push({ text: COMPLETE_WITHDRAWAL, values });
  },

  WithdrawalCanceled({ withdrawal }, { statements }, { timeMs }) {
    statements.push({ text: CANCEL_WITHDRAWAL, values: [withdrawal, new Date(timeMs)] });
  },

  /** The postings create two ledger entries. */
  FeesSettled() {},
};

function addDeposit(
  kind: 'deposit' | 'mint',
  { amountAtoms, asset, command, reference, user }: DepositCredited | AssetMinted,
  { deposits }: TableChanges,
  { timeMs }: EventPosition,
): void {
  deposits.row().integer(command).text(kind).integer(user);
  deposits.integer(asset).bigint(amountAtoms).text(reference).time(timeMs);
}
