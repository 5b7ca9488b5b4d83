// The routes of deposit addresses. Where addresses come from is behind the port of
// features/payments/addresses; the exchange asks no chain.

import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type HandlersOf } from '../../../platform/http/index.ts';
import { listWallets } from '../../accounts/index.ts';
import { createDepositAddress } from '../addresses/deposit-addresses.ts';
import { requestList, requestOf } from '../request-lists.ts';
import { requireDepositCoin, requireDepositTerms } from './deposit-terms.ts';
import { requestAnswer } from './transfer-json.ts';
import { requireCoin } from './withdrawal-terms.ts';

const NEWEST = [1, 0];

export const depositAddressesRoutes: HandlersOf<'depositAddresses'> = {
  async createAddress({ caller, query }, dependencies) {
    const coin = requireDepositCoin(dependencies, query.crypto);
    if (caller.sessionKind !== 'login') throw new ApiRefusal('sub_account_has_no_address');
    const { currency, network } = requireDepositTerms(coin, query.network);
    const wanted = { user: caller.user, currency, network };
    const created = await withConnection(dependencies.registry, (connection) =>
      inTransaction(connection, () =>
        createDepositAddress(connection, dependencies.addresses, wanted),
      ),
    );
    if (created.kind === 'refused') throw new ApiRefusal(created.refusal, { currency, network });
    return { message: 'Success', address: created.address, crypto: currency, network };
  },

  async checkTransaction({ caller, query }, { catalogue, exchange, registry }) {
    const { symbol: currency } = requireCoin(catalogue.now, query.currency);
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
