// The resources of the interface: every documented field with its type and meaning.

import type { Fields, Shape } from './shape.ts';

const SIDE: Shape = { values: ['buy', 'sell'] };
const RATE: Shape = { map: 'number' };

const CREATED: Fields = {
  created_at: ['time', 'when it was created'],
  updated_at: ['time', 'when it was changed last'],
};

export const COIN: Fields = {
  id: ['number', 'identifier'],
  fullname: ['string', 'name for people'],
  symbol: ['string', 'symbol, in lower case'],
  code: ['string', 'the same symbol'],
  active: ['boolean', 'whether it is in use'],
  verified: ['boolean', 'whether it was reviewed'],
  allow_deposit: ['boolean', 'whether deposits are open'],
  allow_withdrawal: ['boolean', 'whether withdrawals are open'],
  is_public: ['boolean', 'whether others may list it'],
  withdrawal_fee: ['number', 'fee of a withdrawal'],
  withdrawal_fees: [{ orNull: { map: 'number' } }, 'fees by network'],
  min: ['number', 'minimum of a withdrawal'],
  max: ['number', 'maximum of a withdrawal'],
  increment_unit: ['number', 'smallest step of an amount'],
  estimated_price: ['number?', 'price for estimates'],
  description: ['string?', 'text for people'],
  type: ['string', 'kind of asset'],
  network: ['string', 'networks, separated by commas'],
  standard: ['string', 'token standard'],
  issuer: ['string', 'its issuer'],
  logo: ['string', 'address of its picture'],
  meta: ['object', 'further values'],
  ...CREATED,
  created_by: ['number', 'user who listed it'],
};

export const PAIR: Fields = {
  id: ['number', 'identifier'],
  name: ['string', 'base and quote with a hyphen'],
  code: ['string', 'the same name'],
  pair_base: ['string', 'coin that is traded'],
  pair_2: ['string', 'coin of the price'],
  min_size: ['number', 'smallest size'],
  max_size: ['number', 'largest size'],
  increment_size: ['number', 'step of sizes'],
  min_price: ['number', 'lowest price'],
  max_price: ['number', 'highest price'],
  increment_price: ['number', 'step of prices'],
  active: ['boolean', 'whether it is in use'],
  verified: ['boolean', 'whether it was reviewed'],
  is_public: ['boolean', 'whether others may list it'],
  estimated_price: ['number', 'price for estimates'],
  ...CREATED,
  created_by: ['number', 'user who listed it'],
};

const KIT_INFO: Fields = {
  name: ['string', 'name of the exchange'],
  url: ['string', 'address of the exchange'],
  collateral_level: ['string', 'level of collateral'],
  type: ['string', 'type of the exchange'],
  plan: ['string', 'plan of the exchange'],
  period: ['string', 'period of the plan'],
  active: ['boolean', 'whether it is open'],
  is_trial: ['boolean', 'whether the plan is a trial'],
  status: ['boolean', 'whether it works'],
  initialized: ['boolean', 'whether it was set up'],
  created_at: ['time', 'when it was created'],
  expiry: ['time', 'when the plan ends'],
};

export const KIT: Fields = {
  meta: ['object', 'further values'],
  color: ['object', 'colors by theme'],
  icons: ['object', 'pictures'],
  links: ['object', 'addresses'],
  strings: ['object', 'texts by language'],
  features: ['object', 'switched features'],
  user_meta: ['object', 'fields of users'],
  injected_html: ['object', 'html of the operator'],
  injected_values: ['array', 'values of the operator'],
  title: ['string', 'title of the site'],
  api_name: ['string', 'name of the exchange'],
  logo_image: ['string', 'address of the logo'],
  description: ['string', 'text for people'],
  native_currency: ['string', 'currency of estimates'],
  valid_languages: ['string', 'languages, separated by commas'],
  captcha: [{ fields: { site_key: ['string', 'public key of the captcha'] } }, 'captcha'],
  defaults: [
    { fields: { theme: ['string', 'theme'], language: ['string', 'language'] } },
    'settings of new users',
  ],
  interface: [{ fields: { type: ['string', 'kind of web client'] } }, 'web client'],
  setup_completed: ['boolean', 'whether the setup is done'],
  new_user_is_activated: ['boolean', 'whether new users may sign in'],
  email_verification_required: ['boolean', 'whether addresses are verified'],
  info: [{ fields: KIT_INFO }, 'the exchange'],
};

export const TIER: Fields = {
  id: ['number', 'level'],
  name: ['string', 'name'],
  icon: ['string', 'picture'],
  description: ['string', 'text for people'],
  note: ['string', 'further text'],
  deposit_limit: ['number', 'limit of deposits'],
  withdrawal_limit: ['number', 'limit of withdrawals'],
  fees: [
    {
      fields: {
        maker: [RATE, 'percent of makers, by market'],
        taker: [RATE, 'percent of takers, by market'],
      },
    },
    'fees',
  ],
  ...CREATED,
};

const PRICES: Fields = {
  open: ['number', 'first price of the day'],
  close: ['number', 'last price of the day'],
  high: ['number', 'highest price'],
  low: ['number', 'lowest price'],
  last: ['number', 'last price'],
  volume: ['number', 'traded size'],
};

export const TICKER: Fields = { ...PRICES, timestamp: ['time', 'time of the ticker'] };

export const TICKERS_ENTRY: Fields = {
  ...PRICES,
  time: ['time', 'time of the ticker'],
  symbol: ['string', 'market'],
};

const LEVELS: Shape = { list: { tuple: ['number', 'number'] } };

export const BOOK: Fields = {
  bids: [LEVELS, 'at most ten levels to buy, best first'],
  asks: [LEVELS, 'at most ten levels to sell, best first'],
  timestamp: ['time', 'time of the book'],
};

export const PUBLIC_TRADE: Fields = {
  size: ['number', 'traded size'],
  price: ['number', 'price'],
  side: [SIDE, 'side of the taker'],
  timestamp: ['time', 'time of the trade'],
};

export const CANDLE: Fields = {
  time: ['time', 'begin of the candle'],
  open: ['number', 'first price'],
  high: ['number', 'highest price'],
  low: ['number', 'lowest price'],
  close: ['number', 'last price'],
  volume: ['number', 'traded size'],
  symbol: ['string', 'market'],
};

export const MINI_CHART_POINT: Fields = {
  time: ['time', 'time of the price'],
  price: ['string', 'price in the quote'],
  symbol: ['string', 'asset'],
  quote: ['string', 'coin of the price'],
};

const COIN_BALANCES: Fields = { updated_at: ['time', 'last change'] };
export const BALANCE: Shape = { balance: COIN_BALANCES };
export const BALANCE_OF_USER: Shape = {
  balance: { ...COIN_BALANCES, user_id: ['number', 'owner'] },
};

export const BALANCE_ROW: Fields = {
  balance: ['string', 'total'],
  available: ['string', 'total without holds'],
  symbol: ['string', 'coin'],
  updated_at: ['time', 'last change'],
  user_id: ['number', 'owner'],
  network_id: ['number', 'owner, in the network'],
};

export const WALLET: Fields = {
  currency: ['string', 'coin'],
  address: ['string', 'address for deposits'],
  network: ['string', 'network of the address'],
  standard: ['string?', 'token standard'],
  is_valid: ['boolean', 'whether it is in use'],
  created_at: ['time', 'when it was given'],
};

export const WALLET_ROW: Fields = {
  ...WALLET,
  updated_at: ['time', 'last change'],
  network_id: ['number', 'owner, in the network'],
  User: [
    { fields: { email: ['string', 'email of the owner'], exchange_id: ['number', 'exchange'] } },
    'owner',
  ],
};

const FLAGS = (names: readonly string[]): Shape => ({
  fields: Object.fromEntries(names.map((name) => [name, ['boolean', 'switch']])),
});

const SETTINGS: Fields = {
  chat: [FLAGS(['set_username']), 'chat'],
  risk: [
    {
      fields: {
        popup_warning: ['boolean', 'whether large orders ask'],
        order_portfolio_percentage: ['number', 'from which share on'],
      },
    },
    'warnings',
  ],
  audio: [
    FLAGS([
      'all',
      'order_placed',
      'public_trade',
      'click_amounts',
      'order_canceled',
      'order_completed',
      'quick_trade_success',
      'quick_trade_timeout',
      'get_quote_quick_trade',
      'order_partially_completed',
    ]),
    'sounds',
  ],
  language: ['string', 'language'],
  interface: [
    { fields: { theme: ['string', 'theme'], order_book_levels: ['number', 'levels shown'] } },
    'screen',
  ],
  notification: [
    FLAGS(['popup_order_completed', 'popup_order_confirmation', 'popup_order_partially_filled']),
    'notices',
  ],
};

const ID_DATA: Fields = {
  type: ['string', 'kind of document'],
  number: ['string', 'number of the document'],
  issued_date: ['time?', 'when it was issued; null if it is unknown'],
  expiration_date: ['time?', 'when it expires; null if it is unknown'],
};

const PERSON: Fields = {
  id: ['number', 'identifier'],
  email: ['string', 'email address'],
  full_name: ['string', 'name'],
  nationality: ['string', 'nationality'],
  phone_number: ['string', 'phone number'],
  username: ['string', 'name that others see'],
  affiliation_code: ['string', 'referral code'],
  gender: ['boolean', 'gender'],
  dob: ['time?', 'date of birth; null if it is unknown'],
  address: [
    {
      fields: {
        city: ['string', 'city'],
        address: ['string', 'street and number'],
        country: ['string', 'country'],
        postal_code: ['string', 'postal code'],
      },
    },
    'address',
  ],
  bank_account: ['array', 'bank accounts'],
  crypto_wallet: ['object', 'addresses by coin'],
  verification_level: ['number', 'tier'],
  email_verified: ['boolean', 'whether the address is verified'],
  otp_enabled: ['boolean', 'whether a second factor is on'],
  activated: ['boolean', 'whether the account may sign in'],
  settings: [{ fields: SETTINGS }, 'settings'],
  affiliation_rate: ['number', 'share of referral'],
  network_id: ['number', 'identifier in the network'],
  ...CREATED,
};

export const USER: Fields = {
  ...PERSON,
  id_data: [{ fields: ID_DATA }, 'identity document'],
  balance: [BALANCE, 'balances'],
  wallet: [{ list: { fields: WALLET } }, 'addresses for deposits'],
};

export const USER_OF_ADMIN: Fields = {
  ...PERSON,
  id_data: [
    {
      fields: {
        ...ID_DATA,
        note: ['string', 'remark of the reviewer'],
        status: ['number', 'state of the review'],
      },
    },
    'identity document',
  ],
  note: ['string', 'remark about the user'],
  flagged: ['boolean', 'whether operators flagged the user'],
  discount: ['number', 'discount on fees'],
  meta: ['object', 'further values'],
};

export const TRANSFER: Fields = {
  id: ['number', 'identifier'],
  amount: ['number', 'amount'],
  fee: ['number', 'fee'],
  address: ['string', 'destination or origin'],
  transaction_id: ['string', 'transaction'],
  status: ['boolean', 'completed'],
  dismissed: ['boolean', 'canceled'],
  rejected: ['boolean', 'failed'],
  processing: ['boolean', 'in progress'],
  waiting: ['boolean', 'awaiting a decision'],
  description: ['string', 'text'],
  type: [{ values: ['deposit', 'withdrawal'] }, 'direction'],
  currency: ['string', 'coin'],
  network: ['string?', 'network'],
  ...CREATED,
  user_id: ['number', 'owner'],
};

const EXCHANGE: Fields = {
  id: ['number', 'exchange'],
  name: ['string', 'name'],
  display_name: ['string', 'name for people'],
};

export const TRANSFER_OF_ADMIN: Fields = {
  ...TRANSFER,
  fee_coin: ['string', 'coin of the fee'],
  network_id: ['number', 'owner, in the network'],
  User: [
    {
      fields: {
        email: ['string', 'email of the owner'],
        exchange_id: ['number', 'exchange'],
        id: ['number', 'owner'],
        Exchange: [{ fields: EXCHANGE }, 'exchange'],
      },
    },
    'owner',
  ],
};

export const NEW_WITHDRAWAL: Fields = {
  message: ['string', 'text for people'],
  id: ['number', 'identifier'],
  transaction_id: ['string', 'transaction'],
  amount: ['number', 'amount'],
  currency: ['string', 'coin'],
  fee: ['number', 'fee'],
  fee_coin: ['string', 'coin of the fee'],
};

export const ORDER: Fields = {
  id: ['string', 'identifier'],
  side: [SIDE, 'side'],
  symbol: ['string', 'market'],
  type: [{ values: ['limit', 'market'] }, 'type'],
  size: ['number', 'ordered size'],
  price: ['number', 'limit price'],
  stop: ['number?', 'trigger price'],
  filled: ['number', 'traded size'],
  fee: ['number', 'fee so far'],
  fee_coin: ['string', 'coin of the fee'],
  status: [{ values: ['new', 'pfilled', 'filled', 'canceled'] }, 'state'],
  meta: ['object', 'post_only, note'],
  created_by: ['number', 'owner'],
  ...CREATED,
};

const FEE_STRUCTURE: Fields = {
  fee_structure: [
    { fields: { maker: ['number', 'percent as maker'], taker: ['number', 'percent as taker'] } },
    'rates of the order',
  ],
};
const AVERAGE: Fields = { average: ['number', 'mean price of the trades'] };

export const ORDER_RESULT: Fields = { ...ORDER, ...FEE_STRUCTURE };
export const ORDER_BY_ADMIN: Fields = { ...ORDER, ...FEE_STRUCTURE, ...AVERAGE };
export const EXECUTED_ORDER: Fields = {
  ...ORDER,
  ...FEE_STRUCTURE,
  ...AVERAGE,
  method: ['string', 'way of execution'],
};

export const ORDER_OF_ADMIN: Fields = {
  ...ORDER,
  ...AVERAGE,
  network_id: ['number', 'owner, in the network'],
  User: [
    {
      fields: {
        id: ['number', 'owner'],
        email: ['string', 'email of the owner'],
        username: ['string', 'name that others see'],
        exchange_id: ['number', 'exchange'],
      },
    },
    'owner',
  ],
};

export const USER_TRADE: Fields = {
  side: [SIDE, 'side of the user'],
  symbol: ['string', 'market'],
  size: ['number', 'traded size'],
  price: ['number', 'price'],
  timestamp: ['time', 'time of the trade'],
  order_id: ['string', 'order of the user'],
  fee: ['number', 'fee'],
  fee_coin: ['string', 'coin of the fee'],
};

export const TRADE_OF_ADMIN: Fields = {
  side: [SIDE, 'side of the taker'],
  symbol: ['string', 'market'],
  size: ['number', 'traded size'],
  price: ['number', 'price'],
  timestamp: ['time', 'time of the trade'],
  maker_order_id: ['string?', 'order of the maker'],
  taker_order_id: ['string?', 'order of the taker'],
  maker_fee: ['number?', 'fee of the maker'],
  taker_fee: ['number?', 'fee of the taker'],
  maker_fee_coin: ['string?', 'its coin'],
  taker_fee_coin: ['string?', 'its coin'],
  quick: ['boolean', 'whether it was a conversion'],
  maker_id: ['number?', 'maker'],
  taker_id: ['number?', 'taker'],
  maker_network_id: ['number', 'maker, in the network'],
  taker_network_id: ['number', 'taker, in the network'],
};

export const QUOTE: Fields = {
  spending_currency: ['string', 'coin to give'],
  receiving_currency: ['string', 'coin to get'],
  spending_amount: ['number', 'amount to give'],
  receiving_amount: ['number', 'amount to get'],
  type: ['string', 'kind of quote'],
  token: ['string', 'to execute it with'],
  expiry: ['time', 'when the token expires'],
};

export const STAKER: Fields = {
  id: ['number', 'identifier'],
  user_id: ['number', 'owner'],
  stake_id: ['number', 'pool'],
  amount: ['number', 'staked amount'],
  reward: ['number', 'earned so far'],
  slashed: ['number', 'lost by an early end'],
  currency: ['string', 'coin'],
  reward_currency: ['string', 'coin of the reward'],
  status: [{ values: ['staking', 'unstaking', 'closed'] }, 'state'],
  closing: ['time?', 'when it ends; null without a duration'],
  unstaked_date: ['time?', 'when it was ended; null before'],
  ...CREATED,
};

const STAKED: Shape = {
  list: { fields: { currency: ['string', 'coin'], total_amount: ['number', 'total'] } },
};

export const STAKE_ANALYTICS: Fields = {
  stakingAmount: [STAKED, 'staked by coin'],
  unstakingAmount: [STAKED, 'about to be returned, by coin'],
};

export const UDF_CONFIG: Fields = {
  supported_resolutions: [{ list: 'string' }, 'resolutions of charts'],
  supports_group_request: ['boolean', 'whether groups are offered'],
  supports_marks: ['boolean', 'whether marks are offered'],
  supports_search: ['boolean', 'whether search is offered'],
  supports_timescale_marks: ['boolean', 'whether marks of the time scale are offered'],
};

export const UDF_SYMBOL: Fields = {
  name: ['string', 'market'],
  ticker: ['string', 'market'],
  exchange: ['string', 'name of the exchange'],
  session: ['string', 'trading hours'],
  regular_session: ['string', 'usual trading hours'],
  has_intraday: ['boolean', 'candles shorter than a day'],
  has_daily: ['boolean', 'candles of a day'],
  has_weekly_and_monthly: ['boolean', 'longer candles'],
  has_empty_bars: ['boolean', 'candles without trades'],
  pricescale: ['number', 'steps of one unit of price'],
  volume_precision: ['number', 'decimals of volumes'],
};

const NUMBERS: Shape = { list: 'number' };
export const UDF_HISTORY: Fields = {
  o: [NUMBERS, 'first prices'],
  h: [NUMBERS, 'highest prices'],
  l: [NUMBERS, 'lowest prices'],
  c: [NUMBERS, 'last prices'],
  v: [NUMBERS, 'traded sizes'],
  s: ['string', 'state'],
};

export const MESSAGE: Fields = { message: ['string', 'text for people'] };
