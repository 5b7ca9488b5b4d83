// Lists of an account: sessions, logins and devices. Each statement names the owner.

import {
  type DeviceRow,
  type LoginRow,
  loginList,
  loginOf,
  type SessionListRow,
  sessionList,
  sessionListRowOf,
} from '../../../domain/identity/index.ts';
import {
  type Routes,
  timeText,
  type UserDevice,
  type UserLogin,
  type UserSession,
} from '../../../protocol/index.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, JsonText, StreamedAnswer } from '../handler.ts';
import { momentFilter } from '../lists/list-filters.ts';
import { answerList } from '../lists/lists.ts';

export function answerSessions(
  call: Call<Routes['getSessions']>,
  { clock, exchange, registry }: Dependencies,
): Promise<JsonText | StreamedAnswer> {
  const { caller, query } = call;
  const { end_date: end, start_date: start, status } = query;
  const list = sessionList({
    user: caller.user,
    status,
    from: momentFilter(start) ?? undefined,
    to: momentFilter(end) ?? undefined,
  });
  return answerList(call, {
    ...list,
    pool: registry,
    clock,
    write: (row) => JSON.stringify(sessionJson(sessionListRowOf(row), call.caller)),
    fileName: `${exchange.name}-sessions`,
  });
}

export function answerLogins(
  call: Call<Routes['getLogins']>,
  { clock, exchange, registry }: Dependencies,
): Promise<JsonText | StreamedAnswer> {
  const { caller, query } = call;
  const { end_date: end, start_date: start, status } = query;
  const list = loginList({
    user: caller.user,
    status,
    from: momentFilter(start) ?? undefined,
    to: momentFilter(end) ?? undefined,
  });
  return answerList(call, {
    ...list,
    pool: registry,
    clock,
    write: (row) => JSON.stringify(loginJson(loginOf(row))),
    fileName: `${exchange.name}-logins`,
  });
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

function sessionJson(
  row: SessionListRow,
  caller: { readonly email: string; readonly session: number },
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
      User: { id: user, email: caller.email },
    },
  };
}

function loginJson({ country, createdAt, id, ip, outcome, user, userAgent }: LoginRow): UserLogin {
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
