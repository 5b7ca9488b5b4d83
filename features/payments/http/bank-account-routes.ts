// Handlers for bank accounts and payment details. The rules are in features/payments/banks.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import type { Dependencies, HandlersOf } from '../../../platform/http/index.ts';
import type { BankAccount as BankAccountJson } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, type OperatorCall } from '../../approvals/http/index.ts';
import { viewAfterAct } from '../../pii-access/http/index.ts';
import {
  replaceBankAccountsAct,
  revokeBankAccountAct,
  verifyBankAccountAct,
} from '../admin/banks.ts';
import { addBankAccount, listBankAccounts } from '../banks/bank-accounts.ts';
import { bankFields } from '../banks/bank-fields.ts';
import {
  addPaymentDetail,
  changePaymentDetail,
  listPaymentDetails,
  removePaymentDetail,
} from '../banks/payment-details.ts';
import { bankAccountJson, paymentDetailJson, statusOf } from './bank-account-json.ts';

/** The schema accepts only texts. */
type BankFieldsIn = Readonly<Record<string, string>>;

export const bankAccountsRoutes: HandlersOf<'bankAccounts'> = {
  async addBankAccount({ body, caller: { user } }, dependencies) {
    const fields = requireFields(body as BankFieldsIn, dependencies);
    if (fields instanceof Refused) return fields;
    const accounts = await withConnection(dependencies.registry, (connection) =>
      addBankAccount(connection, dependencies.vault, { user, fields }),
    );
    return accounts instanceof Refused ? accounts : accounts.map(bankAccountJson);
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
    const added = await withConnection(registry, (connection) =>
      addPaymentDetail(connection, vault, caller.user, given),
    );
    return added instanceof Refused ? added : paymentDetailJson(added);
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
    const changed = await withConnection(registry, (connection) =>
      changePaymentDetail(connection, vault, caller.user, change),
    );
    return changed instanceof Refused ? changed : paymentDetailJson(changed);
  },

  async removePaymentDetail({ body, caller: { user } }, { registry }) {
    const isRemoved = await removePaymentDetail(registry, { user, id: body.id });
    return isRemoved ? { message: 'Success' } : new Refused('payment_detail_unknown');
  },

  replaceBankAccounts(call, dependencies) {
    const { body, query } = call;
    const user = query.id ?? query.user_id ?? body.id ?? body.user_id;
    if (user === undefined) {
      return new Refused('request_invalid', { detail: 'Parameter (id) is required' });
    }
    const accounts = [];
    const { bank_account: banks } = body;
    for (const { id = '', status: number, ...given } of Array.isArray(banks) ? banks : [banks]) {
      const fields = requireFields(textsOf(given), dependencies);
      if (fields instanceof Refused) return fields;
      const status = number === undefined ? ('' as const) : statusOf(number);
      accounts.push({ id, status, fields });
    }
    return answerAct(call, dependencies, replaceBankAccountsAct, { user, accounts }, async () => ({
      message: 'Success',
      bank_account: await shownAccounts(call, dependencies, user),
    }));
  },

  verifyBankAccount(call, dependencies) {
    const { bank_id: id, user_id: user } = call.body;
    const payload = { user, id, message: '' };
    return answerAct(call, dependencies, verifyBankAccountAct, payload, () =>
      shownAccounts(call, dependencies, user),
    );
  },

  revokeBankAccount(call, dependencies) {
    const { bank_id: id, message = '', user_id: user } = call.body;
    const payload = { user, id, message };
    return answerAct(call, dependencies, revokeBankAccountAct, payload, () =>
      shownAccounts(call, dependencies, user),
    );
  },
};

async function shownAccounts(
  call: OperatorCall,
  dependencies: Dependencies,
  user: number,
): Promise<BankAccountJson[]> {
  const { registry, vault } = dependencies;
  const accounts = await listBankAccounts(registry, vault, user as UserId);
  const view = await viewAfterAct(call, dependencies, user as UserId);
  return accounts.map((account) => view.bank(bankAccountJson(account)) as BankAccountJson);
}

/** Converts account numbers sent as numbers to digits. */
function textsOf(given: Readonly<Record<string, unknown>>): BankFieldsIn {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, `${value}`]));
}

function requireFields(given: BankFieldsIn, { catalogue }: Dependencies) {
  const { user_payments: types } = catalogue.now.kit;
  return bankFields(given, typeof types === 'object' ? { ...types } : {});
}
