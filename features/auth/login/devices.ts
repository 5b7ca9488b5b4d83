// Devices that a user has logged in from. A browser is identified by a cookie; a client without
// cookies by its network for 90 days. A known device has separate failure counts, so strangers
// cannot lock its owner out.

import { createHash, randomBytes } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import { idOf, type Statements } from '../../../infra/postgres/index.ts';
import { type IdentityClient, shortUserAgent } from '../person-context.ts';

export interface DeviceRow {
  readonly id: number;
  readonly network: string;
  /** Two letters; '' if unknown. */
  readonly country: string;
  readonly userAgent: string;
  readonly isBrowser: boolean;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export interface DeviceSeen {
  readonly user: UserId;
  readonly client: IdentityClient;
  readonly country: string;
  readonly nowMs: number;
}

/** Live devices per user; a new one replaces the least recently seen. */
export const DEVICES_MAX = 50;
const NETWORK_KNOWN_MS = 90 * 86_400_000;
const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** Returns undefined for a device that the user has not logged in from, or has revoked. */
export async function findKnownDevice(
  statements: Statements,
  { client, nowMs, user }: Omit<DeviceSeen, 'country' | 'user'> & { readonly user: UserId | 0 },
): Promise<DeviceRow | undefined> {
  const { rows } = await statements.query(
    `select * from devices
     where user_id = $1 and revoked_at is null and case
       when $2::bytea is null then token_hash is null and network = $3 and last_seen_at > $4
       else token_hash = $2 end`,
    [user, deviceHash(user, client), client.network, new Date(nowMs - NETWORK_KNOWN_MS)],
  );
  return rows.map(deviceOf)[0];
}

/**
 * Records a successful login. Browsers get a token to store in a cookie; a browser that already has
 * one keeps it, so several users can share a browser. A revoked device that returns is new.
 */
export async function rememberDevice(
  statements: Statements,
  seen: DeviceSeen,
): Promise<{ readonly device: number; readonly token: string | undefined }> {
  const { client, country, nowMs, user } = seen;
  const sent = client.deviceToken;
  const isUsable = sent !== undefined && TOKEN.test(sent);
  const token = isUsable
    ? sent
    : client.isBrowserApp
      ? randomBytes(TOKEN_BYTES).toString('base64url')
      : undefined;
  const hash = token === undefined ? null : hashOf(user, token);
  const browser = token === undefined ? null : browserHashOf(token);
  const target =
    hash === null
      ? '(user_id, network) where token_hash is null and revoked_at is null'
      : '(token_hash)';
  const { rows } = await statements.query(
    `insert into devices (user_id, token_hash, network, country, user_agent, first_seen_at,
       last_seen_at, browser_hash)
     values ($1, $2, $3, $4, $5, $6, $6, $7)
     on conflict ${target} do update set network = excluded.network, country = excluded.country,
       user_agent = excluded.user_agent, last_seen_at = excluded.last_seen_at, revoked_at = null,
       browser_hash = excluded.browser_hash,
       first_seen_at = case when devices.revoked_at is null then devices.first_seen_at
         else excluded.first_seen_at end
     returning id`,
    [user, hash, client.network, country, shortUserAgent(client), new Date(nowMs), browser],
  );
  await dropSurplus(statements, seen);
  return { device: idOf(rows[0].id), token };
}

/** Returns the user's live devices, last used first. */
export async function listDevices(statements: Statements, user: UserId): Promise<DeviceRow[]> {
  const { rows } = await statements.query(
    `select * from devices where user_id = $1 and revoked_at is null
     order by last_seen_at desc, id desc limit ${DEVICES_MAX}`,
    [user],
  );
  return rows.map(deviceOf);
}

/**
 * Forgets the device and ends its sessions; the caller announces that after the commit. Returns
 * false if the user has no such device.
 */
export async function revokeDevice(
  statements: Statements,
  { id, user }: { readonly user: UserId; readonly id: number },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `with revoked as (
       update devices set revoked_at = now()
       where id = $1 and user_id = $2 and revoked_at is null returning id),
     ended as (
       update sessions set revoked_at = now(), revoked_reason = 'device revoked'
       where user_id = $2 and revoked_at is null and device_id in (select id from revoked))
     select from revoked`,
    [id, user],
  );
  return rowCount === 1;
}

/** Returns the countries of all past logins and the time of the last one; 0 if there was none. */
export async function pastLogins(
  statements: Statements,
  user: UserId,
): Promise<{ readonly countries: ReadonlySet<string>; readonly lastMs: number }> {
  const { rows } = await statements.query(
    `select country, last_seen_at from devices where user_id = $1
     order by id desc limit ${2 * DEVICES_MAX}`,
    [user],
  );
  const countries = rows.map(({ country }) => country as string);
  return {
    countries: new Set(countries.filter((country) => country !== '')),
    lastMs: Math.max(0, ...rows.map((row) => row.last_seen_at.getTime())),
  };
}

async function dropSurplus(statements: Statements, { user }: DeviceSeen): Promise<void> {
  // Revoked rows stay as a record of past countries while there is room for them.
  await statements.query(
    `delete from devices where user_id = $1 and id in (
       select id from devices where user_id = $1
       order by (revoked_at is null) desc, last_seen_at desc, id desc offset ${DEVICES_MAX})`,
    [user],
  );
}

function deviceHash(user: UserId | 0, { deviceToken, isBrowserApp }: IdentityClient) {
  if (deviceToken !== undefined) return hashOf(user, deviceToken);
  // A browser app without its cookie is not identified by its network; no row has this hash.
  return isBrowserApp ? Buffer.alloc(TOKEN_BYTES) : null;
}

/**
 * The same for all users of a browser, because operators must not vote on actions of users with
 * whom they share one. Never used for anything else.
 */
function browserHashOf(token: string): Buffer {
  return createHash('sha256').update(`browser ${token}`).digest();
}

function hashOf(user: UserId | 0, token: string): Buffer {
  return createHash('sha256').update(`device ${user} ${token}`).digest();
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function deviceOf(row: any): DeviceRow {
  return {
    id: idOf(row.id),
    network: row.network,
    country: row.country,
    userAgent: row.user_agent,
    isBrowser: row.token_hash !== null,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}
