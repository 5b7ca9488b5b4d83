// Lists of an account's sessions, logins and devices. Each statement names the owner.

import {
  answerList,
  type Call,
  type Dependencies,
  type ListSource,
  momentFilter,
} from '../../../platform/http/index.ts';
import {
  type Routes,
  timeText,
  type UserDevice,
  type UserLogin,
  type UserSession,
} from '../../../protocol/index.ts';
import type { DeviceRow } from '../login/devices.ts';
import { type LoginRow, loginList, loginOf } from '../login/logins.ts';
import { type SessionListRow, sessionList, sessionListRowOf } from '../login/session-list.ts';

export function answerSessions(call: Call<Routes['getSessions']>, dependencies: Dependencies) {
  return answerOwn(call, dependencies, {
    ...sessionList(filterOf(call)),
    write: (row) => JSON.stringify(sessionJson(sessionListRowOf(row), call.caller)),
    name: 'sessions',
  });
}

export function answerLogins(call: Call<Routes['getLogins']>, dependencies: Dependencies) {
  return answerOwn(call, dependencies, {
    ...loginList(filterOf(call)),
    write: (row) => JSON.stringify(loginJson(loginOf(row))),
    name: 'logins',
  });
}

type OwnListCall = Call<Routes['getSessions']> | Call<Routes['getLogins']>;

function filterOf({ caller, query }: OwnListCall) {
  const { end_date: end, start_date: start, status } = query;
  const from = momentFilter(start) ?? undefined;
  return { user: caller.user, status, from, to: momentFilter(end) ?? undefined };
}

function answerOwn(
  call: OwnListCall,
  { clock, exchange, registry: pool }: Dependencies,
  { name, ...list }: Omit<ListSource, 'pool' | 'clock' | 'fileName'> & { readonly name: string },
) {
  return answerList(call, { ...list, pool, clock, fileName: `${exchange.name}-${name}` });
}

export function deviceJson(device: DeviceRow): UserDevice {
  const { country, firstSeenAt, id, isBrowser, lastSeenAt, network, userAgent } = device;
  return {
    id,
    device: userAgent,
    network,
    country,
    known_by: isBrowser ? 'cookie' : 'network',
    first_seen: timeText(firstSeenAt.getTime()),
    last_seen: timeText(lastSeenAt.getTime()),
  };
}

export function sessionJson(
  row: SessionListRow,
  caller: { readonly session: number },
): UserSession {
  const { country, createdAt, expiresAt, id, ip, isLive, lastSeenAt, login, role, user } = row;
  const created = timeText(createdAt.getTime());
  const seen = lastSeenAt === null ? null : timeText(lastSeenAt.getTime());
  return {
    id,
    login_id: login,
    status: isLive,
    last_seen: seen,
    expiry_date: timeText(expiresAt.getTime()),
    role,
    meta: {},
    current: id === caller.session,
    created_at: created,
    updated_at: seen ?? created,
    login: {
      ip,
      device: row.userAgent,
      domain: '',
      country,
      timestamp: created,
      User: { id: user, email: row.email },
    },
  };
}

export function loginJson({
  country,
  createdAt,
  id,
  ip,
  outcome,
  user,
  userAgent,
}: LoginRow): UserLogin {
  const created = timeText(createdAt.getTime());
  return {
    id,
    user_id: user,
    ip,
    device: userAgent,
    domain: '',
    country,
    timestamp: created,
    attempt: 1,
    status: outcome === 'success',
    outcome,
    created_at: created,
    updated_at: created,
  };
}
