// Deposits, payouts and transfers between users, sent through channels. Section 9 of the rules.

import {
  type BurnAsset,
  type ChannelPosition,
  type CreditDeposit,
  EXTERNAL_OWNER,
  FEES_OWNER,
  type MintAsset,
  type Refusal,
  type SettleFees,
  type TransferAsset,
} from '../../core/messages/index.ts';
import { isWholeWithin } from './exact-arithmetic.ts';
import { admit, checkCapacity, checkUser } from './reference-capacity.ts';
import { availableOf, issuedOf, payFromAvailable } from './reference-ledger.ts';
import { emit, findAsset, type ReferenceState } from './reference-state.ts';

/** Returns the refusals that do not advance the channel. */
export function checkChannel(
  state: ReferenceState,
  position: ChannelPosition,
): Refusal | undefined {
  const { channel, channelSequence } = position;
  if (!isWholeWithin(channel, 1, state.limits.channelsMax)) return 'channel_must_exist';
  const { lastSequence, frozenBy } = channelOf(state, channel);
  if (frozenBy !== 0) return 'channel_is_frozen';
  if (channelSequence <= lastSequence) return 'channel_sequence_already_seen';
  if (channelSequence > lastSequence + 1) return 'channel_sequence_has_gap';
  return undefined;
}

export function channelOf(
  state: ReferenceState,
  channel: number,
): { lastSequence: number; frozenBy: number } {
  const known = state.channels.get(channel) ?? { lastSequence: 0, frozenBy: 0 };
  state.channels.set(channel, known);
  return known;
}

export function checkAsset(state: ReferenceState, asset: number): Refusal | undefined {
  return findAsset(state, asset) === undefined ? 'asset_must_exist' : undefined;
}

function checkAmount(amountAtoms: bigint): Refusal | undefined {
  return amountAtoms <= 0n ? 'amount_must_be_positive' : undefined;
}

/** A deposit and a mint differ only in their event kind. */
export function creditFromOutside(
  state: ReferenceState,
  command: CreditDeposit | MintAsset,
): Refusal | undefined {
  const { user, asset, amountAtoms, reference } = command;
  const refusal =
    checkUser(user) ??
    checkAsset(state, asset) ??
    checkAmount(amountAtoms) ??
    checkIssuance(state, asset, amountAtoms) ??
    checkCapacity(state, [{ user, assets: [asset] }]);
  if (refusal !== undefined) return refusal;
  admit(state, { user, assets: [asset] });
  payFromAvailable(state.ledger, { asset, atoms: amountAtoms, from: EXTERNAL_OWNER, to: user });
  const kind = command.kind === 'MintAsset' ? 'AssetMinted' : 'DepositCredited';
  emit(state, { kind, user, asset, amountAtoms, reference });
  return undefined;
}

function checkIssuance(
  state: ReferenceState,
  asset: number,
  amountAtoms: bigint,
): Refusal | undefined {
  const cap = findAsset(state, asset)?.issuanceCapAtoms ?? 0n;
  return issuedOf(state.ledger, asset) + amountAtoms > cap ? 'issuance_cap_exceeded' : undefined;
}

export function burnAsset(state: ReferenceState, command: BurnAsset): Refusal | undefined {
  const { user, asset, amountAtoms, reference } = command;
  const refusal = checkUser(user) ?? checkAsset(state, asset) ?? checkAmount(amountAtoms);
  if (refusal !== undefined) return refusal;
  if (availableOf(state.ledger, user, asset) < amountAtoms) return 'available_balance_too_small';
  payFromAvailable(state.ledger, { asset, atoms: amountAtoms, from: user, to: EXTERNAL_OWNER });
  emit(state, { kind: 'AssetBurned', user, asset, amountAtoms, reference });
  return undefined;
}

export function transferAsset(state: ReferenceState, command: TransferAsset): Refusal | undefined {
  const { sender, receiver, asset, amountAtoms, reference } = command;
  const userRefusal = checkUser(sender) ?? checkUser(receiver);
  if (userRefusal !== undefined) return userRefusal;
  if (sender === receiver) return 'users_must_be_different';
  const refusal = checkAsset(state, asset) ?? checkAmount(amountAtoms);
  if (refusal !== undefined) return refusal;
  if (availableOf(state.ledger, sender, asset) < amountAtoms) return 'available_balance_too_small';
  const capacityRefusal = checkCapacity(state, [{ user: receiver, assets: [asset] }]);
  if (capacityRefusal !== undefined) return capacityRefusal;
  admit(state, { user: receiver, assets: [asset] });
  payFromAvailable(state.ledger, { asset, atoms: amountAtoms, from: sender, to: receiver });
  emit(state, { kind: 'AssetTransferred', sender, receiver, asset, amountAtoms, reference });
  return undefined;
}

export function settleFees(state: ReferenceState, command: SettleFees): Refusal | undefined {
  const { asset, user } = command;
  const refusal = checkUser(user) ?? checkAsset(state, asset);
  if (refusal !== undefined) return refusal;
  const amountAtoms = availableOf(state.ledger, FEES_OWNER, asset);
  if (amountAtoms === 0n) return 'fees_account_is_empty';
  const capacityRefusal = checkCapacity(state, [{ user, assets: [asset] }]);
  if (capacityRefusal !== undefined) return capacityRefusal;
  admit(state, { user, assets: [asset] });
  payFromAvailable(state.ledger, { asset, atoms: amountAtoms, from: FEES_OWNER, to: user });
  emit(state, { kind: 'FeesSettled', asset, user, amountAtoms });
  return undefined;
}
