// Logins, sessions, deposit addresses and referral of all users.

import { HOUR_MS } from '../../../core/market-data/index.ts';
import type { UserId } from '../../../core/money/index.ts';
import type { Call, Dependencies, ListAnswer, Row } from '../../../platform/http/index.ts';
import {
  type LoginOfUser,
  type RefererOfUser,
  type Routes,
  timeText,
  type WalletOfUser,
} from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, operatorOf } from '../../approvals/http/index.ts';
import { loginJson, sessionJson } from '../../auth/http/index.ts';
import { loginOf, sessionListRowOf } from '../../auth/index.ts';
import { shownUser } from '../../pii-access/http/index.ts';
import { type PersonalView, viewOf } from '../../pii-access/index.ts';
import { createReferralCodeFor } from '../../referral/admin.ts';
import { affiliationJson, codeJson } from '../../referral/http/index.ts';
import { affiliationsOfReferrer, codeOfRow, findReferrer } from '../../referral/index.ts';
import { loginsOfUsers } from '../lists/logins.ts';
import { referralCodesOfUsers } from '../lists/referral-codes.ts';
import { sessionsOfUsers } from '../lists/sessions.ts';
import { walletOfRow, walletsOfUsers } from '../lists/wallets.ts';
import { answerOperatorList, datesOf, requireUser } from './answer-list.ts';

const SEEN_MS = { '1h': HOUR_MS, '24h': 24 * HOUR_MS };

export function getLoginsOfUsers(
  call: Call<Routes['getLoginsOfUsers']>,
  dependencies: Dependencies,
) {
  const { country, ip, status, user_id } = call.query;
  const filter = {
    user: user_id as UserId | undefined,
    status,
    country: country?.toUpperCase(),
    ip,
    ...datesOf(call.query),
  };
  return answerOperatorList(call, dependencies, {
    ...loginsOfUsers(filter),
    write: (row) => JSON.stringify(loginOfUserJson(row)),
    name: 'logins',
  });
}

function loginOfUserJson(row: Row): LoginOfUser {
  // An attempt for an address without an account.
  const user = row.user_id === null ? null : Number(row.user_id);
  return { ...loginJson(loginOf({ ...row, user_id: user ?? 0 })), user_id: user, UserId: user };
}

export async function getSessionsOfUsers(
  call: Call<Routes['getSessionsOfUsers']>,
  dependencies: Dependencies,
) {
  const { last_seen, status, user_id } = call.query;
  const nowMs = dependencies.clock.nowMs();
  const filter = {
    user: user_id as UserId | undefined,
    status,
    seenSince: last_seen === undefined ? undefined : new Date(nowMs - SEEN_MS[last_seen]),
    ...datesOf(call.query),
  };
  const view = await viewOf(dependencies.registry, operatorOf(call));
  return answerOperatorList(call, dependencies, {
    ...sessionsOfUsers(filter),
    write(row) {
      const session = sessionListRowOf(row);
      const shown = { ...session, email: view.email(session.email) };
      return JSON.stringify(sessionJson(shown, call.caller));
    },
    name: 'sessions',
  });
}

export async function getWalletsOfUsers(
  call: Call<Routes['getWalletsOfUsers']>,
  dependencies: Dependencies,
) {
  const { address, currency, is_valid: isValid, network, user_id } = call.query;
  const filter = {
    user: user_id as UserId | undefined,
    currency: currency?.toLowerCase(),
    address,
    isValid,
    network,
    ...datesOf(call.query),
  };
  const view = await viewOf(dependencies.registry, operatorOf(call));
  return answerOperatorList(call, dependencies, {
    ...walletsOfUsers(filter),
    write: (row) => JSON.stringify(walletJson(row, view)),
    name: 'wallets',
  });
}

function walletJson(row: Row, view: PersonalView): WalletOfUser {
  const wallet = walletOfRow(row);
  return {
    user_id: wallet.user,
    network_id: wallet.user,
    currency: wallet.currency,
    address: wallet.address,
    network: wallet.network,
    standard: wallet.standard,
    is_valid: wallet.isValid,
    created_at: timeText(wallet.createdAt.getTime()),
    updated_at: timeText(wallet.updatedAt.getTime()),
    User: shownUser(wallet.user, wallet.email, view),
  };
}

export async function getRefererOfUser(
  call: Call<Routes['getRefererOfUser']>,
  { registry }: Dependencies,
): Promise<RefererOfUser | Refused<'user_not_found'>> {
  const user = await requireUser(registry, call.query.user_id);
  if (user instanceof Refused) return user;
  const referrer = await findReferrer(registry, user);
  if (referrer === undefined) return {};
  const at = timeText(referrer.at.getTime());
  const view = await viewOf(registry, operatorOf(call));
  const referer = { id: referrer.id, email: view.email(referrer.email) };
  return { email: { created_at: at, updated_at: at, referer } };
}

export async function getAffiliationsOfUser(
  call: Call<Routes['getAffiliationsOfUser']>,
  dependencies: Dependencies,
): Promise<ListAnswer | Refused<'user_not_found'>> {
  const { from, to } = datesOf(call.query);
  const user = await requireUser(dependencies.registry, call.query.user_id);
  if (user instanceof Refused) return user;
  const view = await viewOf(dependencies.registry, operatorOf(call));
  return answerOperatorList(call, dependencies, {
    ...affiliationsOfReferrer,
    values: [user, from ?? null, to ?? null],
    sortColumns: { id: 'a.created_at', created_at: 'a.created_at', user_id: 'a.user_id' },
    write(row) {
      const { user, ...affiliation } = affiliationJson(row);
      const shown = { ...user, email: view.email(user.email) };
      return JSON.stringify({ ...affiliation, user: shown });
    },
    name: 'affiliations',
  });
}

export function getReferralCodesOfUsers(
  call: Call<Routes['getReferralCodesOfUsers']>,
  dependencies: Dependencies,
) {
  const filter = { user: call.query.user_id as UserId | undefined, ...datesOf(call.query) };
  return answerOperatorList(call, dependencies, {
    ...referralCodesOfUsers(filter),
    write: (row) => JSON.stringify(codeJson(codeOfRow(row))),
    name: 'referral-codes',
  });
}

export function createReferralCodeForUser(
  call: Call<Routes['createReferralCodeForUser']>,
  dependencies: Dependencies,
) {
  const { code, discount, earning_rate, user_id = call.caller.user } = call.body;
  const payload = { user_id, code, discount, earning_rate };
  return answerAct(call, dependencies, createReferralCodeFor, payload, ({ created_at }) => ({
    ...payload,
    referral_count: 0,
    created_at,
  }));
}
