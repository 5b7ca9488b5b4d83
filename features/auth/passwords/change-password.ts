// Password change by the owner: the old password and the second factor in a login session, then an
// emailed code. The code contains the new password, hashed, until it is confirmed.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import {
  type CodeForm,
  type Flow,
  issueCode,
  type PublicCodeRefusal,
  usePublicCode,
} from '../codes.ts';
import { type FactorRefusal, refuseFactorIfAny } from '../factors/second-factor.ts';
import { type HolderRefusal, lockHolder } from '../person-context.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from '../security-changes.ts';
import { type DescribeCircumstances, languageOf } from '../sign-up/sign-up.ts';
import { passwordTagOf, passwordTagText } from './password-hasher.ts';
import { checkPassword, type PasswordRefusal } from './password-rules.ts';
import { installPassword } from './passwords.ts';
import { type NewPassword, ownerOf, requireUser } from './reset-password.ts';

export interface PasswordChange {
  readonly user: UserId;
  readonly password: NewPassword;
  readonly exchangeName: string;
  /** '' if the client sent none. */
  readonly factorCode: string;
  readonly form: CodeForm;
  /** Requesting session, the only one that stays valid after the change. */
  readonly session: number;
  readonly flow: Flow;
  readonly nowMs: number;
  readonly circumstances: DescribeCircumstances;
}

export interface ConfirmedPasswordChange {
  readonly code: string;
  readonly flow: Flow;
  readonly nowMs: number;
  readonly circumstances: DescribeCircumstances;
}

const PURPOSE = 'change_password';

/** Sends the code that installs the new password. The caller has verified the old one. */
export async function requestPasswordChange(
  connection: Connection,
  vault: Vault,
  change: PasswordChange,
): Promise<Refused<HolderRefusal | FactorRefusal | PasswordRefusal> | undefined> {
  const { circumstances, exchangeName, factorCode, flow, form, nowMs, session, user } = change;
  const { tag, text } = change.password;
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, { user, flow: { session } });
    if (holder instanceof Refused) return holder;
    const known = await requireUser(connection, user);
    const proof = { user, code: factorCode, nowMs, session, circumstances: circumstances(user) };
    const refusal =
      checkPassword(text, ownerOf(known, exchangeName)) ??
      (await refuseFactorIfAny(connection, vault, proof));
    if (refusal !== undefined) return refusal;
    const payload = JSON.stringify({ session, password: passwordTagText(tag) });
    const code = await issueCode(connection, vault, {
      user,
      purpose: PURPOSE,
      form,
      flow,
      payload,
    });
    await enqueueMail(connection, vault, {
      user,
      to: known.email,
      language: languageOf(known),
      kind: PURPOSE,
      values: { ...circumstances(user), code, form },
    });
    return undefined;
  });
}

/** Returns the user, whose credentials the caller announces as changed. */
export async function confirmPasswordChange(
  connection: Connection,
  vault: Vault,
  { circumstances, code, flow, nowMs }: ConfirmedPasswordChange,
): Promise<UserId | Refused<PublicCodeRefusal>> {
  return inTransaction(connection, async () => {
    const used = await usePublicCode(connection, vault, { purpose: PURPOSE, code, flow, nowMs });
    if (used instanceof Refused) return used;
    const { user } = used;
    const { password, session } = JSON.parse(used.payload);
    const known = await requireUser(connection, user);
    await installPassword(connection, vault, user, passwordTagOf(password));
    await applySecurityChange(connection, {
      user,
      reason: 'password_changed',
      holdMs: CREDENTIAL_HOLD_MS,
      keepSession: session,
    });
    await enqueueMail(connection, vault, {
      user,
      to: known.email,
      language: languageOf(known),
      kind: 'password_changed',
      values: circumstances(user),
    });
    return user;
  });
}
