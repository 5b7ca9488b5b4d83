// Requests as published clients send them, with all their filters and options, and with their
// mistakes. contract-cases.ts adds them to its table.

import type { RouteName } from '../../protocol/index.ts';
import { body, type ContractCase, query, refused } from './contract-case.ts';
import type { Sample } from './route-samples.ts';

const PAGE = {
  limit: 5,
  page: 1,
  order_by: 'created_at',
  order: 'desc',
  start_date: '2020-01-01T00:00:00.000Z',
  end_date: '2031-01-01T00:00:00.000Z',
};
const FLAGS = { dismissed: false, rejected: false, processing: false, waiting: false };
const TRANSFERS = { ...PAGE, ...FLAGS, currency: 'btc', transaction_id: 'x', address: 'x' };

const everyFilter = (more: Sample['query']): ContractCase => ({
  what: 'every client filter',
  change: query(more),
  status: 200,
  says: '"count"',
});
/** The path of a file, with the rows as JSON. */
const allOfFile: ContractCase = {
  what: 'all rows, requested by a client',
  change: query({ format: 'all', user_id: 1 }),
  status: 200,
  says: '"count"',
};

export const clientCases: Partial<Record<RouteName, readonly ContractCase[]>> = {
  getTicker: [refused('an empty symbol', query({ symbol: '' }), 'symbol')],
  getOrderBook: [refused('an empty symbol', query({ symbol: '' }), 'symbol')],
  getMiniCharts: [
    {
      what: 'all assets if a client omits its argument',
      change: query({ assets: 'undefined' }),
      status: 200,
      says: '"usdt"',
    },
    {
      what: 'times as strings',
      change: query({ from: '1577836800', to: '1900000000' }),
      status: 200,
    },
  ],
  getQuote: [
    {
      what: 'an amount as a string',
      change: ({ query: { receiving_amount: _, ...more } = {} }) => ({
        query: { ...more, spending_amount: '600' },
      }),
      status: 200,
    },
  ],
  getDeposits: [everyFilter({ ...TRANSFERS, status: true })],
  getWithdrawals: [everyFilter({ ...TRANSFERS, status: false })],
  getOrders: [everyFilter({ ...PAGE, side: 'buy', status: 'new' })],
  getUserTrades: [everyFilter({ ...PAGE, order_by: 'timestamp' })],
  createOrder: [
    {
      what: 'a stop with a note',
      change: body({ side: 'sell', price: 54_000, stop: 55_000, meta: { note: 'a note' } }),
      status: 200,
      says: '"note":"a note"',
    },
    {
      what: 'a take-profit',
      change: body({ side: 'sell', price: 54_000, stop: 90_000, trigger: 'take_profit' }),
      status: 200,
      says: '"trigger":"take_profit"',
    },
    {
      what: 'an order that expires',
      change: body({ expires_at: new Date(Date.now() + 3_600_000).toISOString() }),
      status: 200,
      says: '"expires_at":',
    },
    {
      what: 'a stop linked to an unknown order',
      change: body({ stop: 99_000, linked_order_id: '00000000-0003-81e8-8000-000000000000' }),
      status: 400,
      says: 'not open',
    },
    {
      what: 'a take-profit below the market price',
      change: body({ side: 'sell', price: 54_000, stop: 55_000, trigger: 'take_profit' }),
      status: 400,
      says: 'must be above the market price',
    },
  ],
  getDepositsOfUsers: [everyFilter({ ...TRANSFERS, user_id: 1, status: true })],
  getDepositsOfUsersFile: [allOfFile],
  getWithdrawalsOfUsers: [everyFilter({ ...TRANSFERS, user_id: 1, status: true })],
  getWithdrawalsOfUsersFile: [allOfFile],
  getTradesOfUsers: [everyFilter({ ...PAGE, user_id: 1, symbol: 'btc-usdt' })],
  getTradesOfUsersFile: [allOfFile],
  getOrdersOfUsers: [
    everyFilter({
      ...PAGE,
      user_id: 1,
      side: 'buy',
      status: 'new',
      open: true,
      symbol: 'btc-usdt',
    }),
  ],
  getUsers: [everyFilter({ ...PAGE, id: 1, pending: true, pending_type: 'bank', activated: true })],
  getWalletsOfUsers: [
    everyFilter({
      ...PAGE,
      user_id: 1,
      currency: 'btc',
      address: 'x',
      network: 'btc',
      is_valid: true,
    }),
  ],
  getWalletsOfUsersFile: [allOfFile],
  getLoginsOfUsers: [everyFilter({ ...PAGE, user_id: 1 })],
  getLoginsOfUsersFile: [allOfFile],
  getAffiliationsOfUser: [everyFilter(PAGE)],
  getBalancesOfUsers: [
    refused('a malformed path after a coin', query({ currency: 'btc/csv' }), 'Invalid coin'),
    refused('a malformed path after a user', query({ user_id: '1/csv' }), 'user_id'),
  ],
  getStakePoolsOfOperators: [everyFilter(PAGE)],
  getStakePoolsFile: [allOfFile],
  getStakers: [
    everyFilter({
      ...PAGE,
      id: 1,
      user_id: 1,
      stake_id: 1,
      currency: 'btc',
      reward: 0,
      slashed: 0,
    }),
    {
      what: 'every parameter with the documented prefix',
      change: query({
        'opts.limit': 1,
        'opts.page': 1,
        'opts.order_by': 'amount',
        'opts.order': 'asc',
        'opts.start_date': '2020-01-01',
        'opts.end_date': '2099-01-01',
        'opts.stake_id': 999_999,
      }),
      status: 200,
      says: '"count":0',
    },
    {
      what: 'a file with the documented prefix',
      change: query({ 'opts.format': 'csv' }),
      status: 202,
    },
    refused('a reward that is not a number', query({ reward: 'much' }), 'reward'),
  ],
  getStakersFile: [allOfFile],
  creditDeposit: [
    {
      what: 'every client option',
      change: body({ status: false, email: true, fee: 0.01, address: 'x', description: 'by hand' }),
      status: 201,
      says: '"description":"by hand"',
    },
  ],
  reviewDeposit: [
    {
      what: 'every client flag',
      change: body({ ...FLAGS, email: false, description: 'later' }),
      status: 200,
      says: '"status":true',
    },
  ],
  burn: [
    {
      what: 'every client option',
      change: body({ status: true, email: true, fee: 0.01, address: 'x', description: 'by hand' }),
      status: 201,
      says: '"description":"by hand"',
    },
  ],
  transferBetweenUsers: [
    {
      what: 'every client option',
      change: body({ description: 'a gift', email: false }),
      status: 200,
      says: '"description":"a gift"',
    },
  ],
  checkTransactionOfUsers: [
    { what: 'a test network', change: query({ is_testnet: true }), status: 200 },
  ],
  replaceBankAccounts: [
    {
      what: 'the user in the query',
      change: ({ body: { id, ...more } = {} }) => ({ query: { id: Number(id) }, body: more }),
      status: 200,
    },
  ],
  setUserMeta: [
    { what: 'nothing, overwritten', change: body({ meta: {}, overwrite: true }), status: 200 },
  ],
  createStakePool: [
    {
      what: 'only the fields that a client needs',
      change: ({ body: { duration, slashing_earning_percentage, ...more } = {} }) => ({
        body: { ...more, early_unstake: false, slashing: false, slashing_principle_percentage: 0 },
      }),
      status: 200,
      says: '"duration":null',
    },
  ],
  changeStakePool: [
    {
      what: 'every client field',
      change: body({
        user_id: 1,
        currency: 'btc',
        reward_currency: 'btc',
        apy: 6,
        duration: 60,
        slashing: true,
        slashing_earning_percentage: 5,
        slashing_principle_percentage: 0.5,
        early_unstake: true,
        min_amount: 0.002,
        max_amount: 2,
        disclaimer: 'none',
      }),
      status: 200,
      says: '"apy":6',
    },
  ],
};
