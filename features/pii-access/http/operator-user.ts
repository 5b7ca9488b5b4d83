// A user as JSON for operators: everything the exchange has about the user, as far as the view
// shows it.

import { decimal, type OperatorUser, timeText } from '../../../protocol/index.ts';
import type { Operator } from '../../approvals/index.ts';
import { bankAccountJson } from '../../payments/http/index.ts';
import { isInReviewFor, type Person } from '../personal-record.ts';
import { maskedUser } from './masked-user.ts';

export interface OperatorView extends Pick<Operator, 'permissions' | 'powers' | 'user'> {
  readonly nowMs: number;
  /** The operator sees unmasked values. */
  readonly isClear: boolean;
  /** The call names this user, so the operator's permissions and reveals count. */
  readonly isNamed: boolean;
  /** Fields revealed to the operator, with their wire names. */
  readonly revealed?: ReadonlySet<string>;
}

export function operatorUserJson(person: Person, view: OperatorView): OperatorUser {
  const { isClear, isNamed, nowMs, permissions, powers, revealed = [], user: operator } = view;
  const user = clearUser(person, nowMs);
  if (isClear) return user;
  if (!isNamed) return maskedUser(user, powers);
  const own = OWN_WORDS.filter(([, call]) => permissions.has(call) || permissions.has(EVERYTHING));
  return maskedUser(user, powers, {
    isInReview: isInReviewFor(person, operator),
    revealed: new Set([...revealed, ...own.map(([field]) => field)]),
  });
}

/** Operators who can write them can read them. */
const OWN_WORDS = [
  ['note', '/admin/user/note:put'],
  ['meta', '/admin/user/meta:put'],
] as const;
const EVERYTHING = '*';

function clearUser(person: Person, nowMs: number): OperatorUser {
  const { addresses, banks, isSubAccount, personal, user } = person;
  const { withdrawalBlockedUntil: blocked } = user;
  const isBlocked = blocked !== null && blocked.getTime() > nowMs;
  return {
    id: user.id,
    email: user.email,
    full_name: personal.fullName,
    gender: personal.gender,
    nationality: personal.nationality,
    dob: personal.dob === null ? null : timeText(Date.parse(personal.dob)),
    phone_number: personal.phoneNumber,
    address: personal.address,
    id_data: { note: '', ...personal.idData },
    bank_account: banks.map(bankAccountJson),
    crypto_wallet: addresses,
    verification_level: user.verificationLevel,
    email_verified: user.state !== 'unverified',
    otp_enabled: user.otpEnabled,
    activated: user.state === 'active',
    state: user.state,
    username: user.username,
    affiliation_code: user.affiliationCode,
    affiliation_rate: decimal(user.affiliationRate),
    settings: user.settings,
    discount: decimal(user.discount),
    meta: user.meta,
    note: user.note,
    flagged: user.flagged,
    role: user.role,
    withdrawal_blocked: isBlocked ? timeText(blocked.getTime()) : null,
    is_subaccount: isSubAccount,
    network_id: user.id,
    created_at: timeText(user.createdAt.getTime()),
    updated_at: timeText(user.updatedAt.getTime()),
  };
}
