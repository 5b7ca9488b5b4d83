// Creates a user with a password, as an operator. The address counts as verified.

import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import {
  installPassword,
  operatorCircumstances,
  type PasswordTag,
  passwordTagOf,
  passwordTagText,
} from '../../auth/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import { applyReferral } from '../../referral/index.ts';
import { createUser, isEmailAddress, normalEmail } from '../users.ts';

export type NewUserPayload = {
  readonly email: string;
  /** Sealed password tag, because a payload can be stored. */
  readonly sealedPassword: string;
  readonly kekId: number;
  /** Referral code; '' if there is none. */
  readonly referral: string;
};

const PASSWORD_BOUND = 'password of a new user';
const LANGUAGE = 'en';

export function newUserPayload(
  vault: Vault,
  user: { readonly email: string; readonly password: PasswordTag; readonly referral: string },
): NewUserPayload {
  const { kekId, sealed } = vault.seal(PASSWORD_BOUND, passwordTagText(user.password));
  return {
    email: normalEmail(user.email),
    sealedPassword: Buffer.from(sealed).toString('base64'),
    kekId,
    referral: user.referral,
  };
}

export const createUserAct = defineAct({
  name: 'user.create',
  votePower: 'approve.access',
  personal: ['email', 'sealedPassword', 'kekId'],
  async prepare(context: ActContext, payload: NewUserPayload) {
    const { connection, exchange, nowMs, vault } = context;
    const { email, kekId, referral, sealedPassword } = payload;
    if (!isEmailAddress(email)) return new Refused('email_invalid');
    return {
      object: 'users',
      objectVersion: '',
      approvals: 0,
      beneficiaries: [],
      shown: [],
      async run() {
        const created = await createUser(connection, { email });
        if (created === 'email_taken') return new Refused(created);
        if (typeof created === 'string') return new Refused('email_invalid');
        const { id } = created;
        const sealed = { kekId, sealed: Buffer.from(sealedPassword, 'base64') };
        const tag = vault.open(PASSWORD_BOUND, sealed).toString();
        await installPassword(connection, vault, id, passwordTagOf(tag));
        const asked = { user: id, code: referral };
        const unreferred =
          referral === ''
            ? undefined
            : await applyReferral(connection, asked, exchange.projectionSchema);
        // Clients always send the code, even if the exchange has no referral.
        if (unreferred !== undefined && unreferred.key !== 'referral_is_off') return unreferred;
        await enqueueMail(connection, vault, {
          user: id,
          to: email,
          language: LANGUAGE,
          kind: 'welcome',
          values: operatorCircumstances(vault, { user: id, nowMs }),
        });
        return {
          result: { user: id },
          subject: id,
          after: { user: id, hasReferral: referral !== '' && unreferred === undefined },
          personal: { email },
          effects: { dispatcher: true },
        };
      },
    };
  },
});
