// Operator actions on a user's bank accounts (replace, verify, reject) and deposit addresses
// (assign). An account entered by one operator is verified by another, except in solo mode. The
// owner gets an email about each change.

import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { UserPayload } from '../../accounts/admin/index.ts';
import {
  type ActContext,
  type Assessment,
  actsAlone,
  defineAct,
  findSharedMark,
  lockTarget,
  objectOf,
  userLabel,
} from '../../approvals/index.ts';
import { operatorCircumstances } from '../../auth/index.ts';
import { enqueueMail } from '../../messages/index.ts';
import { maskBank, unmaskFields } from '../../pii-access/index.ts';
import {
  type AddressIssuer,
  type AddressRefusal,
  createDepositAddress,
} from '../addresses/deposit-addresses.ts';
import type { VerificationStatus } from '../api/bank-account.ts';
import {
  accountLabel,
  type BankAccount,
  type BankFields,
  type BankRefusal,
  listBankAccounts,
  replaceBankAccounts,
  revokeBankAccount,
  verifyBankAccount,
} from '../banks/bank-accounts.ts';

export type BankAccountsPayload = {
  readonly user: number;
  readonly accounts: readonly {
    /** '' for a new account. */
    readonly id: string;
    /** '' keeps the status; an account with new fields then becomes pending. */
    readonly status: VerificationStatus | '';
    readonly fields: Readonly<Record<string, string>>;
  }[];
};
export type BankDecisionPayload = {
  readonly user: number;
  readonly id: string;
  /** Message to the owner; '' if there is none. */
  readonly message: string;
};
export type AddressPayload = {
  readonly user: number;
  readonly currency: string;
  readonly network: string;
};
export type AddressResult = { readonly user: number; readonly address: string };

export const replaceBankAccountsAct = defineAct({
  name: 'user.bank.replace',
  votePower: 'approve.access',
  personal: ['accounts'],
  prepare(context: ActContext, { accounts, user }: BankAccountsPayload) {
    const { connection, operator, vault } = context;
    return prepareBanks(context, user, async (owner, present) => {
      const own = [];
      for (const { fields: given, id, status } of accounts) {
        const fields = ownFields(given, present.find((one) => one.id === id)?.fields);
        if (fields instanceof Refused) return fields;
        own.push({ fields, ...(id !== '' && { id }), ...(status !== '' && { status }) });
      }
      return replaceBankAccounts(connection, vault, {
        user: owner,
        operator: operator.user,
        accounts: own,
      });
    });
  },
});

export const verifyBankAccountAct = defineAct({
  name: 'user.bank.verify',
  votePower: 'approve.access',
  personal: ['message'],
  prepare(context: ActContext, { id, user }: BankDecisionPayload) {
    const { connection, operator, vault } = context;
    return prepareBanks(context, user, (owner) =>
      verifyBankAccount(connection, vault, { user: owner, id, operator: operator.user }),
    );
  },
});

export const revokeBankAccountAct = defineAct({
  name: 'user.bank.revoke',
  votePower: 'approve.access',
  personal: ['message'],
  prepare(context: ActContext, { id, message, user }: BankDecisionPayload) {
    const { connection, operator, vault } = context;
    return prepareBanks(context, user, (owner) =>
      revokeBankAccount(connection, vault, { user: owner, id, operator: operator.user, message }),
    );
  },
});

/** Returns the user's deposit address for a currency and network, assigning one if needed. */
export function createAddressAct(issuer: AddressIssuer) {
  return defineAct({
    name: 'user.deposit-address',
    votePower: 'approve.access',
    async prepare(context: ActContext, payload: AddressPayload) {
      const { currency, network, user: given } = payload;
      const person = await lockPerson(context, given);
      if (person instanceof Refused) return person;
      const { assessed, user } = person;
      return {
        ...assessed,
        async run() {
          const wanted = { user, currency, network };
          const address = await createDepositAddress(context.connection, issuer, wanted);
          if (address instanceof Refused) return refusalForOperator(address, payload);
          const result: AddressResult = { user, address };
          return { result, subject: user, after: { currency, network }, personal: { address } };
        },
      };
    },
  });
}

/** Tells operators how to add addresses; users can only contact support. */
function refusalForOperator(
  refusal: Refused<AddressRefusal>,
  { currency, network }: AddressPayload,
): Refused<AddressRefusal | 'deposit_addresses_used_up'> {
  if (refusal.key !== 'deposit_address_unavailable') return refusal;
  return new Refused('deposit_addresses_used_up', { currency, network });
}

/** Locks the affected user and assesses the action. None of these actions needs approval. */
export async function lockPerson(context: ActContext, given: number) {
  const target = await lockTarget(context, given, { isPerson: true });
  if (target instanceof Refused) return target;
  const { email, id: user, language } = target;
  const assessed: Assessment = {
    object: objectOf(user),
    objectVersion: '',
    approvals: 0,
    beneficiaries: [user],
    shown: userLabel(target),
  };
  return { user, email, language, assessed };
}

async function prepareBanks(
  context: ActContext,
  given: number,
  change: (
    user: UserId,
    present: readonly BankAccount[],
  ) => Promise<BankAccount[] | Refused<BankRefusal | 'masked_value'>>,
) {
  const { connection, vault } = context;
  const person = await lockPerson(context, given);
  if (person instanceof Refused) return person;
  const { assessed, user } = person;
  return {
    ...assessed,
    async run() {
      const before = await listBankAccounts(connection, vault, user);
      const after = await change(user, before);
      if (after instanceof Refused) return after;
      const isRelated = await isVerifiedByEnterer(context, before, after);
      if (isRelated) return new Refused('bank_account_entered_by_you');
      await mailOwner(context, person, { before, after });
      const result: UserPayload = { user };
      return {
        result,
        subject: user,
        before: statusesOf(before),
        after: statusesOf(after),
        personal: { before: fieldsOf(before), after: fieldsOf(after) },
      };
    },
  };
}

/**
 * Whether the operator verifying an account is the one who entered it, or related to them. An
 * administrator in solo mode does both.
 */
async function isVerifiedByEnterer(
  { connection, operator }: ActContext,
  before: readonly BankAccount[],
  after: readonly BankAccount[],
): Promise<boolean> {
  if (await actsAlone(connection, operator)) return false;
  const enterers = after.flatMap(({ enteredBy, id, status }) =>
    enteredBy !== null && status === 'verified' && statusIn(before, id) !== 'verified'
      ? [enteredBy]
      : [],
  );
  if (enterers.length === 0) return false;
  return (await findSharedMark(connection, operator.user, enterers)) !== undefined;
}

/** Only changes that the owner can act on: an account is new, usable, or no longer usable. */
async function mailOwner(
  { connection, nowMs, vault }: ActContext,
  owner: { readonly user: UserId; readonly email: string; readonly language: string },
  { after, before }: Record<'before' | 'after', readonly BankAccount[]>,
): Promise<void> {
  const isLive = ({ status }: BankAccount) => status !== 'rejected';
  const added = after.filter(
    ({ id, status }) =>
      statusIn(before, id) === undefined ||
      (status === 'verified' && statusIn(before, id) !== 'verified'),
  );
  const removed = before.filter(
    (account) => isLive(account) && (statusIn(after, account.id) ?? 'rejected') === 'rejected',
  );
  if (added.length + removed.length === 0) return;
  const { email: to, language, user } = owner;
  await enqueueMail(connection, vault, {
    user,
    to,
    language,
    kind: 'bank_account_changed',
    values: {
      ...operatorCircumstances(vault, { user, nowMs }),
      added: added.filter(isLive).map(accountLabel),
      removed: removed.map(accountLabel),
    },
  });
}

function statusIn(accounts: readonly BankAccount[], id: string): VerificationStatus | undefined {
  return accounts.find((account) => account.id === id)?.status;
}

/** Operators see masked values. A mask sent back unchanged keeps the stored value. */
function ownFields(given: BankFields, present: BankFields = {}) {
  return unmaskFields(given, present, maskBank) as BankFields | Refused<'masked_value'>;
}

function statusesOf(accounts: readonly BankAccount[]): Record<string, string> {
  return Object.fromEntries(accounts.map(({ id, status }) => [id, status]));
}

function fieldsOf(accounts: readonly BankAccount[]): Record<string, Record<string, string>> {
  return Object.fromEntries(accounts.map(({ fields, id }) => [id, { ...fields }]));
}
