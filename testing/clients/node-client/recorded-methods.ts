// The requests of the official Node client of the interface, version 2.19.4, as facts: for each of
// its 66 methods the call, and the names of the values in the order in which it sends them. Every
// request has the `api-key`. All but the public ones are signed: method, path with the query as it
// is written, an expiry in 60 seconds, and the body. Nothing in a query is encoded.

export interface RecordedMethod {
  readonly name: string;
  readonly call: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /v2/${string}`;
  /** Public calls have the key, and no signature. */
  readonly isPublic?: true;
  /** Names in the query. */
  readonly query?: readonly string[];
  /** Before the first one: `?a=1` or `?&a=1`. Nothing if no value is given, but for `always ?`. */
  readonly lead?: '?' | '?&' | 'always ?';
  readonly body?: readonly string[];
  /** With `format` the path ends so. */
  readonly file?: '/csv';
  /** Another name of this method. */
  readonly isAliasOf?: string;
}

const PAGE = ['limit', 'page'];
const SORT = ['order_by', 'order', 'start_date', 'end_date'];
const STATES = ['status', 'dismissed', 'rejected', 'processing', 'waiting'];
const USER_TRANSFERS = ['currency', ...PAGE, ...SORT, 'address', 'transaction_id', ...STATES];
const NEW_RECORD = [
  'user_id',
  'currency',
  'amount',
  'transaction_id',
  'status',
  'email',
  'fee',
  'address',
  'description',
];
const RECORD_CHANGE = [
  'transaction_id',
  'updated_transaction_id',
  'updated_address',
  'status',
  'rejected',
  'dismissed',
  'processing',
  'waiting',
  'email',
  'description',
];
const POOL = [
  'name',
  'user_id',
  'currency',
  'account_id',
  'apy',
  'min_amount',
  'max_amount',
  'early_unstake',
  'status',
];
const POOL_OPTIONS = [
  'reward_currency',
  'duration',
  'slashing',
  'slashing_earning_percentage',
  'slashing_principle_percentage',
  'onboarding',
  'disclaimer',
];
const ORDER = ['user_id', 'size', 'side', 'type', 'price', 'symbol'];
const isPublic = true;
const list = { lead: '?&', file: '/csv' } as const;

const PUBLIC: readonly RecordedMethod[] = [
  { name: 'getKit', call: 'GET /v2/kit', isPublic },
  { name: 'getTicker', call: 'GET /v2/ticker', isPublic, query: ['symbol'], lead: '?' },
  { name: 'getTickers', call: 'GET /v2/tickers', isPublic },
  { name: 'getOrderbook', call: 'GET /v2/orderbook', isPublic, query: ['symbol'], lead: '?' },
  { name: 'getOrderbooks', call: 'GET /v2/orderbooks', isPublic },
  { name: 'getTrades', call: 'GET /v2/trades', isPublic, query: ['symbol'], lead: '?' },
  { name: 'getConstants', call: 'GET /v2/constants', isPublic },
];

const USER: readonly RecordedMethod[] = [
  { name: 'getUser', call: 'GET /v2/user' },
  { name: 'getBalance', call: 'GET /v2/user/balance' },
  { name: 'getDeposits', call: 'GET /v2/user/deposits', query: USER_TRANSFERS, lead: '?&' },
  { name: 'getWithdrawals', call: 'GET /v2/user/withdrawals', query: USER_TRANSFERS, lead: '?&' },
  {
    name: 'makeWithdrawal',
    call: 'POST /v2/user/withdrawal',
    body: ['currency', 'amount', 'address', 'network'],
  },
  {
    name: 'getUserTrades',
    call: 'GET /v2/user/trades',
    query: ['symbol', ...PAGE, ...SORT, 'format'],
    lead: '?&',
  },
  { name: 'getOrder', call: 'GET /v2/order', query: ['order_id'], lead: '?' },
  {
    name: 'getOrders',
    call: 'GET /v2/orders',
    query: ['symbol', 'side', 'status', 'open', ...PAGE, ...SORT],
    lead: '?&',
  },
  // The price is always sent: 0 with a market order.
  {
    name: 'createOrder',
    call: 'POST /v2/order',
    body: ['symbol', 'side', 'size', 'type', 'price', 'meta', 'stop'],
  },
  { name: 'cancelOrder', call: 'DELETE /v2/order', query: ['order_id'], lead: '?' },
  { name: 'cancelAllOrders', call: 'DELETE /v2/order/all', query: ['symbol'], lead: '?' },
  // Lists are joined by commas.
  {
    name: 'getOraclePrice',
    call: 'GET /v2/oracle/prices',
    query: ['assets', 'quote', 'amount'],
    lead: '?&',
  },
  // It sends the word undefined for the assets: it reads them from its options.
  {
    name: 'getMiniCharts',
    call: 'GET /v2/minicharts',
    query: ['assets', 'from', 'to', 'quote'],
    lead: '?&',
  },
  {
    name: 'getQuickTradeQuote',
    call: 'GET /v2/quick-trade',
    query: ['spending_currency', 'receiving_currency', 'spending_amount', 'receiving_amount'],
    lead: '?&',
  },
  { name: 'executeOrder', call: 'POST /v2/order/execute', body: ['token'] },
];

const MONEY: readonly RecordedMethod[] = [
  { name: 'getExchangeInfo', call: 'GET /v2/admin/exchange' },
  {
    name: 'getExchangeDeposits',
    call: 'GET /v2/admin/deposits',
    query: [
      'user_id',
      'currency',
      ...PAGE,
      ...SORT,
      ...STATES,
      'transaction_id',
      'address',
      'format',
    ],
    ...list,
  },
  {
    name: 'getExchangeWithdrawals',
    call: 'GET /v2/admin/withdrawals',
    query: [
      'currency',
      'user_id',
      'transaction_id',
      'address',
      ...PAGE,
      ...SORT,
      ...STATES,
      'format',
    ],
    ...list,
  },
  { name: 'getExchangeBalance', call: 'GET /v2/admin/balance' },
  {
    name: 'transferExchangeAsset',
    call: 'POST /v2/admin/transfer',
    body: ['sender_id', 'receiver_id', 'currency', 'amount', 'description', 'email'],
  },
  { name: 'mint', call: 'POST /v2/admin/mint', body: NEW_RECORD },
  {
    name: 'createExchangeDeposit',
    call: 'POST /v2/admin/mint',
    body: NEW_RECORD,
    isAliasOf: 'mint',
  },
  { name: 'updateMint', call: 'PUT /v2/admin/mint', body: RECORD_CHANGE },
  {
    name: 'updateExchangeDeposit',
    call: 'PUT /v2/admin/mint',
    body: RECORD_CHANGE,
    isAliasOf: 'updateMint',
  },
  { name: 'burn', call: 'POST /v2/admin/burn', body: NEW_RECORD },
  {
    name: 'createExchangeWithdrawal',
    call: 'POST /v2/admin/burn',
    body: NEW_RECORD,
    isAliasOf: 'burn',
  },
  { name: 'updateBurn', call: 'PUT /v2/admin/burn', body: RECORD_CHANGE },
  {
    name: 'updateExchangeWithdrawal',
    call: 'PUT /v2/admin/burn',
    body: RECORD_CHANGE,
    isAliasOf: 'updateBurn',
  },
  {
    name: 'checkExchangeDepositStatus',
    call: 'GET /v2/admin/check-transaction',
    query: ['currency', 'transaction_id', 'address', 'network', 'is_testnet'],
    lead: '?&',
  },
  {
    name: 'settleExchangeFees',
    call: 'GET /v2/admin/fees/settle',
    query: ['user_id'],
    lead: '?',
  },
  {
    name: 'getExchangeTrades',
    call: 'GET /v2/admin/trades',
    query: ['user_id', ...PAGE, 'symbol', ...SORT, 'format'],
    ...list,
  },
  {
    name: 'getExchangeOrders',
    call: 'GET /v2/admin/orders',
    query: ['user_id', 'side', 'status', 'open', ...PAGE, 'symbol', ...SORT],
    lead: '?&',
  },
  {
    name: 'cancelExchangeUserOrder',
    call: 'DELETE /v2/admin/order',
    query: ['order_id', 'user_id'],
    lead: '?&',
  },
];

const PEOPLE: readonly RecordedMethod[] = [
  {
    name: 'getExchangeUsers',
    call: 'GET /v2/admin/users',
    query: [
      'id',
      'search',
      'type',
      'pending',
      'pending_type',
      'bank_key',
      'bank_value',
      'activated',
      ...PAGE,
      ...SORT,
      'format',
    ],
    ...list,
  },
  {
    name: 'createExchangeUser',
    call: 'POST /v2/admin/user',
    body: ['email', 'password', 'referral'],
  },
  // One of five calls, by the option that is given; see updated-user.
  {
    name: 'updateExchangeUser',
    call: 'PUT /v2/admin/user/note',
    query: ['user_id'],
    lead: '?',
    body: ['note'],
  },
  { name: 'deleteExchangeUser', call: 'DELETE /v2/admin/user', body: ['user_id'] },
  {
    name: 'createExchangeUserWallet',
    call: 'POST /v2/admin/user/wallet',
    body: ['user_id', 'crypto', 'network'],
  },
  {
    name: 'getExchangeUserWallet',
    call: 'GET /v2/admin/user/wallet',
    query: ['user_id', 'currency', 'address', 'network', 'is_valid', ...PAGE, ...SORT, 'format'],
    ...list,
  },
  {
    name: 'getExchangeUserBalance',
    call: 'GET /v2/admin/user/balance',
    query: ['user_id'],
    lead: '?',
  },
  {
    name: 'createExchangeUserBank',
    call: 'POST /v2/admin/user/bank',
    query: ['id'],
    lead: '?',
    body: ['bank_account'],
  },
  {
    name: 'getExchangeUserLogins',
    call: 'GET /v2/admin/logins',
    query: ['user_id', ...PAGE, ...SORT, 'format'],
    ...list,
  },
  {
    name: 'deactivateExchangeUser',
    call: 'POST /v2/admin/user/activate',
    body: ['user_id', 'activated'],
  },
  { name: 'deactivateExchangeUserOtp', call: 'POST /v2/admin/deactivate-otp', body: ['user_id'] },
  {
    name: 'getExchangeUserReferrals',
    call: 'GET /v2/admin/user/affiliation',
    query: ['user_id', ...PAGE, ...SORT],
    lead: '?&',
  },
  {
    name: 'getExchangeUserReferrer',
    call: 'GET /v2/admin/user/referer',
    query: ['user_id'],
    lead: '?',
  },
  {
    name: 'sendExchangeUserEmail',
    call: 'POST /v2/admin/send-email',
    body: ['user_id', 'mail_type', 'data'],
  },
  {
    name: 'sendRawEmail',
    call: 'POST /v2/admin/send-email/raw',
    body: ['receivers', 'html', 'title', 'text'],
  },
  // With a format it writes `/csv` behind the question mark, not behind the path.
  {
    name: 'getExchangeUserBalances',
    call: 'GET /v2/admin/balances',
    query: ['user_id', 'currency', '/csv', 'format'],
    lead: 'always ?',
  },
  { name: 'createOrderByAdmin', call: 'POST /v2/admin/order', body: ORDER },
  {
    name: 'createTradeByAdmin',
    call: 'POST /v2/admin/trade',
    body: ['maker_id', 'taker_id', 'maker_fee', 'taker_fee', 'symbol', 'size', 'price', 'side'],
  },
  {
    name: 'createWithdrawalByAdmin',
    call: 'POST /v2/admin/withdrawal',
    body: ['user_id', 'address', 'amount', 'currency', 'network'],
  },
  {
    name: 'disableUserWithdrawalByAdmin',
    call: 'POST /v2/admin/user/disable-withdrawal',
    body: ['user_id', 'expiry_date'],
  },
];

const STAKING: readonly RecordedMethod[] = [
  {
    name: 'getExchangeStakesByAdmin',
    call: 'GET /v2/admin/stakes',
    query: [...PAGE, ...SORT, 'format'],
    ...list,
  },
  {
    name: 'createExchangeStakesByAdmin',
    call: 'POST /v2/admin/stake',
    body: [...POOL, ...POOL_OPTIONS],
  },
  {
    name: 'updateExchangeStakesByAdmin',
    call: 'PUT /v2/admin/stake',
    body: ['id', ...POOL, ...POOL_OPTIONS],
  },
  { name: 'deleteExchangeStakesByAdmin', call: 'DELETE /v2/admin/stake', body: ['id'] },
  {
    name: 'getExchangeStakersByAdmin',
    call: 'GET /v2/admin/stakers',
    query: [
      'id',
      'user_id',
      'stake_id',
      'currency',
      'reward',
      'slashed',
      ...PAGE,
      ...SORT,
      'format',
    ],
    ...list,
  },
  { name: 'getStakeAnalyticsByAdmin', call: 'GET /v2/admin/stake/analytics' },
];

export const RECORDED_METHODS: readonly RecordedMethod[] = [
  ...PUBLIC,
  ...USER,
  ...MONEY,
  ...PEOPLE,
  ...STAKING,
];

/** The calls of updateExchangeUser, by its option. */
export const UPDATED_USER: Readonly<Record<string, Omit<RecordedMethod, 'name'>>> = {
  role: { call: 'PUT /v2/admin/user/role', query: ['user_id'], lead: '?', body: ['role'] },
  meta: {
    call: 'PUT /v2/admin/user/meta',
    query: ['user_id'],
    lead: '?',
    body: ['meta', 'overwrite'],
  },
  discount: {
    call: 'PUT /v2/admin/user/discount',
    query: ['user_id'],
    lead: '?',
    body: ['discount'],
  },
  note: { call: 'PUT /v2/admin/user/note', query: ['user_id'], lead: '?', body: ['note'] },
  verification_level: {
    call: 'POST /v2/admin/upgrade-user',
    body: ['user_id', 'verification_level'],
  },
};
