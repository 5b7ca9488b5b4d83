// Confirms a suspicious login: the owner of the mailbox confirms the location. It is then known, so
// the next login from there passes.

import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type PublicCodeRefusal, usePublicCode } from '../codes.ts';
import { flowOf } from '../flows.ts';
import type { IdentityClient } from '../person-context.ts';
import { rememberDevice } from './devices.ts';
import type { LoginPorts, SuspiciousPlace } from './open-session.ts';

/** Call it in a transaction, and commit a rejection too, because it counts a try. */
export async function confirmLogin(
  statements: Statements,
  { clock, vault }: Pick<LoginPorts, 'clock' | 'vault'>,
  { client, code }: { readonly code: string; readonly client: IdentityClient },
): Promise<'confirmed' | Refused<PublicCodeRefusal>> {
  const used = await usePublicCode(statements, vault, {
    purpose: 'confirm_login',
    code,
    flow: flowOf(client),
    nowMs: clock.nowMs(),
  });
  if (used instanceof Refused) return used;
  const { country, network, userAgent }: SuspiciousPlace = JSON.parse(used.payload);
  await rememberDevice(statements, {
    user: used.user,
    client: { address: network, network, userAgent, isBrowserApp: false },
    country,
    nowMs: clock.nowMs(),
  });
  return 'confirmed';
}
