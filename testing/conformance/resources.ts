// The resources of the interface: every documented field with its type and meaning.

import type { Fields, Shape } from './shape.ts';

const SIDE: Shape = { values: ['buy', 'sell'] };
const RATE: Shape = { map: 'number' };

const CREATED: Fields = {
  created_at: ['time', 'creation time'],
  updated_at: ['time', 'time of the last change'],
};

export const COIN: Fields = {
  id: ['number', 'identifier'],
  fullname: ['string', 'display name'],
  symbol: ['string', 'symbol, in lower case'],
  code: ['string', 'the same symbol'],
  active: ['boolean', 'whether it is in use'],
  verified: ['boolean', 'whether it was reviewed'],
  allow_deposit: ['boolean', 'whether deposits are open'],
  allow_withdrawal: ['boolean', 'whether withdrawals are open'],
  is_public: ['boolean', 'whether others can list it'],
  withdrawal_fee: ['number', 'withdrawal fee'],
  withdrawal_fees: [{ orNull: { map: 'number' } }, 'fees by network'],
  min: ['number', 'minimum withdrawal'],
  max: ['number', 'maximum withdrawal'],
  increment_unit: ['number', 'minimum increment of an amount'],
  estimated_price: ['number?', 'price for estimates'],
  description: ['string?', 'text shown to users'],
  type: ['string', 'kind of asset'],
  network: ['string', 'comma-separated networks'],
  standard: ['string', 'token standard'],
  issuer: ['string', 'its issuer'],
  logo: ['string', 'URL of its picture'],
  meta: ['object', 'further values'],
  ...CREATED,
  created_by: ['number', 'user who listed it'],
};

export const PAIR: Fields = {
  id: ['number', 'identifier'],
  name: ['string', 'base and quote with a hyphen'],
  code: ['string', 'the same name'],
  pair_base: ['string', 'traded coin'],
  pair_2: ['string', 'coin in which it is priced'],
  min_size: ['number', 'smallest size'],
  max_size: ['number', 'largest size'],
  increment_size: ['number', 'size increment'],
  min_price: ['number', 'lowest price'],
  max_price: ['number', 'highest price'],
  increment_price: ['number', 'price increment'],
  active: ['boolean', 'whether it is in use'],
  verified: ['boolean', 'whether it was reviewed'],
  is_public: ['boolean', 'whether others can list it'],
  estimated_price: ['number', 'price for estimates'],
  ...CREATED,
  created_by: ['number', 'user who listed it'],
};

const KIT_INFO: Fields = {
  name: ['string', 'name of the exchange'],
  url: ['string', 'URL of the exchange'],
  collateral_level: ['string', 'level of collateral'],
  type: ['string', 'type of the exchange'],
  plan: ['string', 'plan of the exchange'],
  period: ['string', 'period of the plan'],
  active: ['boolean', 'whether it is open'],
  is_trial: ['boolean', 'whether the plan is a trial'],
  status: ['boolean', 'whether it works'],
  initialized: ['boolean', 'whether it was set up'],
  created_at: ['time', 'creation time'],
  expiry: ['time', 'plan expiry'],
};

export const KIT: Fields = {
  meta: ['object', 'further values'],
  color: ['object', 'colors by theme'],
  icons: ['object', 'pictures'],
  links: ['object', 'addresses'],
  strings: ['object', 'strings by language'],
  features: ['object', 'switched features'],
  user_meta: ['object', 'user fields'],
  injected_html: ['object', 'operator HTML'],
  injected_values: ['array', 'operator values'],
  title: ['string', 'title of the site'],
  api_name: ['string', 'name of the exchange'],
  logo_image: ['string', 'URL of the logo'],
  description: ['string', 'text shown to users'],
  native_currency: ['string', 'currency for estimates'],
  valid_languages: ['string', 'comma-separated languages'],
  captcha: [{ fields: { site_key: ['string', 'public key of the captcha'] } }, 'captcha'],
  defaults: [
    { fields: { theme: ['string', 'theme'], language: ['string', 'language'] } },
    'settings for new users',
  ],
  interface: [{ fields: { type: ['string', 'kind of web client'] } }, 'web client'],
  setup_completed: ['boolean', 'whether the setup is complete'],
  new_user_is_activated: ['boolean', 'whether new users can sign in'],
  email_verification_required: ['boolean', 'whether addresses are verified'],
  info: [{ fields: KIT_INFO }, 'the exchange'],
};

export const TIER: Fields = {
  id: ['number', 'level'],
  name: ['string', 'name'],
  icon: ['string', 'picture'],
  description: ['string', 'text shown to users'],
  note: ['string', 'further text'],
  deposit_limit: ['number', 'deposit limit'],
  withdrawal_limit: ['number', 'withdrawal limit'],
  fees: [
    {
      fields: {
        maker: [RATE, 'maker fees in percent, by market'],
        taker: [RATE, 'taker fees in percent, by market'],
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

export const TICKER: Fields = { ...PRICES, timestamp: ['time', 'ticker time'] };

export const TICKERS_ENTRY: Fields = {
  ...PRICES,
  time: ['time', 'ticker time'],
  symbol: ['string', 'market'],
};

const LEVELS: Shape = { list: { tuple: ['number', 'number'] } };

export const BOOK: Fields = {
  bids: [LEVELS, 'at most ten levels to buy, best first'],
  asks: [LEVELS, 'at most ten levels to sell, best first'],
  timestamp: ['time', 'book time'],
};

export const PUBLIC_TRADE: Fields = {
  size: ['number', 'traded size'],
  price: ['number', 'price'],
  side: [SIDE, 'side of the taker'],
  timestamp: ['time', 'trade time'],
};

export const CANDLE: Fields = {
  time: ['time', 'start of the candle'],
  open: ['number', 'first price'],
  high: ['number', 'highest price'],
  low: ['number', 'lowest price'],
  close: ['number', 'last price'],
  volume: ['number', 'traded size'],
  symbol: ['string', 'market'],
};

export const MINI_CHART_POINT: Fields = {
  time: ['time', 'price time'],
  price: ['string', 'price in the quote'],
  symbol: ['string', 'asset'],
  quote: ['string', 'coin in which it is priced'],
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
  network_id: ['number', 'owner ID in the network'],
};

export const WALLET: Fields = {
  currency: ['string', 'coin'],
  address: ['string', 'address for deposits'],
  network: ['string', 'address network'],
  standard: ['string?', 'token standard'],
  is_valid: ['boolean', 'whether it is in use'],
  created_at: ['time', 'assignment time'],
};

export const WALLET_ROW: Fields = {
  ...WALLET,
  updated_at: ['time', 'last change'],
  network_id: ['number', 'owner ID in the network'],
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
        popup_warning: ['boolean', 'whether large orders need confirmation'],
        order_portfolio_percentage: ['number', 'minimum portfolio share for that'],
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
  type: ['string', 'document type'],
  number: ['string', 'document number'],
  issued_date: ['time?', 'issue date; null if unknown'],
  expiration_date: ['time?', 'expiry date; null if unknown'],
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
  dob: ['time?', 'date of birth; null if unknown'],
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
  activated: ['boolean', 'whether the account can sign in'],
  settings: [{ fields: SETTINGS }, 'settings'],
  affiliation_rate: ['number', 'referral share'],
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
        note: ['string', 'note by the reviewer'],
        status: ['number', 'review state'],
      },
    },
    'identity document',
  ],
  note: ['string', 'note about the user'],
  flagged: ['boolean', 'whether operators flagged the user'],
  discount: ['number', 'fee discount'],
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
  display_name: ['string', 'display name'],
};

export const TRANSFER_OF_ADMIN: Fields = {
  ...TRANSFER,
  fee_coin: ['string', 'fee coin'],
  network_id: ['number', 'owner ID in the network'],
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
  message: ['string', 'text shown to users'],
  id: ['number', 'identifier'],
  transaction_id: ['string', 'transaction'],
  amount: ['number', 'amount'],
  currency: ['string', 'coin'],
  fee: ['number', 'fee'],
  fee_coin: ['string', 'fee coin'],
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
  fee_coin: ['string', 'fee coin'],
  status: [{ values: ['new', 'pfilled', 'filled', 'canceled'] }, 'state'],
  meta: ['object', 'post_only, note'],
  created_by: ['number', 'owner'],
  ...CREATED,
};

const FEE_STRUCTURE: Fields = {
  fee_structure: [
    {
      fields: {
        maker: ['number', 'maker fee in percent'],
        taker: ['number', 'taker fee in percent'],
      },
    },
    'fee rates of the order',
  ],
};
const AVERAGE: Fields = { average: ['number', 'average trade price'] };

export const ORDER_RESULT: Fields = { ...ORDER, ...FEE_STRUCTURE };
export const ORDER_BY_ADMIN: Fields = { ...ORDER, ...FEE_STRUCTURE, ...AVERAGE };
export const EXECUTED_ORDER: Fields = {
  ...ORDER,
  ...FEE_STRUCTURE,
  ...AVERAGE,
  method: ['string', 'execution method'],
};

export const ORDER_OF_ADMIN: Fields = {
  ...ORDER,
  ...AVERAGE,
  network_id: ['number', 'owner ID in the network'],
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
  timestamp: ['time', 'trade time'],
  order_id: ['string', 'order of the user'],
  fee: ['number', 'fee'],
  fee_coin: ['string', 'fee coin'],
};

export const TRADE_OF_ADMIN: Fields = {
  side: [SIDE, 'side of the taker'],
  symbol: ['string', 'market'],
  size: ['number', 'traded size'],
  price: ['number', 'price'],
  timestamp: ['time', 'trade time'],
  maker_order_id: ['string?', 'maker order'],
  taker_order_id: ['string?', 'taker order'],
  maker_fee: ['number?', 'maker fee'],
  taker_fee: ['number?', 'taker fee'],
  maker_fee_coin: ['string?', 'its coin'],
  taker_fee_coin: ['string?', 'its coin'],
  quick: ['boolean', 'whether it was a conversion'],
  maker_id: ['number?', 'maker'],
  taker_id: ['number?', 'taker'],
  maker_network_id: ['number', 'maker ID in the network'],
  taker_network_id: ['number', 'taker ID in the network'],
};

export const QUOTE: Fields = {
  spending_currency: ['string', 'coin to spend'],
  receiving_currency: ['string', 'coin to receive'],
  spending_amount: ['number', 'amount to spend'],
  receiving_amount: ['number', 'amount to receive'],
  type: ['string', 'quote type'],
  token: ['string', 'token for the execution'],
  expiry: ['time', 'when the token expires'],
};

export const STAKER: Fields = {
  id: ['number', 'identifier'],
  user_id: ['number', 'owner'],
  stake_id: ['number', 'pool'],
  amount: ['number', 'staked amount'],
  reward: ['number', 'earned so far'],
  slashed: ['number', 'deducted for an early end'],
  currency: ['string', 'coin'],
  reward_currency: ['string', 'reward coin'],
  status: [{ values: ['staking', 'unstaking', 'closed'] }, 'state'],
  closing: ['time?', 'end time; null without a duration'],
  unstaked_date: ['time?', 'time it was ended; null before that'],
  ...CREATED,
};

const STAKED: Shape = {
  list: { fields: { currency: ['string', 'coin'], total_amount: ['number', 'total'] } },
};

export const STAKE_ANALYTICS: Fields = {
  stakingAmount: [STAKED, 'staked by coin'],
  unstakingAmount: [STAKED, 'being returned, by coin'],
};

export const UDF_CONFIG: Fields = {
  supported_resolutions: [{ list: 'string' }, 'chart resolutions'],
  supports_group_request: ['boolean', 'whether groups are offered'],
  supports_marks: ['boolean', 'whether marks are offered'],
  supports_search: ['boolean', 'whether search is offered'],
  supports_timescale_marks: ['boolean', 'whether time scale marks are offered'],
};

export const UDF_SYMBOL: Fields = {
  name: ['string', 'market'],
  ticker: ['string', 'market'],
  exchange: ['string', 'name of the exchange'],
  session: ['string', 'trading hours'],
  regular_session: ['string', 'regular trading hours'],
  has_intraday: ['boolean', 'candles shorter than a day'],
  has_daily: ['boolean', 'daily candles'],
  has_weekly_and_monthly: ['boolean', 'longer candles'],
  has_empty_bars: ['boolean', 'candles without trades'],
  pricescale: ['number', 'price increments per unit'],
  volume_precision: ['number', 'volume decimals'],
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

export const MESSAGE: Fields = { message: ['string', 'text shown to users'] };
