// The routes of bank accounts and payment details. The rules are in features/payments/banks.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type Dependencies, type HandlersOf } from '../../../platform/http/index.ts';
import type { BankAccount as BankAccountJson } from '../../../protocol/index.ts';
import { answerAct, type OperatorCall, operatorOf } from '../../approvals/http/index.ts';
import { maskedUser } from '../../pii-access/http/index.ts';
import {
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from '../admin/banks.ts';
import {
  addBankAccount,
  BANK_ACCOUNTS_MAX,
  type BankAccount,
  type BankRefusal,
  listBankAccounts,
} from '../banks/bank-accounts.ts';
import { bankFields } from '../banks/bank-fields.ts';
import {
  addPaymentDetail,
  changePaymentDetail,
  listPaymentDetails,
  PAYMENT_DETAILS_MAX,
  type PaymentDetail,
  type PaymentRefusal,
  removePaymentDetail,
} from '../banks/payment-details.ts';
import { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';

/** The schema admits nothing but texts. */
type BankFieldsIn = Readonly<Record<string, string>>;

export const bankAccountsRoutes: HandlersOf<'bankAccounts'> = {
  async addBankAccount({ body, caller: { user } }, dependencies) {
    const fields = requireFields(body as BankFieldsIn, dependencies);
    return answerAccounts(
      await withConnection(dependencies.registry, (connection) =>
        addBankAccount(connection, dependencies.vault, { user, fields }),
      ),
    );
  },

  async getPaymentDetails({ caller, query }, { registry, vault }) {
    const { id, is_fiat_control: isFiatControl, is_p2p: isP2p, limit, page, status } = query;
    const all = await listPaymentDetails(registry, vault, caller.user, {
      id,
      isP2p,
      isFiatControl,
      status: status === undefined ? undefined : statusOf(status),
    });
    const data = all.slice((page - 1) * limit, page * limit).map(paymentDetailJson);
    return { count: all.length, data };
  },

  async addPaymentDetail({ body, caller }, { registry, vault }) {
    const { details, is_fiat_control = false, is_p2p = false, label = '', name } = body;
    const given = { name, label, details, isP2p: is_p2p, isFiatControl: is_fiat_control };
    return answerDetail(
      await withConnection(registry, (connection) =>
        addPaymentDetail(connection, vault, caller.user, given),
      ),
    );
  },

  async changePaymentDetail({ body, caller }, { registry, vault }) {
    const { details, id, is_fiat_control: isFiatControl, is_p2p: isP2p, label, name } = body;
    const change = {
      id,
      ...(name !== undefined && { name }),
      ...(label !== undefined && { label }),
      ...(details !== undefined && { details }),
      ...(isP2p !== undefined && { isP2p }),
      ...(isFiatControl !== undefined && { isFiatControl }),
    };
    return answerDetail(
      await withConnection(registry, (connection) =>
        changePaymentDetail(connection, vault, caller.user, change),
      ),
    );
  },

  async removePaymentDetail({ body, caller: { user } }, { registry }) {
    const isRemoved = await removePaymentDetail(registry, { user, id: body.id });
    if (!isRemoved) throw new ApiRefusal('payment_detail_unknown');
    return { message: 'Success' };
  },

  replaceBankAccounts(call, dependencies) {
    const { body, query } = call;
    const user = query.id ?? query.user_id ?? body.id ?? body.user_id;
    if (user === undefined) {
      throw new ApiRefusal('request_invalid', { detail: 'Parameter (id) is required' });
    }
    const accounts = body.bank_account.map(({ id = '', status, ...fields }) => ({
      id,
      status: status === undefined ? ('' as const) : statusOf(status),
      fields: requireFields(fields as BankFieldsIn, dependencies),
    }));
    return answerAct(call, dependencies, replaceBankAccountsAct, { user, accounts }, () =>
      maskedAccounts(call, dependencies, user),
    );
  },

  verifyBankAccount(call, dependencies) {
    const { bank_id: id, user_id: user } = call.body;
    const payload = { user, id, message: '' };
    return answerAct(call, dependencies, verifyBankAccountAct, payload, () =>
      maskedAccounts(call, dependencies, user),
    );
  },

  revokeBankAccount(call, dependencies) {
    const { bank_id: id, message = '', user_id: user } = call.body;
    const payload = { user, id, message };
    return answerAct(call, dependencies, revokeBankAccountAct, payload, () =>
      maskedAccounts(call, dependencies, user),
    );
  },
};

/** As operators see them. */
async function maskedAccounts(
  call: OperatorCall,
  { registry, vault }: Dependencies,
  user: number,
): Promise<BankAccountJson[]> {
  const accounts = await listBankAccounts(registry, vault, user as UserId);
  const { powers } = operatorOf(call);
  const shown = { bank_account: accounts.map(bankAccountJson) };
  return maskedUser(shown, powers, { isInReview: true }).bank_account;
}

function requireFields(given: BankFieldsIn, { catalogue }: Dependencies) {
  const { user_payments: types } = catalogue.now.kit;
  const checked = bankFields(given, typeof types === 'object' ? { ...types } : {});
  if (checked.kind === 'fields') return checked.fields;
  throw new ApiRefusal(checked.refusal, { name: checked.name });
}

function answerAccounts(answer: BankAccount[] | BankRefusal): BankAccountJson[] {
  if (typeof answer !== 'string') return answer.map(bankAccountJson);
  if (answer === 'bank_owner_unknown') throw new ApiRefusal('user_not_found');
  if (answer === 'personal_data_erased') throw new ApiRefusal('account_deactivated');
  throw new ApiRefusal(answer, { max: BANK_ACCOUNTS_MAX });
}

function answerDetail(answer: PaymentDetail | PaymentRefusal) {
  if (typeof answer !== 'string') return paymentDetailJson(answer);
  if (answer === 'personal_data_erased') throw new ApiRefusal('account_deactivated');
  // Operators have no route that reviews payment details yet.
  if (answer === 'payment_detail_own') throw new ApiRefusal('bank_account_own');
  throw new ApiRefusal(answer, { max: PAYMENT_DETAILS_MAX });
}
