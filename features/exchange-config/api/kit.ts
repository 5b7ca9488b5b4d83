// The kit: the operator's settings for the appearance and behavior of web clients. Public.

import type { Static } from 'typebox';
import { FreeObject, field, sample, Timestamp, Type } from '../../../protocol/wire/index.ts';

const FEATURE = Type.Object({ active: Type.Boolean() }, { additionalProperties: true });
const LIST = Type.Array(Type.Unknown());

const KitInfo = Type.Object({
  name: Type.String(),
  url: Type.String(),
  collateral_level: field(Type.String(), 'Kept for clients that expect it.', 'member'),
  type: Type.String(),
  plan: Type.String(),
  period: Type.String(),
  active: Type.Boolean(),
  is_trial: Type.Boolean(),
  status: Type.Boolean(),
  initialized: field(Type.Boolean(), 'Whether the exchange is set up.'),
  created_at: Timestamp,
  expiry: Timestamp,
  exchange_id: field(Type.Integer(), 'Always 1.', 1),
  user_id: field(Type.Integer(), 'The first administrator.', 1),
});

/** Open: an operator can add keys for clients. */
export const Kit = Type.Object(
  {
    api_name: field(Type.String(), 'The name of the exchange.', 'Rialto'),
    title: Type.String(),
    description: Type.String(),
    logo_image: field(
      Type.String(),
      'The address of the logo.',
      'https://exchange.example/logo.svg',
    ),
    native_currency: field(Type.String(), 'The currency used to show values.', 'usdt'),
    valid_languages: sample(
      Type.String({ description: 'Language codes, separated by commas.' }),
      'en,de',
    ),
    meta: FreeObject,
    color: FreeObject,
    icons: field(FreeObject, 'Images by name.'),
    links: field(FreeObject, 'URLs by name.'),
    strings: field(FreeObject, 'Texts that replace default texts in the apps.'),
    features: field(FreeObject, 'Features shown in the apps.'),
    user_meta: field(FreeObject, 'User fields defined by the operator.'),
    injected_html: field(FreeObject, 'Always empty: the exchange injects no code.'),
    injected_values: field(
      Type.Array(Type.Unknown()),
      'Always empty: the exchange injects no code.',
      [],
    ),
    captcha: field(Type.Object({ site_key: Type.String() }), 'The captcha shown in forms.'),
    defaults: field(
      Type.Object({
        theme: Type.String(),
        language: Type.String(),
        country: Type.String(),
      }),
      'Default language and theme.',
    ),
    interface: Type.Object({ type: Type.String() }),
    setup_completed: field(Type.Boolean(), 'Whether the operator has completed the setup.'),
    new_user_is_activated: field(Type.Boolean(), 'Whether new users can log in immediately.'),
    email_verification_required: field(
      Type.Boolean(),
      'Whether users must verify their email address.',
    ),
    info: field(KitInfo, 'About the exchange.'),
    selectable_native_currencies: field(LIST, 'Currencies available to show values.', ['usdt']),
    coin_customizations: field(
      FreeObject,
      'Names, logos and fees of coins that clients show instead of the defaults.',
    ),
    user_payments: field(FreeObject, 'Types of payment accounts and their fields.'),
    fiat_fees: field(FreeObject, 'Fees of fiat deposits and withdrawals, by currency.'),
    transaction_limits: field(
      FreeObject,
      'Limits that clients show in addition to the tier limits.',
    ),
    black_list_countries: field(LIST, 'Countries whose residents cannot sign up.', []),
    timezone: field(Type.String(), 'The time zone of the exchange.', 'UTC'),
    apps: field(LIST, 'Further apps that clients show.', []),
    onramp: field(FreeObject, 'Options to buy coins, by currency.'),
    offramp: field(FreeObject, 'Options to sell coins, by currency.'),
    auto_deposit: field(FreeObject, 'Kept for clients that expect it.'),
    auto_withdrawal: field(FreeObject, 'Kept for clients that expect it.'),
    dust: field(FreeObject, 'Kept for clients that expect it.'),
    play_money: field(
      FreeObject,
      'Demo exchanges: `amounts` that a user gets in 24 hours, by coin, and `account_id`, the ' +
        'user who pays them.',
    ),
    p2p_config: field(FreeObject, 'Peer-to-peer trading; not offered.'),
    auto_trade_config: field(FEATURE, 'Scheduled orders; not offered.'),
    balance_history_config: field(FEATURE, 'Balance history of users.'),
    chain_trade_config: field(FEATURE, 'Trades across several pairs; not offered.'),
    referral_history_config: field(FEATURE, 'Whether clients show the referral program.'),
    suspicious_login: field(FEATURE, 'Email confirmation of unusual logins.'),
    force_two_factor_authentication_withdrawal: field(
      FEATURE,
      'Whether withdrawals require a second factor.',
    ),
    google_oauth: field(
      Type.Object({
        client_id: field(Type.String(), 'The public client ID; empty if there is none.', ''),
      }),
      'Google sign-in; not offered.',
    ),
    cloudflare_turnstile: field(
      Type.Object({ site_key: Type.String() }),
      'The captcha shown in forms.',
    ),
  },
  { title: 'Kit' },
);
export type Kit = Static<typeof Kit>;
