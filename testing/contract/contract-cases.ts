// Contract test requests for every route: its valid sample, the sample without each required
// field, and route-specific cases. docs/api/contract.md shows this table.

import { type Route, type RouteName, routes } from '../../protocol/index.ts';
import { clientCases } from './client-cases.ts';
import { body, type ContractCase, query, refused, without } from './contract-case.ts';
import { operatorMoneyCases } from './operator-money-cases.ts';
import { peopleCases, userListCases } from './people-cases.ts';
import type { Sample } from './route-samples.ts';
import { stakingCases } from './staking-cases.ts';
import { statementCases } from './statement-cases.ts';
import { userActCases } from './user-act-cases.ts';

const same = (sample: Sample) => sample;
/** The sample's address book, with one copy of its first entry per change. */
const bookOf =
  (...changes: readonly object[]) =>
  (sample: Sample) => {
    const [entry = {}] = (sample.body?.addresses ?? []) as readonly object[];
    return { ...sample, body: { addresses: changes.map((change) => ({ ...entry, ...change })) } };
  };

const noSuchSymbol = refused('unknown symbol', query({ symbol: 'xyz-usdt' }), 'Invalid symbol');
const noSuchCoin = refused('unknown coin', query({ currency: 'xyz' }), 'Invalid coin');
const noSuchOrder: ContractCase = {
  what: 'unknown order',
  status: 404,
  says: 'Order not found',
  change: (sample) => {
    const order_id = '00000000-ffff-81ff-8000-000000000000';
    return sample.body === undefined ? query({ order_id })(sample) : body({ order_id })(sample);
  },
};

const bankOfNobody = body({ bank_id: 'f'.repeat(16) });
const noSuchBank = notFound('unknown bank account', bankOfNobody, 'Bank account not found');
const detailOfNobody = body({ id: 999_999 });
const noSuchDetail = notFound('unknown payment detail', detailOfNobody, 'Payment detail not found');

const FIAT_TO_ANY_TEXT = { currency: 'eur', network: undefined, amount: 25, address: 'anything' };
const allRows: ContractCase = {
  what: 'all rows',
  change: query({ format: 'all' }),
  status: 200,
  says: '"data"',
};
const ROWS_MAX = 100_000;
/** `pageMax` is the maximum page length. */
const listOf = (pageMax: number): readonly ContractCase[] => [
  { what: 'a page', change: query({ limit: 1, page: 2 }), status: 200, says: '"count"' },
  { what: 'oldest first', change: query({ order: 'asc', order_by: 'created_at' }), status: 200 },
  {
    what: 'between dates',
    change: query({ start_date: '2020-01-01T00:00:00.000Z', end_date: '2030-01-01' }),
    status: 200,
  },
  { what: 'from the year 0', change: query({ start_date: '0000-01-01' }), status: 200 },
  { what: 'a date with a space', change: query({ end_date: '2030-01-01 10:00:00' }), status: 200 },
  allRows,
  {
    what: 'the last page',
    change: query({ limit: pageMax, page: ROWS_MAX / pageMax }),
    status: 200,
  },
  refused(
    'a page beyond the last',
    query({ limit: 100, page: ROWS_MAX / pageMax + 1 }),
    'Too many rows',
  ),
  refused('an unknown sort column', query({ order_by: 'password' })),
  refused('a limit that is not a number', query({ limit: 'many' }), 'limit'),
  refused('an invalid date', query({ start_date: 'yesterday' }), 'start_date'),
];
const list = listOf(100);
/** Without a filter by asset or market. */
const sortedBy = (...names: readonly string[]): readonly ContractCase[] =>
  names.map((order_by) => ({
    what: `sorted by ${order_by}`,
    change: query({ order_by, order: 'asc' }),
    status: 200,
    says: '"count"',
  }));
/** For operator lists, which clamp longer pages. */
const shortList = listOf(50);
const unkept = refused('text that cannot be stored', query({ address: 'a\0b' }), 'address');
const file: ContractCase = {
  what: 'a CSV file',
  status: 202,
  change: () => ({ query: { format: 'csv' } }),
};

const emptyFile = (header: string): ContractCase => ({
  what: 'a CSV file without rows',
  change: () => ({ query: { format: 'csv', start_date: '2099-01-01' } }),
  status: 202,
  says: header,
});

const fileOfSample: ContractCase = { ...file, change: query({ format: 'csv' }) };
const noSuchUser = refused('unknown user', query({ user_id: 999_999 }), 'User not found');

const prices = [
  refused('a size that is not a number', body({ size: 'much' }), 'not a number'),
  refused('a price that is not a multiple of the tick', body({ price: 50_000.001 })),
  refused('a price below the minimum', body({ price: 0.01 })),
  refused('a size below the minimum', body({ size: 0.00001 })),
];

const auctionOf = (auction_seconds: number) => body({ status: 'auction', auction_seconds });

function notFound(what: string, change: ContractCase['change'], says: string): ContractCase {
  return { what, change, status: 404, says };
}

/** Cases for asset, market and limit routes. */
const listingCases: Partial<Record<RouteName, readonly ContractCase[]>> = {
  getCoins: [noSuchCoin, { what: 'one coin', change: query({ currency: 'BTC' }), status: 200 }],
  createCoin: [
    refused('a listed symbol', body({ symbol: 'btc' }), 'already listed'),
    refused('a symbol with a hyphen', body({ symbol: 'a-b' }), 'symbol'),
    refused('an issuance cap of zero', body({ issuance_cap: 0 }), 'issuance_cap'),
  ],
  changeCoin: [
    refused('unknown coin', body({ code: 'xyz' }), 'Invalid coin'),
    refused('a fee finer than the coin', body({ withdrawal_fee: 1e-9 }), 'withdrawal_fee'),
    refused('a malformed fee', body({ withdrawal_fees: { btc: {} } }), 'withdrawal_fees.btc'),
  ],
  getPairs: [
    refused('unknown symbol', query({ pair: 'xyz-usdt' }), 'Invalid symbol'),
    { what: 'one pair', change: query({ pair: 'btc-usdt' }), status: 200, says: 'frozen_by' },
  ],
  createPair: [
    refused('another name', body({ name: 'btc-xyz' }), 'expected'),
    refused('a notional that rounds', body({ increment_price: 1e-9 }), 'whole quote atoms'),
    refused(
      'a listed pair',
      body({ name: 'btc-usdt', pair_base: 'btc', pair_2: 'usdt' }),
      'already listed',
    ),
  ],
  changePair: [
    refused('another size', body({ min_size: 7 }), 'cannot be changed'),
    { what: 'the same size', change: body({ min_size: '0.00010' }), status: 200 },
    refused('unknown symbol', body({ code: 'xyz-usdt' }), 'Invalid symbol'),
    refused('an auction without a duration', auctionOf(0), 'auction_seconds'),
    refused('an auction of more than a week', auctionOf(604_801), 'auction_seconds'),
    refused('an end without an auction', body({ auction_seconds: 60 }), 'with status auction'),
  ],
  setBand: [refused('a band of 100%', body({ band: 100 }), 'band')],
  setPairFees: [
    notFound('an unknown tier', body({ fees: { 60: { maker: 1, taker: 1 } } }), 'not found'),
    refused('only one of two fees', body({ fees: { 1: { maker: 1 } } }), 'fees.usdt-eur.1'),
    refused('a fee above 50%', body({ fees: { 1: { maker: 1, taker: 51 } } }), '%'),
  ],
  createTier: [refused('a known tier', body({ level: 1 }), 'already exists')],
  changeTier: [notFound('an unknown tier', body({ level: 60 }), 'not found')],
  setTransactionLimit: [
    refused('a day above its month', body({ amount: 1_001 }), 'month'),
    notFound('an unknown id', body({ id: 999_999 }), 'Transaction limit not found'),
  ],
  deleteTransactionLimit: [notFound('an unknown id', query({ id: 999_999 }), 'not found')],
  setQuickTrade: [refused('a broker', body({ type: 'broker' }), 'only `pro`')],
  setUserGroup: [refused('an unknown user', body({ user_id: 999_999 }), 'User not found')],
  setEngineLimits: [refused('a lower capacity', body({ usersMax: 1 }), 'cannot be lowered')],
  setRulesVersion: [
    refused('a version from a later release', body({ version: 1_000 }), 'supports'),
  ],
  voidCommand: [
    notFound('a command that froze nothing', body({ command: 1 }), 'has frozen nothing'),
  ],
  getSwitchImpact: [
    refused('an unknown pair', query({ symbol: 'x-y' }), 'Invalid symbol'),
    refused('accounts without a user', query({ name: 'accounts' }), 'does not take symbol'),
  ],
  stopSwitch: [
    refused('unknown coin', body({ symbol: 'xyz' }), 'Invalid coin'),
    refused('no reason', body({ name: 'writes', symbol: undefined }), 'requires a reason'),
    refused('a misspelt field', body({ symbl: 'btc' }), 'symbl'),
  ],
  setBanner: [refused('a blank text', body({ text: ' ' }), 'requires a text')],
  resumeSwitch: [refused('nothing stopped', body({ symbol: 'btc' }), 'is not stopped there')],
};

const own: Partial<Record<RouteName, readonly ContractCase[]>> = {
  ...listingCases,
  ...operatorMoneyCases,
  ...peopleCases,
  ...statementCases,
  getUsers: [...shortList, file, ...userListCases, ...sortedBy('email')],
  ...stakingCases,
  getTicker: [noSuchSymbol],
  getOrderBook: [noSuchSymbol],
  getAuction: [noSuchSymbol],
  getTrades: [noSuchSymbol, { what: 'every market', change: () => ({}), status: 200 }],
  getTradesHistory: [noSuchSymbol],
  getChart: [noSuchSymbol, refused('unknown resolution', query({ resolution: '7' }), 'resolution')],
  getCharts: [refused('unknown resolution', query({ resolution: '7' }), 'resolution')],
  getMiniCharts: [refused('unknown asset', query({ assets: 'xyz' }), 'Invalid asset')],
  getOraclePrices: [
    refused('unknown asset', query({ assets: 'xyz' }), 'Invalid asset'),
    refused('an amount of zero', query({ amount: 0 })),
  ],
  getUdfHistory: [noSuchSymbol],
  getUdfSymbol: [noSuchSymbol],
  getUserTrades: [...list, noSuchSymbol, ...sortedBy('size', 'price', 'fee')],
  getOrders: [
    ...list,
    file,
    emptyFile('id,side,symbol,type,size,price,stop,filled,'),
    { what: 'another format', change: query({ format: 'pdf' }), status: 200, says: '"count"' },
    ...sortedBy('size', 'filled', 'price', 'stop', 'fee'),
    noSuchSymbol,
    { what: 'closed orders', change: query({ open: false }), status: 200 },
    refused('an invalid side', query({ side: 'up' }), 'side'),
  ],
  logIn: [
    { what: 'a wrong password', change: body({ password: 'wrong' }), status: 401, says: '22' },
    {
      what: 'an unknown address',
      change: body({ email: 'nobody@example.com' }),
      status: 401,
      says: '22',
    },
    refused('an unknown version', body({ version: 'v9' }), 'version'),
  ],
  confirmLogin: [refused('a wrong code', body({ token: 'none' }), 'Invalid verification code')],
  freezeAccount: [refused('a forged token', body({ token: '1.2.x' }), 'Invalid verification code')],
  getSessions: [
    ...list,
    file,
    { what: 'live sessions', change: query({ status: true }), status: 200, says: '"count"' },
  ],
  getLogins: [...list],
  revokeSession: [
    {
      what: 'unknown session',
      change: body({ session_id: 999_999 }),
      status: 404,
      says: 'Session not found',
    },
  ],
  revokeDevice: [
    {
      what: 'unknown device',
      change: query({ id: 999_999 }),
      status: 404,
      says: 'Device not found',
    },
  ],
  getDeposits: [...list, file, noSuchCoin, unkept, ...sortedBy('amount', 'fee')],
  getWithdrawals: [...list, file, noSuchCoin, unkept],
  getDepositsOfUsers: [...list, file, unkept, ...sortedBy('amount', 'fee')],
  getAudits: [
    ...list,
    file,
    { what: 'one operator', change: query({ subject: 'admin@example.com' }), status: 200 },
    { what: 'a user ID', change: query({ subject: '1', user_id: 2 }), status: 200 },
    { what: 'one action', change: query({ act: 'test', object: 'x' }), status: 200 },
  ],
  verifyAudits: [{ what: 'some', change: query({ limit: 1 }), status: 200, says: '"valid":true' }],
  getWithdrawalsOfUsers: [...list, file, unkept, ...sortedBy('amount', 'fee')],
  getOrdersOfUsers: [
    ...shortList,
    fileOfSample,
    noSuchSymbol,
    { what: 'open orders', change: query({ status: 'open' }), status: 200 },
    { what: 'closed orders of a user', change: query({ open: false, user_id: 1 }), status: 200 },
    refused('an invalid status', query({ status: 'closed' }), 'status'),
    ...sortedBy('size', 'filled', 'price', 'stop', 'fee'),
  ],
  getTradesOfUsers: [
    ...shortList,
    fileOfSample,
    noSuchSymbol,
    { what: 'one user', change: query({ user_id: 1, side: 'buy' }), status: 200 },
    ...sortedBy('size', 'price', 'maker_fee', 'taker_fee', 'maker_id'),
  ],
  getBalancesOfUsers: [
    allRows,
    fileOfSample,
    noSuchCoin,
    { what: 'a page', change: query({ limit: 1, page: 2, currency: 'btc' }), status: 200 },
    {
      what: 'a malformed client path',
      change: query({ '/csv': '', format: 'csv' }),
      status: 202,
    },
    refused('an unknown sort column', query({ order_by: 'balance' })),
  ],
  getLoginsOfUsers: [
    ...shortList,
    fileOfSample,
    ...sortedBy('user_id', 'ip'),
    { what: 'by country', change: query({ country: 'at' }), status: 200, says: '"AT"' },
    { what: 'by address', change: query({ ip: '198.51.100.8' }), status: 200, says: 'null' },
  ],
  getWalletsOfUsers: [
    ...shortList,
    fileOfSample,
    ...sortedBy('user_id', 'currency', 'address'),
    { what: 'unused ones', change: query({ is_valid: false, currency: 'BTC' }), status: 200 },
    unkept,
  ],
  getSessionsOfUsers: [
    ...shortList,
    fileOfSample,
    { what: 'live ones', change: query({ status: true }), status: 200, says: '"count"' },
    { what: 'recent ones', change: query({ last_seen: '24h' }), status: 200 },
  ],
  getBalanceHistoryOfUser: [allRows, fileOfSample, noSuchUser],
  getBalanceOfUser: [noSuchUser],
  getTradingVolumeOfUser: [noSuchUser, refused('no date', query({ from: 'x' }), 'from')],
  getRefererOfUser: [noSuchUser],
  getAffiliationsOfUser: [noSuchUser, ...sortedBy('id', 'user_id')],
  getReferralCodesOfUsers: shortList.filter(({ what }) => what !== 'all rows'),
  createReferralCodeForUser: [
    refused('unknown user', body({ user_id: 999_999 }), 'User not found'),
    refused('rates above the maximum', body({ discount: 90 })),
    refused('a short code', body({ code: 'abc' })),
  ],
  getWithdrawalFee: [
    noSuchCoin,
    { what: 'by its alias', change: () => ({ query: { symbol: 'btc' } }), status: 200 },
  ],
  getWithdrawalMax: [noSuchCoin, refused('unknown network', query({ network: 'xyz' }))],
  replaceAddressBook: [
    refused(
      'two entries with one label',
      bookOf({}, { network: 'email', address: 'a@b.example' }),
      'same label',
    ),
    refused('one address twice', bookOf({}, { label: 'other' }), 'appears twice'),
    refused('an unknown coin', bookOf({ currency: 'xyz' }), 'Invalid coin'),
    refused('an unknown network', bookOf({ network: 'xyz' }), 'Invalid network'),
    refused('an address on another network', bookOf({ address: '0x1' }), 'Invalid address'),
    refused('a blank label', bookOf({ label: '  ' }), 'label'),
    { what: 'an empty book', change: body({ addresses: [] }), status: 200 },
  ],
  createWithdrawal: [
    refused('a fiat coin', body(FIAT_TO_ANY_TEXT), 'verified bank account'),
    refused('unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('unknown network', body({ network: 'xyz' })),
    refused('an amount of zero', body({ amount: 0 })),
    refused('an amount below the minimum', body({ amount: '0.0001' })),
    refused('an amount above the balance', body({ amount: 99 })),
    refused('an address with spaces', body({ address: 'not an address' })),
    refused(
      'an address with a wrong character',
      body({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdx' }),
      'Invalid address',
    ),
    refused(
      'an address on another network',
      body({ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }),
      'Invalid address',
    ),
  ],
  createAddress: [
    {
      what: 'unknown coin',
      status: 404,
      says: 'Invalid crypto',
      change: query({ crypto: 'xyz' }),
    },
    { what: 'a fiat coin', status: 404, says: 'Invalid crypto', change: query({ crypto: 'eur' }) },
    refused('unknown network', query({ network: 'eth' }), 'Invalid network'),
    refused('no network for an asset with several', () => ({ query: { crypto: 'usdt' } })),
    { what: 'the only network', change: () => ({ query: { crypto: 'BTC' } }), status: 201 },
  ],
  checkTransaction: [
    noSuchCoin,
    {
      what: 'unknown transaction',
      change: query({ transaction_id: 'unknown' }),
      status: 200,
      says: '"transaction":null',
    },
  ],
  getAnnouncements: [
    { what: 'a page', change: query({ limit: 1, page: 2 }), status: 200, says: '"count"' },
    { what: 'between dates', change: query({ start_date: '2020-01-01' }), status: 200 },
    refused('an unknown sort column', query({ order_by: 'author' })),
  ],
  sendSupportMessage: [
    refused('an invalid address', body({ email: 'nobody' }), 'valid email'),
    refused('a subject with two lines', body({ subject: 'a\r\nBcc: b@example.com' }), 'subject'),
    refused('a category with two lines', body({ category: 'a\nb' }), 'category'),
    refused('a text that cannot be stored', body({ description: 'a\0b' }), 'description'),
  ],
  getStakePools: [...list, file],
  getStakes: [...list, file],
  getStakePoolsOfOperators: [...list, file],
  getStakers: [...list, file, ...sortedBy('amount', 'reward', 'slashed')],
  createReferralCode: [
    refused('too much', body({ discount: 30, earning_rate: 30 }), 'at most 50'),
    refused('not a multiple of 10', body({ discount: 5 }), 'multiples of 10'),
    refused('a short code', body({ code: 'abc' }), '6 letters or digits'),
  ],
  applyReferralCode: [refused('unknown code', body({ code: 'none' }), 'Unknown referral code')],
  getRealizedReferral: [...list, file],
  getReferralHistory: [...list],
  getAffiliations: [...list],
  getPlayMoney: [refused('unknown coin', body({ currency: 'xyz' }), 'no play money in xyz')],
  requestFiatDeposit: [
    refused('unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('an asset that is not fiat', body({ currency: 'btc' }), 'Invalid fiat currency'),
    refused('an amount of zero', body({ amount: 0 })),
    refused('another field', body({ status: true })),
  ],
  requestFiatWithdrawal: [
    refused('an asset that is not fiat', body({ currency: 'btc' }), 'Invalid fiat currency'),
    refused('an amount of zero', body({ amount: 0 })),
    {
      what: 'unknown bank account',
      change: body({ bank_id: 'f'.repeat(16) }),
      status: 404,
      says: 'Bank account not found',
    },
    { what: 'a wrong factor', change: body({ otp_code: '000000' }), status: 403 },
  ],
  addBankAccount: [
    refused('a field with an invalid name', body({ 'I-BAN': 'x' }), 'no field I-BAN'),
    refused('a field that is not a string', body({ iban: 1 }), 'iban'),
    refused('nothing', () => ({ body: {} }), 'account_number'),
  ],
  replaceBankAccounts: [
    refused('no user', (sample) => without(sample, 'id'), 'Parameter (id) is required'),
    refused('an unknown user', body({ id: 999_999 }), 'User not found'),
    refused('too many', body({ bank_account: Array(4).fill({ iban: 'x' }) }), 'at most 3'),
  ],
  sendMail: [
    {
      what: 'an alert',
      change: body({ mail_type: 'alert', data: { type: 'Maintenance', data: 'Tonight.' } }),
      status: 200,
      says: 'Success',
    },
    refused('an alert without a text', body({ mail_type: 'alert' }), 'data.data'),
  ],
  verifyBankAccount: [noSuchBank],
  revokeBankAccount: [noSuchBank],
  ...userActCases,
  getPaymentDetails: [
    { what: 'verified ones', change: query({ status: 3 }), status: 200, says: '"count"' },
    refused('an unknown status', query({ status: 4 }), 'status'),
  ],
  addPaymentDetail: [refused('another field', body({ role: 'admin' }))],
  changePaymentDetail: [noSuchDetail],
  removePaymentDetail: [noSuchDetail],
  requestWithdrawal: [
    refused('a fiat coin', body(FIAT_TO_ANY_TEXT), 'verified bank account'),
    refused('unknown coin', body({ currency: 'xyz' }), 'Invalid coin'),
    refused('unknown network', body({ network: 'xyz' })),
    refused('an amount of zero', body({ amount: 0 })),
    refused('an amount below the minimum', body({ amount: '0.0001' })),
    refused('an address with spaces', body({ address: 'not an address' })),
    refused('an unknown version', body({ version: 'v5' }), 'version'),
    {
      what: 'a wrong one-time password',
      change: body({ otp_code: '000000' }),
      status: 403,
      says: 'otp_code',
    },
    {
      what: 'without a one-time password',
      change: (sample) => without(sample, 'otp_code'),
      status: 403,
      says: 'otp_code',
    },
    {
      what: 'to an email address',
      change: body({ network: 'email', address: 'Friend@example.com' }),
      status: 200,
    },
    refused('not an email address', body({ network: 'email' }), 'Invalid address'),
  ],
  confirmWithdrawal: [
    refused('an unknown code', body({ token: 'none' }), 'Invalid verification code'),
  ],
  cancelWithdrawal: [
    {
      what: 'unknown withdrawal',
      change: query({ id: 999_999 }),
      status: 404,
      says: 'Withdrawal not found',
    },
  ],
  getOrder: [
    noSuchOrder,
    refused('an invalid order id', query({ order_id: '1' }), 'Invalid order'),
  ],
  cancelOrder: [noSuchOrder],
  amendOrder: [noSuchOrder, refused('nothing to change', (sample) => without(sample, 'size'))],
  createOrder: [
    ...prices,
    refused('unknown symbol', body({ symbol: 'xyz-usdt' }), 'Invalid symbol'),
    refused('more than the balance', body({ size: 900, price: 70_000 }), 'Insufficient balance'),
    refused('a misspelt key', body({ clientOrderId: 'x' }), 'client_order_id'),
    refused(
      'post only and market',
      (sample) => body({ type: 'market', meta: { post_only: true } })(without(sample, 'price')),
      'Error 1001',
    ),
    {
      what: 'size and price as strings',
      change: body({ size: '0.0010', price: '50000.00' }),
      status: 200,
    },
  ],
  createOrders: [refused('an empty batch', body({ orders: [] }))],
  cancelOrders: [
    {
      what: 'an unknown order in a batch',
      change: query({ order_ids: '00000000-ffff-81ff-8000-000000000000' }),
      status: 200,
      says: 'Order not found',
    },
  ],
  cancelOrdersOfMarket: [noSuchSymbol],
  setDeadManSwitch: [refused('a negative timeout', body({ timeout: -1 }), 'timeout')],
  getQuote: [
    refused('a coin into itself', query({ spending_currency: 'btc' })),
    refused('unknown coin', query({ spending_currency: 'xyz' })),
    refused('no amount', (sample) => without(sample, 'receiving_amount')),
  ],
  executeQuote: [refused('an invalid token', body({ token: 'nothing' }))],
  signUp: [
    refused('a common password', body({ password: 'password1' }), 'Invalid password'),
    refused('no password', (sample) => without(sample, 'password'), 'Invalid password'),
    refused('an invalid address', body({ email: 'nobody' }), 'valid email'),
    refused('an address that cannot be stored', body({ email: 'a\0b@example.com' })),
  ],
  resendVerification: [refused('an invalid address', query({ email: 'nobody' }), 'valid email')],
  verifyEmail: [
    refused('an unknown code', body({ verification_code: 'none' }), 'Invalid verification code'),
    refused('an unknown address', body({ email: 'nobody@example.com' })),
  ],
  requestPasswordReset: [refused('an invalid address', query({ email: 'nobody' }), 'valid email')],
  resetPassword: [
    refused('an unknown code', body({ code: 'none' }), 'Invalid verification code'),
    refused('a common password', body({ new_password: 'password1' }), 'Invalid password'),
  ],
  changePassword: [
    refused('a wrong password', body({ old_password: 'not the old one' }), 'current password'),
    refused('a common password', body({ new_password: 'password1' }), 'Invalid password'),
    refused('the same password', (sample) =>
      body({ new_password: sample.body?.old_password })(sample),
    ),
  ],
  confirmPasswordChange: [
    refused('an unknown code', body({ code: 'none' }), 'Invalid verification code'),
  ],
  reviewDeposit: [
    {
      what: 'unknown deposit',
      change: body({ transaction_id: 'none' }),
      status: 404,
      says: 'Deposit not found',
    },
    {
      what: 'the id of another deposit',
      change: body({ id: 999_999 }),
      status: 404,
      says: 'Deposit not found',
    },
    refused('two decisions in one request', body({ rejected: true })),
  ],
  reviewWithdrawal: [
    {
      what: 'unknown withdrawal',
      change: body({ transaction_id: 'none' }),
      status: 404,
      says: 'Withdrawal not found',
    },
    refused('two decisions in one request', body({ dismissed: true })),
    refused('another address', body({ updated_address: 'elsewhere' }), 'address'),
    {
      what: 'back to review',
      change: body({ status: undefined, waiting: true }),
      status: 200,
      says: '"waiting":true',
    },
  ],
};

/** Returns every case of a route. The first is the valid sample. */
export function contractCases(name: RouteName): readonly ContractCase[] {
  const route: Route = routes[name];
  const required = [
    ...((route.query.required as string[] | undefined) ?? []),
    ...((route.body?.required as string[] | undefined) ?? []),
  ];
  // A field with a default value cannot be missing.
  const missing = required
    .filter((field) => !('default' in (route.query.properties[field] ?? {})))
    .map((field) => refused(`without ${field}`, (sample) => without(sample, field), field));
  const valid: ContractCase = { what: 'valid', change: same, status: route.status };
  const files = route.isFile === true ? [allRows] : [];
  return [valid, ...missing, ...files, ...(own[name] ?? []), ...(clientCases[name] ?? [])];
}
