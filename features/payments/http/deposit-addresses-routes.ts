// The routes of deposit addresses. Where addresses come from is behind the port of
// features/payments/addresses; the exchange asks no chain.

import { inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import { ApiRefusal, type Dependencies, type HandlersOf } from '../../../platform/http/index.ts';
import { listWallets } from '../../accounts/index.ts';
import type { CoinEntry } from '../../listings/index.ts';
import { createDepositAddress } from '../addresses/deposit-addresses.ts';
import { requestList, requestOf } from '../request-lists.ts';
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

export function requireDepositCoin({ catalogue }: Dependencies, crypto: string): CoinEntry {
  const coin = catalogue.now.coins.get(crypto.toLowerCase());
  if (coin !== undefined && coin.type !== 'fiat') return coin;
  throw new ApiRefusal('crypto_invalid', { crypto });
}

/** With several networks, the request must name one. */
export function requireDepositTerms(
  coin: CoinEntry,
  network: string | undefined,
): { readonly currency: string; readonly network: string } {
  const { networks, symbol: currency } = coin;
  if (!coin.allowDeposit || !coin.active) throw new ApiRefusal('deposits_are_off', { currency });
  const names = networks.length === 0 ? [currency] : networks;
  if (network === undefined) {
    if (names.length === 1) return { currency, network: names[0] };
    throw new ApiRefusal('network_missing', { currency, networks: names.join(',') });
  }
  if (names.includes(network)) return { currency, network };
  throw new ApiRefusal('network_invalid', { network, currency });
}
