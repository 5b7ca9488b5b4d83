// Handlers for deposit addresses. The port in features/payments/addresses supplies them; the
// exchange never queries a chain.

import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import type { HandlersOf } from '../../../platform/http/index.ts';
import { decimal } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { listWallets } from '../../accounts/index.ts';
import { createDepositAddress } from '../addresses/deposit-addresses.ts';
import { requestList, requestOf } from '../request-lists.ts';
import { requireDepositCoin, requireDepositTerms } from './deposit-terms.ts';
import { requestAnswer } from './transfer-json.ts';
import { requireCoin } from './withdrawal-quote.ts';

const NEWEST = [1, 0];

export const depositAddressesRoutes: HandlersOf<'depositAddresses'> = {
  async createAddress({ caller, query }, dependencies) {
    const coin = requireDepositCoin(dependencies, query.crypto);
    if (coin instanceof Refused) return coin;
    if (caller.sessionKind !== 'login') return new Refused('sub_account_has_no_address');
    const terms = requireDepositTerms(coin, query.network);
    if (terms instanceof Refused) return terms;
    const { currency, network } = terms;
    const wanted = { user: caller.user, currency, network };
    const address = await withConnection(dependencies.registry, (connection) =>
      inTransaction(connection, () =>
        createDepositAddress(connection, dependencies.addresses, wanted),
      ),
    );
    if (address instanceof Refused) return address;
    const depositTerms = await dependencies.addresses.terms(dependencies.registry, wanted);
    return {
      message: 'Success',
      address,
      crypto: currency,
      network,
      ...(depositTerms !== undefined && {
        terms: {
          min: decimal(depositTerms.min),
          confirmations_needed: depositTerms.confirmations,
          usual_seconds: depositTerms.usualSeconds ?? null,
        },
      }),
    };
  },

  async checkTransaction({ caller, query }, { catalogue, exchange, registry }) {
    const coin = requireCoin(catalogue.now, query.currency);
    if (coin instanceof Refused) return coin;
    const { symbol: currency } = coin;
    const { transaction_id: transactionId } = query;
    const filter = { user: caller.user, currency, transactionId: transactionId.trim() };
    const list = requestList('deposit', filter, exchange.projectionSchema);
    const [found, wallets] = await Promise.all([
      registry.query(list.rows('order by r.id desc'), [...list.values, ...NEWEST]),
      listWallets(registry, caller.user),
    ]);
    const isOwn = wallets.some(
      ({ address, network }) => address === query.address && network === query.network,
    );
    const [row] = found.rows;
    return {
      message: row === undefined ? 'No deposit of yours has this transaction yet' : 'Success',
      transaction: row === undefined ? null : requestAnswer(requestOf('deposit', row)),
      is_own_address: isOwn,
    };
  },
};
