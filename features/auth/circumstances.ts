// Details shown in every security email: time, location, device, and the link that freezes the
// account. The link's token carries its own proof, so all emails of the last six hours stay valid.

import { timingSafeEqual } from 'node:crypto';
import type { UserId } from '../../core/money/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { Circumstances } from '../messages/index.ts';
import type { CountryLookup } from './login/countries.ts';
import { type IdentityClient, shortUserAgent } from './person-context.ts';

/** Subset of a gateway's dependencies. */
export interface CircumstancesSource {
  readonly vault: Vault;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly identity: { readonly countries: CountryLookup };
}

export interface ReadFreezeToken {
  readonly user: UserId;
  readonly issuedMs: number;
}

export const FREEZE_TOKEN_LIFE_MS = 6 * 3_600_000;
const LABEL = 'freeze token';

export function circumstancesOf(
  { clock, identity, vault }: CircumstancesSource,
  client: IdentityClient,
  user: UserId | undefined,
): Circumstances {
  const nowMs = clock.nowMs();
  return {
    time: new Date(nowMs).toISOString(),
    ip: client.address,
    country: identity.countries.countryOf(client.address),
    device: shortUserAgent(client),
    freezeToken: user === undefined ? '' : freezeToken(vault, user, nowMs),
  };
}

/** Valid for six hours, or for another period that the email needs. */
export function freezeToken(
  vault: Vault,
  user: UserId,
  nowMs: number,
  lifeMs: number = FREEZE_TOKEN_LIFE_MS,
): string {
  const text = `${user}.${Math.floor(nowMs)}.${lifeMs}`;
  return `${text}.${vault.mac(LABEL, text).toString('base64url')}`;
}

/** Returns undefined if the token is forged or expired. */
export function readFreezeToken(
  vault: Vault,
  token: string,
  nowMs: number,
): ReadFreezeToken | undefined {
  const [, text, mac] = /^((?:\d{1,16}\.){2}\d{1,16})\.([\w-]{43})$/.exec(token) ?? [];
  if (text === undefined) return undefined;
  const sent = Buffer.from(mac, 'base64url');
  if (!vault.macs(LABEL, text).some((own) => timingSafeEqual(own, sent))) return undefined;
  const [user, issuedMs, lifeMs] = text.split('.').map(Number);
  return nowMs < issuedMs + lifeMs ? { user: user as UserId, issuedMs } : undefined;
}
