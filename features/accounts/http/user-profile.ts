// The caller's profile. Must never contain what operators wrote about the user, or reveal to a
// guest who the owner is.

import type { UserId } from '../../../core/money/index.ts';
import { BALANCES_OF_USER, balancesOfRows } from '../../../infra/projections/index.ts';
import {
  type Call,
  type Dependencies,
  JsonText,
  requireFresh,
} from '../../../platform/http/index.ts';
import {
  type AccountNow,
  balanceFields,
  decimal,
  type ErrorKey,
  type Routes,
  timeText,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { bankAccountJson } from '../../payments/http/index.ts';
import { listBankAccounts } from '../../payments/index.ts';
import { NO_PERSONAL_DATA, readPersonal } from '../personal-data.ts';
import { findUser, listWallets, type WalletRow } from '../users.ts';

export async function getUser(
  { caller }: Call<Routes['getUser']>,
  dependencies: Dependencies,
): Promise<JsonText | Refused<ErrorKey>> {
  const behind = await requireFresh(dependencies);
  if (behind !== undefined) return behind;
  const { registry, vault } = dependencies;
  const isGuest = caller.sessionKind === 'shared';
  const [user, personal, banks, wallets, balance] = await Promise.all([
    findUser(registry, caller.user),
    isGuest ? NO_PERSONAL_DATA : readPersonal(registry, vault, caller.user),
    isGuest ? [] : listBankAccounts(registry, vault, caller.user),
    isGuest ? [] : listWallets(registry, caller.user),
    readBalance(dependencies, caller.user),
  ]);
  if (user === undefined) return new Refused('user_not_found');
  const { withdrawalBlockedUntil: blocked } = user;
  const isBlocked = blocked !== null && blocked.getTime() > dependencies.clock.nowMs();
  const profile = JSON.stringify({
    id: user.id,
    email: user.email,
    full_name: personal.fullName,
    gender: personal.gender,
    nationality: personal.nationality,
    dob: personal.dob === null ? null : timeText(Date.parse(personal.dob)),
    phone_number: personal.phoneNumber,
    address: personal.address,
    id_data: personal.idData,
    bank_account: banks.map(bankAccountJson),
    crypto_wallet: firstAddresses(wallets),
    verification_level: user.verificationLevel,
    email_verified: user.state !== 'unverified',
    otp_enabled: user.otpEnabled,
    activated: user.state === 'active',
    username: user.username,
    affiliation_code: user.affiliationCode,
    affiliation_rate: decimal(user.affiliationRate),
    settings: user.settings,
    discount: decimal(user.discount),
    meta: user.meta,
    withdrawal_blocked: isBlocked ? timeText(blocked.getTime()) : null,
    is_subaccount: caller.isSubAccount,
    network_id: user.id,
    created_at: timeText(user.createdAt.getTime()),
    updated_at: timeText(user.updatedAt.getTime()),
    wallet: wallets.map(({ createdAt, isValid, ...wallet }) => ({
      ...wallet,
      is_valid: isValid,
      created_at: timeText(createdAt.getTime()),
    })),
    ...(caller.permissions.size > 0 && {
      permissions: [...caller.permissions],
      role: caller.role,
      powers: [...caller.powers],
    }),
  });
  return new JsonText(`${profile.slice(0, -1)},"balance":${balance}}`);
}

/** Returns the oldest address per currency; `wallet` has them all. */
function firstAddresses(wallets: readonly WalletRow[]): Readonly<Record<string, string>> {
  const inUse = wallets.filter(({ isValid }) => isValid);
  return Object.fromEntries(inUse.toReversed().map(({ address, currency }) => [currency, address]));
}

const NOTHING: AccountNow = { availableAtoms: 0n, heldAtoms: 0n };

/**
 * Returns the balances as JSON, with zero for coins that the user never held. The caller has called
 * `requireFresh`.
 */
export async function readBalance(
  { catalogue, projections }: Dependencies,
  user: UserId,
): Promise<string> {
  const { rows } = await projections.query(BALANCES_OF_USER, [user]);
  const { accounts, updatedMs } = balancesOfRows(rows);
  const all = [...catalogue.now.assetsById.values()].map(
    (asset) => [asset, accounts.get(asset.asset) ?? NOTHING] as const,
  );
  return `{"user_id":${user},${balanceFields(all, updatedMs)}}`;
}
