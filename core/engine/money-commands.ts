// Moves money in, out and between users. Every command here comes through a channel, checked by
// the caller, so it is applied once however often it is sent. Every credit has a cause.

import type {
  BurnAsset,
  CancelWithdrawal,
  CompleteWithdrawal,
  CreditDeposit,
  MintAsset,
  OpenWithdrawal,
  Refusal,
  SettleFees,
  TransferAsset,
} from '../messages/index.ts';
import type { AssetId, Atoms, UserId } from '../money/index.ts';
import { NONE } from '../structures/index.ts';
import { assetOf, type Exchange } from './exchange.ts';
import { openAccount } from './open-account.ts';
import { isUser } from './users.ts';

interface Amount {
  readonly user: UserId;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
}

export function creditFromOutside(exchange: Exchange, command: CreditDeposit | MintAsset): Refusal {
  const malformed = refuseAmount(exchange, command);
  if (malformed !== 'none') return malformed;
  const { user, asset, amountAtoms, reference } = command;
  if (amountAtoms > exchange.ledger.issuableAtoms(asset)) return 'issuance_cap_exceeded';
  const full = refuseForAccounts(exchange, [user], [asset]);
  if (full !== 'none') return full;
  exchange.ledger.issue(userAccount(exchange, user, asset), amountAtoms);
  const kind = command.kind === 'CreditDeposit' ? 'DepositCredited' : 'AssetMinted';
  exchange.events.push({ kind, command: exchange.command, user, asset, amountAtoms, reference });
  return 'none';
}

export function burnAsset(exchange: Exchange, command: BurnAsset): Refusal {
  const malformed = refuseAmount(exchange, command);
  if (malformed !== 'none') return malformed;
  const { user, asset, amountAtoms, reference } = command;
  if (!has(exchange, user, asset, amountAtoms)) return 'available_balance_too_small';
  exchange.ledger.redeem(userAccount(exchange, user, asset), amountAtoms);
  exchange.events.push({
    kind: 'AssetBurned',
    command: exchange.command,
    user,
    asset,
    amountAtoms,
    reference,
  });
  return 'none';
}

export function transferAsset(exchange: Exchange, command: TransferAsset): Refusal {
  const { sender, receiver, asset, amountAtoms, reference } = command;
  if (!isUser(sender) || !isUser(receiver)) return 'user_must_be_valid';
  if (sender === receiver) return 'users_must_be_different';
  const malformed = refuseAmount(exchange, { user: sender, asset, amountAtoms });
  if (malformed !== 'none') return malformed;
  if (!has(exchange, sender, asset, amountAtoms)) return 'available_balance_too_small';
  const full = refuseForAccounts(exchange, [receiver], [asset]);
  if (full !== 'none') return full;
  const from = userAccount(exchange, sender, asset);
  exchange.ledger.pay(from, userAccount(exchange, receiver, asset), amountAtoms);
  exchange.events.push({
    kind: 'AssetTransferred',
    command: exchange.command,
    sender,
    receiver,
    asset,
    amountAtoms,
    reference,
  });
  return 'none';
}

export function openWithdrawal(exchange: Exchange, command: OpenWithdrawal): Refusal {
  const { withdrawal, user, asset, amountAtoms, feeAsset, feeAtoms } = command;
  if (!isUser(user)) return 'user_must_be_valid';
  if (!assetOf(exchange, asset) || !assetOf(exchange, feeAsset)) return 'asset_must_exist';
  if (amountAtoms <= 0n || feeAtoms < 0n) return 'amount_must_be_positive';
  if (exchange.withdrawals.has(withdrawal)) return 'withdrawal_already_open';
  const { limits, users } = exchange;
  const slot = users.find(user);
  if (users.withdrawalsOpen(slot) >= limits.withdrawalsPerUserMax) {
    return 'user_withdrawals_limit_reached';
  }
  if (exchange.withdrawals.size >= limits.withdrawalsMax) return 'withdrawals_limit_reached';
  const ofAsset = asset === feeAsset ? amountAtoms + feeAtoms : amountAtoms;
  if (!has(exchange, user, asset, ofAsset) || !has(exchange, user, feeAsset, feeAtoms)) {
    return 'available_balance_too_small';
  }
  const destination = keptDestination(exchange, command);
  const opened = { user, asset, amountAtoms, feeAsset, feeAtoms, destination };
  exchange.ledger.hold(userAccount(exchange, user, asset), amountAtoms);
  if (feeAtoms > 0n) exchange.ledger.hold(userAccount(exchange, user, feeAsset), feeAtoms);
  exchange.withdrawals.set(withdrawal, opened);
  users.setWithdrawalsOpen(slot, users.withdrawalsOpen(slot) + 1);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'WithdrawalOpened', command: cause, withdrawal, ...opened });
  return 'none';
}

/** Anything but a SHA-256 in hexadecimal counts as no destination. */
function keptDestination({ rulesVersion }: Exchange, { destination }: OpenWithdrawal): string {
  return rulesVersion >= 3 && DESTINATION.test(destination) ? destination : '';
}

const DESTINATION = /^[0-9a-f]{64}$/;

export function completeWithdrawal(exchange: Exchange, command: CompleteWithdrawal): Refusal {
  const { withdrawal, reference } = command;
  const open = exchange.withdrawals.get(withdrawal);
  if (open === undefined) return 'withdrawal_must_be_open';
  const { destination: _, ...amounts } = open;
  const { user, asset, amountAtoms, feeAsset, feeAtoms } = amounts;
  const { ledger } = exchange;
  ledger.redeemHeld(userAccount(exchange, user, asset), amountAtoms);
  if (feeAtoms > 0n) {
    ledger.payHeld(userAccount(exchange, user, feeAsset), ledger.fees(feeAsset), feeAtoms);
  }
  closeWithdrawal(exchange, withdrawal, user);
  const { command: cause } = exchange;
  exchange.events.push({
    kind: 'WithdrawalCompleted',
    command: cause,
    withdrawal,
    ...amounts,
    reference,
  });
  return 'none';
}

export function cancelWithdrawal(exchange: Exchange, command: CancelWithdrawal): Refusal {
  const { withdrawal } = command;
  const open = exchange.withdrawals.get(withdrawal);
  if (open === undefined) return 'withdrawal_must_be_open';
  const { destination: _, ...amounts } = open;
  const { user, asset, amountAtoms, feeAsset, feeAtoms } = amounts;
  exchange.ledger.release(userAccount(exchange, user, asset), amountAtoms);
  if (feeAtoms > 0n) exchange.ledger.release(userAccount(exchange, user, feeAsset), feeAtoms);
  closeWithdrawal(exchange, withdrawal, user);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'WithdrawalCanceled', command: cause, withdrawal, ...amounts });
  return 'none';
}

function closeWithdrawal({ users, withdrawals }: Exchange, withdrawal: number, user: UserId): void {
  withdrawals.delete(withdrawal);
  const slot = users.find(user);
  users.setWithdrawalsOpen(slot, users.withdrawalsOpen(slot) - 1);
}

export function settleFees(exchange: Exchange, command: SettleFees): Refusal {
  const { user, asset } = command;
  if (!isUser(user)) return 'user_must_be_valid';
  if (!assetOf(exchange, asset)) return 'asset_must_exist';
  const { ledger } = exchange;
  const amountAtoms = ledger.accounts.availableAtoms(ledger.fees(asset));
  if (amountAtoms === 0n) return 'fees_account_is_empty';
  const full = refuseForAccounts(exchange, [user], [asset]);
  if (full !== 'none') return full;
  ledger.pay(ledger.fees(asset), userAccount(exchange, user, asset), amountAtoms);
  const { command: cause } = exchange;
  exchange.events.push({ kind: 'FeesSettled', command: cause, asset, user, amountAtoms });
  return 'none';
}

function refuseAmount(exchange: Exchange, amount: Amount): Refusal {
  if (!isUser(amount.user)) return 'user_must_be_valid';
  if (!assetOf(exchange, amount.asset)) return 'asset_must_exist';
  if (amount.amountAtoms <= 0n) return 'amount_must_be_positive';
  return 'none';
}

function has(exchange: Exchange, user: UserId, asset: AssetId, atoms: bigint): boolean {
  const { accounts } = exchange.ledger;
  return accounts.availableAtoms(accounts.find(user, asset)) >= atoms;
}

/** Checks capacity for these users, each with an account in each of these assets. */
export function refuseForAccounts(
  exchange: Exchange,
  userIds: readonly UserId[],
  assets: readonly AssetId[],
): Refusal {
  const { ledger, limits, users } = exchange;
  const newUsers = userIds.filter((user) => users.find(user) === NONE);
  if (users.size + newUsers.length > limits.usersMax) return 'exchange_user_capacity_reached';
  let missing = 0;
  for (const user of userIds) {
    for (const asset of assets) if (ledger.accounts.find(user, asset) === NONE) missing++;
  }
  return missing > ledger.room ? 'exchange_account_capacity_reached' : 'none';
}

/** The user's account of an asset; creates the user and the account if missing. */
export function userAccount(exchange: Exchange, user: UserId, asset: AssetId): number {
  const slot = exchange.users.findOrAdd(user);
  const found = exchange.ledger.accounts.find(user, asset);
  return found === NONE ? openAccount(exchange, slot, asset) : found;
}
