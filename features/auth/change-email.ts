// Changes the email address, proven with the second factor, a code to the old address and a code to
// the new one. Withdrawals are blocked for a day, other sessions end, and the old address can
// freeze the account for a week. Until both codes are right, nothing reveals whether the new
// address is in use.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, inTransaction } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { findUserByEmail, isEmailAddress, normalEmail } from '../accounts/index.ts';
import { enqueueMail } from '../messages/index.ts';
import { issueCode } from './codes.ts';
import { refuseFactorIfAny } from './factors/second-factor.ts';
import {
  type ActRefusal,
  factorProof,
  lockHolder,
  type PersonContext,
  proveAct,
  refuseMails,
} from './person-context.ts';
import { applySecurityChange, CREDENTIAL_HOLD_MS } from './security-changes.ts';

export type EmailChangeRefusal = ActRefusal | 'email_invalid' | 'email_unchanged' | 'email_taken';

const FORM = 'v5';

/** Sends a code to the old address and one to the new address. */
export function requestEmailChange(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  asked: { readonly email: string; readonly otpCode: string },
): Promise<Refused<EmailChangeRefusal | 'rate_limit_exceeded'> | undefined> {
  const { circumstances, flow, user } = person;
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const email = normalEmail(asked.email);
    if (!isEmailAddress(email)) return new Refused('email_invalid');
    if (email === holder.email) return new Refused('email_unchanged');
    const tooMany = await refuseMails(connection, vault, person);
    if (tooMany !== undefined) return tooMany;
    const proof = factorProof(person, asked.otpCode);
    const refusal = await refuseFactorIfAny(connection, vault, proof);
    if (refusal !== undefined) return refusal;
    const code = (purpose: 'email_change_old' | 'email_change_new') =>
      issueCode(connection, vault, { user, purpose, form: FORM, flow, payload: email });
    const { language } = holder;
    const [oldCode, newCode] = [await code('email_change_old'), await code('email_change_new')];
    await enqueueMail(connection, vault, {
      user,
      to: holder.email,
      language,
      kind: 'email_change_old',
      values: { ...circumstances, code: oldCode, form: FORM, newEmail: email },
    });
    // The new address is not proven yet, so it gets no freeze link.
    const values = { ...circumstances, freezeToken: '' };
    const isTaken = (await findUserByEmail(connection, email)) !== undefined;
    if (isTaken) {
      const kind = 'already_registered';
      await enqueueMail(connection, vault, { user: null, to: email, language, kind, values });
    } else {
      await enqueueMail(connection, vault, {
        user,
        to: email,
        language,
        kind: 'email_change_new',
        values: { ...values, code: newCode, form: FORM },
      });
    }
    return undefined;
  });
}

/** The caller announces the end of the user's other sessions after the commit. */
export function confirmEmailChange(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  sent: {
    readonly oldCode: string;
    readonly newCode: string;
    /** Valid for a week, because the owner of the old address might read the email late. */
    readonly freezeToken: string;
  },
): Promise<Refused<EmailChangeRefusal> | undefined> {
  const { circumstances, flow, user } = person;
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const addresses = new Set<string>();
    const refusal = await proveAct(connection, vault, person, {
      codes: [
        { purpose: 'email_change_old', code: sent.oldCode },
        { purpose: 'email_change_new', code: sent.newCode },
      ],
      onUsed: ({ payload }) => addresses.add(payload),
    });
    if (refusal !== undefined) return refusal;
    const [email] = addresses;
    // One request writes both codes, so they differ only if one belongs to another request.
    if (addresses.size !== 1) return new Refused('code_wrong');
    if (!(await writeEmail(connection, user, email))) return new Refused('email_taken');
    const reason = 'email_changed';
    const keepSession = flow.session;
    await applySecurityChange(connection, {
      user,
      reason,
      holdMs: CREDENTIAL_HOLD_MS,
      keepSession,
    });
    await enqueueMail(connection, vault, {
      user,
      to: holder.email,
      language: holder.language,
      kind: 'email_changed',
      values: { ...circumstances, freezeToken: sent.freezeToken },
    });
    return undefined;
  });
}

/** Returns false if another account has the address. */
export async function writeEmail(
  connection: Connection,
  user: UserId,
  email: string,
): Promise<boolean> {
  await connection.query('savepoint email');
  try {
    await connection.query('update users set email = $2, updated_at = now() where id = $1', [
      user,
      email,
    ]);
    return true;
  } catch (fault) {
    const { constraint } = fault as { constraint?: string };
    if (constraint !== 'users_by_email') throw fault;
    await connection.query('rollback to savepoint email');
    return false;
  }
}
