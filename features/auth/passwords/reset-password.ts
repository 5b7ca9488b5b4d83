// Resets a forgotten password: an emailed code, and the second factor if the user has one. The
// mailbox alone is never enough to take over an account with a factor, and withdrawals are blocked
// for a day.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser, findUserByEmail, type UserRow } from '../../accounts/index.ts';
import { enqueueMail, hasMailBudget, recordSuppressedMail } from '../../messages/index.ts';
import {
  type Flow,
  issueCode,
  type PublicCodeRefusal,
  returnCode,
  usePublicCode,
} from '../codes.ts';
import { type FactorRefusal, refuseFactorIfAny } from '../factors/second-factor.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from '../security-changes.ts';
import {
  type DescribeCircumstances,
  languageOf,
  type MailedCodeRequest,
} from '../sign-up/sign-up.ts';
import { Throttles, unlessRowDenied } from '../throttles.ts';
import type { PasswordTag } from './password-hasher.ts';
import { checkPassword, type PasswordRefusal } from './password-rules.ts';
import { installPassword, oldPasswordCounter } from './passwords.ts';

/** A password as typed by its owner, and its hash. */
export interface NewPassword {
  readonly text: string;
  readonly tag: PasswordTag;
}

export interface PasswordReset {
  readonly code: string;
  readonly flow: Flow;
  /** '' if the client sent none. */
  readonly factorCode: string;
  readonly password: NewPassword;
  readonly exchangeName: string;
  readonly nowMs: number;
  readonly circumstances: DescribeCircumstances;
}

export type PasswordResetRefusal =
  | PublicCodeRefusal
  | Exclude<FactorRefusal, 'otp_not_enabled'>
  | PasswordRefusal;

const PURPOSE = 'reset_password';
const STATES_WITH_PASSWORD = ['active', 'frozen', 'closing'];

/** Sends a code if the address has an account; the caller responds the same if it has none. */
export async function requestPasswordReset(
  connection: Connection,
  vault: Vault,
  request: MailedCodeRequest,
): Promise<void> {
  const asked = () => inTransaction(connection, () => sendResetCode(connection, vault, request));
  await unlessRowDenied(asked, undefined);
}

async function sendResetCode(
  connection: Connection,
  vault: Vault,
  { circumstances, email, flow, form }: MailedCodeRequest,
): Promise<void> {
  const user = await findUserByEmail(connection, email);
  const mayReset = user !== undefined && STATES_WITH_PASSWORD.includes(user.state);
  // If no email is sent, the code of an earlier one stays valid.
  const requester = {
    network: flow.network,
    isKnown: await isKnownNetwork(connection, user?.id, flow.network),
    isLink: form === 'v2',
  };
  const mail = { to: user?.email ?? '', kind: PURPOSE, requester } as const;
  if (!mayReset || !(await hasMailBudget(connection, vault, mail))) {
    const unsent = { user: null, kind: PURPOSE, language: 'en' } as const;
    await recordSuppressedMail(connection, vault, unsent);
    return;
  }
  const asked = { user: user.id, purpose: PURPOSE, form, flow } as const;
  const code = await issueCode(connection, vault, asked);
  await enqueueMail(connection, vault, {
    user: user.id,
    to: user.email,
    language: languageOf(user),
    kind: PURPOSE,
    values: { ...circumstances(user.id), code, form },
    requester,
  });
}

/**
 * Whether one of the user's devices has ever logged in from this network, even if forgotten since.
 */
async function isKnownNetwork(
  statements: Statements,
  user: UserId | undefined,
  network: string,
): Promise<boolean> {
  const { rows } = await statements.query(
    'select from devices where user_id = $1 and network = $2 limit 1',
    [user ?? 0, network],
  );
  return rows.length > 0;
}

/**
 * Returns the user, whose credentials the caller announces as changed. A code stays valid if only
 * the factor or the password was rejected.
 */
export async function resetPassword(
  connection: Connection,
  vault: Vault,
  reset: PasswordReset,
): Promise<UserId | Refused<PasswordResetRefusal>> {
  const { circumstances, code, exchangeName, factorCode, flow, nowMs, password } = reset;
  return inTransaction(connection, async () => {
    const used = await usePublicCode(connection, vault, { purpose: PURPOSE, code, flow, nowMs });
    if (used instanceof Refused) return used;
    const { user } = used;
    const known = await requireUser(connection, user);
    const proof = { user, code: factorCode, nowMs, circumstances: circumstances(user) };
    const refusal =
      checkPassword(password.text, ownerOf(known, exchangeName)) ??
      (await refuseFactorIfAny(connection, vault, proof));
    if (refusal !== undefined) {
      await returnCode(connection, { user, purpose: PURPOSE });
      return refusal;
    }
    await installPassword(connection, vault, user, password.tag);
    await applySecurityChange(connection, {
      user,
      reason: 'password_reset',
      holdMs: CREDENTIAL_HOLD_MS,
      endsDevices: true,
      suspendsKeys: true,
    });
    // Strangers might have blocked the address, or the password change, with wrong passwords.
    await Throttles.clear(connection, vault, { scope: 'account', subject: known.email });
    await Throttles.clear(connection, vault, oldPasswordCounter(user));
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

export async function requireUser(statements: Statements, id: UserId): Promise<UserRow> {
  const user = await findUser(statements, id);
  if (user === undefined) throw new RangeError(`user ${id} does not exist`);
  return user;
}

export function ownerOf({ email, role }: UserRow, exchangeName: string) {
  return { email, exchangeName, isOperator: role !== null };
}
