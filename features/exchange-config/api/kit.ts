// The kit: the operator's settings for the look and behaviour of web clients. Public.

import { type Static, Type } from 'typebox';
import { FreeObject, Timestamp } from '../../../protocol/wire/index.ts';

const FEATURE = Type.Object({ active: Type.Boolean() }, { additionalProperties: true });
const LIST = Type.Array(Type.Unknown());

const KitInfo = Type.Object({
  name: Type.String(),
  url: Type.String(),
  collateral_level: Type.String(),
  type: Type.String(),
  plan: Type.String(),
  period: Type.String(),
  active: Type.Boolean(),
  is_trial: Type.Boolean(),
  status: Type.Boolean(),
  initialized: Type.Boolean(),
  created_at: Timestamp,
  expiry: Timestamp,
  exchange_id: Type.Integer(),
  user_id: Type.Integer(),
});

/** Open: an operator may add keys for clients. */
export const Kit = Type.Object(
  {
    api_name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    logo_image: Type.String(),
    native_currency: Type.String(),
    valid_languages: Type.String({ description: 'Language codes, separated by commas.' }),
    meta: FreeObject,
    color: FreeObject,
    icons: FreeObject,
    links: FreeObject,
    strings: FreeObject,
    features: FreeObject,
    user_meta: FreeObject,
    injected_html: FreeObject,
    injected_values: Type.Array(Type.Unknown()),
    captcha: Type.Object({ site_key: Type.String() }),
    defaults: Type.Object({
      theme: Type.String(),
      language: Type.String(),
      country: Type.String(),
    }),
    interface: Type.Object({ type: Type.String() }),
    setup_completed: Type.Boolean(),
    new_user_is_activated: Type.Boolean(),
    email_verification_required: Type.Boolean(),
    info: KitInfo,
    selectable_native_currencies: LIST,
    coin_customizations: FreeObject,
    user_payments: FreeObject,
    fiat_fees: FreeObject,
    transaction_limits: FreeObject,
    black_list_countries: LIST,
    timezone: Type.String(),
    apps: LIST,
    onramp: FreeObject,
    offramp: FreeObject,
    auto_deposit: FreeObject,
    auto_withdrawal: FreeObject,
    dust: FreeObject,
    p2p_config: FreeObject,
    auto_trade_config: FEATURE,
    balance_history_config: FEATURE,
    chain_trade_config: FEATURE,
    referral_history_config: FEATURE,
    suspicious_login: FEATURE,
    force_two_factor_authentication_withdrawal: FEATURE,
    google_oauth: Type.Object({ client_id: Type.String() }),
    cloudflare_turnstile: Type.Object({ site_key: Type.String() }),
  },
  { title: 'Kit' },
);
export type Kit = Static<typeof Kit>;
