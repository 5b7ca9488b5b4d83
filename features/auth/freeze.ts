// Freezing: the owner stops the account with a link from any security email, or in a session. A
// frozen account has no sessions, no devices and no usable keys; only the second factor or an
// operator can undo it. Trading and withdrawing keys stay suspended after that, because one might
// be a thief's.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { enqueueMail, type MailKind } from '../messages/index.ts';
import { type CircumstancesSource, circumstancesOf, readFreezeToken } from './circumstances.ts';
import { lockLoginUser } from './login/open-session.ts';
import type { IdentityClient } from './person-context.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from './security-changes.ts';

export interface FrozenAccount {
  readonly user: UserId;
}

/**
 * Call it in a transaction. After the commit the caller announces the change and cancels the user's
 * orders and unclaimed withdrawals. Returns undefined if the token is rejected: forged, expired, or
 * issued before the account became active again, for example by unfreezing.
 */
export async function freezeByToken(
  statements: Statements,
  ports: CircumstancesSource,
  { client, token }: { readonly token: string; readonly client: IdentityClient },
): Promise<FrozenAccount | undefined> {
  const read = readFreezeToken(ports.vault, token, ports.clock.nowMs());
  if (read === undefined) return undefined;
  const { issuedMs, user } = read;
  const { rows } = await statements.query(
    `select state = 'frozen' as is_frozen, state = 'active' and state_since > $2 as is_newer
     from users where id = $1 for no key update`,
    [user, new Date(issuedMs)],
  );
  if (rows.length === 0) return undefined;
  // A second click on the link also succeeds.
  if (rows[0].is_frozen) return { user };
  if (rows[0].is_newer) return undefined;
  const isFrozen = await freezeUser(statements, ports, { user, client });
  return isFrozen ? { user } : undefined;
}

/** Freezes the user like `freezeByToken`. Returns false if the account is not in use. */
export async function freezeUser(
  statements: Statements,
  ports: CircumstancesSource,
  { client, user }: { readonly user: UserId; readonly client: IdentityClient },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update users set state = 'frozen', state_since = $2, updated_at = now()
     where id = $1 and state in ('active', 'closing')`,
    [user, new Date(ports.clock.nowMs())],
  );
  if (rowCount === 0) return false;
  await applySecurityChange(statements, {
    user,
    reason: 'frozen',
    holdMs: CREDENTIAL_HOLD_MS,
    endsDevices: true,
    suspendsKeys: true,
  });
  await mailTo(statements, ports, { user, client, kind: 'account_frozen' });
  return true;
}

/**
 * The caller has proven the second factor or is an operator. Returns false if the account is not
 * frozen.
 */
export async function unfreezeUser(
  statements: Statements,
  ports: CircumstancesSource,
  { client, user }: { readonly user: UserId; readonly client: IdentityClient },
): Promise<boolean> {
  const { rowCount } = await statements.query(
    `update users set state = 'active', state_since = $2, updated_at = now()
     where id = $1 and state = 'frozen'`,
    [user, new Date(ports.clock.nowMs())],
  );
  if (rowCount === 0) return false;
  await mailTo(statements, ports, { user, client, kind: 'account_unfrozen' });
  return true;
}

async function mailTo(
  statements: Statements,
  ports: CircumstancesSource,
  mail: {
    readonly user: UserId;
    readonly client: IdentityClient;
    readonly kind: Extract<MailKind, 'account_frozen' | 'account_unfrozen'>;
  },
): Promise<void> {
  const { client, kind, user } = mail;
  const found = await lockLoginUser(statements, user);
  if (found === undefined) return;
  const { email: to, language } = found;
  // Nothing is left to freeze.
  const freezable = kind === 'account_frozen' ? undefined : user;
  const values = circumstancesOf(ports, client, freezable);
  await enqueueMail(statements, ports.vault, { user, to, language, kind, values });
}
