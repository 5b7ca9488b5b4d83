// Acts about how money reaches and leaves a user: bank accounts are replaced, verified, rejected;
// a deposit address is given.

import type { UserPayload } from '../../accounts/admin/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  type Assessment,
  defineAct,
  type Executed,
  findTarget,
  lockTarget,
  objectOf,
  userLabel,
} from '../../approvals/index.ts';
import { maskBank, unmaskFields } from '../../pii-access/index.ts';
import { type AddressIssuer, createDepositAddress } from '../addresses/deposit-addresses.ts';
import type { VerificationStatus } from '../api/bank-account.ts';
import {
  BANK_ACCOUNTS_MAX,
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
    /** '' keeps the status; a new account is then verified. */
    readonly status: VerificationStatus | '';
    readonly fields: Readonly<Record<string, string>>;
  }[];
};
export type BankDecisionPayload = {
  readonly user: number;
  readonly id: string;
  /** For the owner; '' for none. */
  readonly message: string;
};
export type AddressPayload = {
  readonly user: number;
  readonly currency: string;
  readonly network: string;
};
export type AddressResult = { readonly user: number; readonly address: string };

const PERSON = { isPerson: true } as const;

export const replaceBankAccountsAct = defineAct<BankAccountsPayload, UserPayload>({
  name: 'user.bank.replace',
  votePower: 'approve.access',
  personal: ['accounts'],
  assess,
  async execute(context: ActContext, { accounts, user }: BankAccountsPayload) {
    return changeAccounts(context, user, ({ connection, operator, vault }, id, present) =>
      replaceBankAccounts(connection, vault, {
        user: id,
        operator: operator.user,
        accounts: accounts.map(({ fields, id: account, status }) => ({
          fields: ownFields(fields, present.find((one) => one.id === account)?.fields),
          ...(account !== '' && { id: account }),
          ...(status !== '' && { status }),
        })),
      }),
    );
  },
});

export const verifyBankAccountAct = defineAct<BankDecisionPayload, UserPayload>({
  name: 'user.bank.verify',
  votePower: 'approve.access',
  personal: ['message'],
  assess,
  async execute(context: ActContext, { id: account, user }: BankDecisionPayload) {
    return changeAccounts(context, user, ({ connection, operator, vault }, id) =>
      verifyBankAccount(connection, vault, { user: id, id: account, operator: operator.user }),
    );
  },
});

export const revokeBankAccountAct = defineAct<BankDecisionPayload, UserPayload>({
  name: 'user.bank.revoke',
  votePower: 'approve.access',
  personal: ['message'],
  assess,
  async execute(context: ActContext, { id: account, message, user }: BankDecisionPayload) {
    return changeAccounts(context, user, ({ connection, operator, vault }, id) =>
      revokeBankAccount(connection, vault, {
        user: id,
        id: account,
        operator: operator.user,
        message,
      }),
    );
  },
});

/** The user's deposit address of a currency and network; the present one if there is one. */
export function createAddressAct(issuer: AddressIssuer): Act<AddressPayload, AddressResult> {
  return defineAct<AddressPayload, AddressResult>({
    name: 'user.deposit-address',
    votePower: 'approve.access',
    assess,
    async execute(context: ActContext, { currency, network, user }: AddressPayload) {
      const { id } = await lockTarget(context, user, PERSON);
      const wanted = { user: id, currency, network };
      const created = await createDepositAddress(context.connection, issuer, wanted);
      if (created.kind === 'refused') throw new ActRefused(created.refusal, { currency, network });
      const { address } = created;
      return {
        result: { user: id, address },
        subject: id,
        after: { currency, network },
        personal: { address },
      };
    },
  });
}

async function changeAccounts(
  context: ActContext,
  user: number,
  change: (
    context: ActContext,
    user: Awaited<ReturnType<typeof lockTarget>>['id'],
    present: readonly BankAccount[],
  ) => Promise<BankAccount[] | BankRefusal>,
): Promise<Executed<UserPayload>> {
  const { connection, vault } = context;
  const { id } = await lockTarget(context, user, PERSON);
  const before = await listBankAccounts(connection, vault, id);
  const after = await change(context, id, before);
  if (after === 'bank_owner_unknown') throw new ActRefused('user_not_found');
  if (after === 'personal_data_erased') throw new ActRefused('user_is_erased');
  if (typeof after === 'string') throw new ActRefused(after, { max: BANK_ACCOUNTS_MAX });
  return {
    result: { user: id },
    subject: id,
    before: statusesOf(before),
    after: statusesOf(after),
    personal: { before: fieldsOf(before), after: fieldsOf(after) },
  };
}

/** Operators read masks. One that they send back as they read it keeps its value. */
function ownFields(given: BankFields, present: BankFields = {}): BankFields {
  return unmaskFields(given, present, maskBank) as BankFields;
}

async function assess(context: ActContext, { user }: UserPayload): Promise<Assessment> {
  const target = await findTarget(context, user, PERSON);
  return {
    object: objectOf(target.id),
    objectVersion: '',
    approvals: 0,
    beneficiaries: [target.id],
    shown: userLabel(target),
  };
}

function statusesOf(accounts: readonly BankAccount[]): Record<string, string> {
  return Object.fromEntries(accounts.map(({ id, status }) => [id, status]));
}

function fieldsOf(accounts: readonly BankAccount[]): Record<string, Record<string, string>> {
  return Object.fromEntries(accounts.map(({ fields, id }) => [id, { ...fields }]));
}
