// A user requests a withdrawal in a login session. Second factor, policy, request and confirmation
// email are one transaction under the account lock. Nothing is put on hold until the code from the
// email is confirmed.

import { randomUUID } from 'node:crypto';
import type { KeyId, UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type CodeForm,
  type FactorRefusal,
  factorProof,
  isRecoveryCode,
  issueCode,
  lockHolder,
  type PersonContext,
  refuseFactor,
  refuseMails,
} from '../../auth/index.ts';
import { isReadOnly } from '../../kill-switches/index.ts';
import { CODE_LIFE_MS, enqueueMail } from '../../messages/index.ts';
import { EMAIL_NETWORK } from '../addresses/parse-destination.ts';
import { accountLabel, listBankAccounts } from '../banks/bank-accounts.ts';
import { policyRefusal } from '../policy/policy-refusal.ts';
import { FIAT_NETWORK, withdrawalPolicy } from '../policy/withdrawal-policy.ts';
import { readPolicyInput } from '../policy/withdrawal-policy-input.ts';
import { beginning } from '../request-moves.ts';
import { cancelIn } from './cancel-withdrawal.ts';
import { insertWithdrawalRequest } from './requests.ts';
import { WITHDRAWALS } from './states.ts';
import {
  mailedTerms,
  type StoredTerms,
  termsText,
  type WithdrawalTerms,
} from './withdrawal-terms.ts';

export interface WithdrawalPorts {
  readonly vault: Vault;
  /** Schema of the projected tables, for prices. */
  readonly projectionSchema: string;
}

export interface WantedWithdrawal<Other extends string = never> {
  readonly terms: WithdrawalTerms;
  /** '' if the user has none, or proved a passkey to the session. */
  readonly otpCode: string;
  readonly form: CodeForm;
  readonly description?: string;
  /** Additional condition, checked under the account lock. */
  findRefusal?(connection: Connection): Promise<Refused<Other> | undefined>;
}

export interface OpenedWithdrawal {
  readonly kind: 'requested';
  readonly id: number;
  readonly transactionId: string;
}

export const CONFIRM_WITHDRAWAL = 'confirm_withdrawal';
const NO_KEY = 0 as KeyId;

export function openWithdrawalFlow<Other extends string = never>(
  connection: Connection,
  ports: WithdrawalPorts,
  person: PersonContext,
  wanted: WantedWithdrawal<Other>,
) {
  const { form, otpCode, terms } = wanted;
  const { circumstances, flow, user } = person;
  const { vault } = ports;
  return inTransaction(connection, async () => {
    // The holder is a user with a login, so this is also the family lock.
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    if (terms.network === EMAIL_NETWORK && terms.address === holder.email) {
      return new Refused('recipient_is_own_account');
    }
    await connection.query('savepoint unproven');
    // A wrong factor counts as an attempt, so it is committed. A passkey is valid for one request.
    const proof = { ...factorProof(person, otpCode), isUsedUp: true };
    const missing = await refuseFactor(connection, vault, proof);
    if (missing !== undefined) return factorRefusal(missing);
    // A recovery code stays used, along with its hold and email. The hold rejects the request.
    if (isRecoveryCode(otpCode)) await connection.query('savepoint unproven');
    const added = await addRequest(connection, ports, person, wanted);
    if (added instanceof Refused) {
      // Use the factor again now that nothing else prevents the request.
      await connection.query('rollback to savepoint unproven');
      return added;
    }
    const payload = termsText({ ...terms, ...added, user });
    const of = { user, purpose: CONFIRM_WITHDRAWAL, form, flow, payload } as const;
    const code = await issueCode(connection, vault, of);
    const address = await mailedAddress(connection, vault, { ...terms, user });
    await enqueueMail(connection, vault, {
      user,
      to: holder.email,
      language: holder.language,
      kind: CONFIRM_WITHDRAWAL,
      values: { ...circumstances, code, form, ...mailedTerms(terms), address },
    });
    return added;
  });
}

/** Owners recognize a bank account by its number, not by its ID. */
async function mailedAddress(
  connection: Connection,
  vault: Vault,
  { address, network, user }: Pick<StoredTerms, 'address' | 'network' | 'user'>,
): Promise<string> {
  if (network !== FIAT_NETWORK) return address;
  const accounts = await listBankAccounts(connection, vault, user);
  const account = accounts.find(({ id }) => id === address);
  return account === undefined ? address : accountLabel(account);
}

async function addRequest<Other extends string>(
  connection: Connection,
  { projectionSchema, vault }: WithdrawalPorts,
  person: PersonContext,
  { description, findRefusal, terms }: WantedWithdrawal<Other>,
) {
  const { flow, nowMs, user } = person;
  const tooMany = await refuseMails(connection, vault, person);
  if (tooMany !== undefined) return tooMany;
  const other = await findRefusal?.(connection);
  if (other !== undefined) return other;
  // A new code invalidates the previous one, so the previous request can no longer be confirmed.
  await cancelUnconfirmed(connection, user);
  const asked = { ...terms, user, key: NO_KEY, session: flow.session, projectionSchema };
  const input = await readPolicyInput(connection, { ...asked, proof: 'second_factor' });
  if (input === undefined) throw new Error(`user ${user} is locked and does not exist`);
  const decision = withdrawalPolicy(input);
  const refusal = policyRefusal({ ...decision, input });
  if (refusal !== undefined) return refusal;
  if (await isReadOnly(connection)) return new Refused('exchange_read_only');
  const transactionId = randomUUID();
  const id = await insertWithdrawalRequest(connection, {
    ...asked,
    kind: terms.network === EMAIL_NETWORK ? 'transfer' : 'withdrawal',
    state: beginning(WITHDRAWALS, 'requestConfirmation', 'user').to,
    transactionId,
    description,
    expiresAt: new Date(nowMs + CODE_LIFE_MS),
    decided: { input, ...decision },
  });
  if (id === undefined) throw new Error('insert of a withdrawal returned no row');
  const requested: OpenedWithdrawal = { kind: 'requested', id, transactionId };
  return requested;
}

async function cancelUnconfirmed(connection: Connection, user: UserId): Promise<void> {
  const { rows } = await connection.query(
    `select id from withdrawal_requests where user_id = $1 and state = 'unconfirmed'`,
    [user],
  );
  // A request that expired in the meantime needs no cancellation.
  for (const { id } of rows) void (await cancelIn(connection, { id: Number(id) }, user));
}

function factorRefusal({ key }: Refused<FactorRefusal>) {
  if (key === 'otp_not_enabled') return new Refused('withdrawal_factor_needed');
  return new Refused(key === 'factor_wrong' ? 'withdrawal_not_confirmed' : key);
}
