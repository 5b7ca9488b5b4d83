// Contract cases for operators moving money.

import type { RouteName } from '../../protocol/index.ts';
import { body, type ContractCase, query, refused, without } from './contract-case.ts';

const noSuchOrder = {
  what: 'unknown order',
  status: 404,
  says: 'Order not found',
  change: query({ order_id: '00000000-ffff-81ff-8000-000000000000' }),
};

export const operatorMoneyCases = {
  burn: [
    refused('unknown user', body({ user_id: 999_999 }), 'User not found'),
    refused('an amount of zero', body({ amount: 0 })),
    refused('unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('more than the user has', body({ amount: 9_000_000 }), 'Insufficient balance'),
    { what: 'only held', change: body({ status: false }), status: 201 },
  ],
  transferBetweenUsers: [
    refused('unknown user', body({ receiver_id: 999_999 }), 'User not found'),
    refused('a negative amount', body({ amount: -1 })),
    refused('more than the sender has', body({ amount: 9_000_000 }), 'Insufficient balance'),
    refused('a field that does not exist', body({ role: 'admin' })),
  ],
  payOut: [
    refused('unknown user', body({ user_id: 999_999 }), 'User not found'),
    refused('an invalid address', body({ address: 'nowhere' }), 'Invalid address'),
    refused('an unknown network', body({ network: 'xyz' }), 'Invalid network'),
  ],
  tradeDirectly: [
    refused('unknown symbol', body({ symbol: 'xyz-usdt' }), 'Invalid symbol'),
    refused('a size between lots', body({ size: 0.000000001 }), 'Invalid size'),
    refused('a fee with too many digits', body({ maker_fee: 0.00001 }), 'maker_fee'),
    refused('a fee above 100%', body({ taker_fee: 101 })),
    refused('an unknown maker', body({ maker_id: 999_999 }), 'User not found'),
    refused('more than the seller has', body({ size: 90 })),
  ],
  placeOrderOfUser: [
    refused('unknown symbol', body({ symbol: 'xyz-usdt' }), 'Invalid symbol'),
    refused('unknown user', body({ user_id: 999_999 }), 'User not found'),
    refused('a limit order without a price', body({ price: undefined })),
    refused('a price between ticks', body({ price: 50_000.001 }), 'Invalid price'),
  ],
  cancelOrderOfUser: [
    noSuchOrder,
    refused('an id that is not a UUID', query({ order_id: '1' })),
    { ...noSuchOrder, what: 'an order of another user', change: query({ user_id: 1 }) },
    {
      what: 'without its owner',
      change: (sample) => without(sample, 'user_id'),
      status: 200,
      says: '"message":"Success"',
    },
  ],
  checkTransactionOfUsers: [refused('unknown coin', query({ currency: 'xyz' }), 'Invalid coin')],
  getNetworkFees: [
    {
      what: 'between dates',
      change: query({ start_date: '2020-01-01', end_date: '2030-01-01' }),
      status: 200,
    },
  ],
  creditDeposit: [
    { what: 'the user by ID, unmasked', change: body({}), status: 201, says: '"email":"' },
    refused('unknown user', body({ user_id: 999_999 }), 'User not found'),
    refused('an amount of zero', body({ amount: 0 })),
    refused('unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('text that cannot be stored', body({ description: 'a\0b' }), 'description'),
    refused('a lone surrogate', body({ transaction_id: '\ud800' }), 'transaction_id'),
    refused('a blank transaction', body({ transaction_id: ' ' }), 'transaction_id'),
    refused('an unknown network', body({ currency: 'btc', network: 'xyz' }), 'Invalid network'),
    {
      what: 'one of several networks is not named',
      change: body({ currency: 'usdt', transaction_id: 'one of several networks' }),
      status: 201,
    },
    refused('an output with a slash', body({ output: '0/1' })),
  ],
} as const satisfies Partial<Record<RouteName, readonly ContractCase[]>>;
