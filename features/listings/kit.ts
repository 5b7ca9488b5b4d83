// The kit: appearance and behavior of clients, as configured by the operator. Missing values have
// defaults, so clients always find the keys they read, and features that an exchange does not have
// are off. Must never contain secrets.

import type { Statements } from '../../infra/postgres/index.ts';
import type { Kit } from './catalogue-entries.ts';

const LANGUAGES = 'en,de,es,fa,fr,id,it,ja,ko,mn,nl,pt,ru,tr,ur,vi,zh';

const DEFAULT_KIT = {
  api_name: 'Rialto',
  title: 'Rialto',
  description: '',
  logo_image: '',
  native_currency: 'usdt',
  valid_languages: LANGUAGES,
  meta: {},
  color: {},
  icons: {},
  links: {},
  strings: {},
  features: { quick_trade: true },
  user_meta: {},
  injected_html: { head: '', body: '' },
  injected_values: [],
  captcha: { site_key: '' },
  defaults: { theme: 'white', language: 'en', country: '' },
  interface: { type: 'full' },
  setup_completed: true,
  new_user_is_activated: true,
  email_verification_required: true,
  invitation_only: false,
  selectable_native_currencies: [],
  coin_customizations: {},
  user_payments: {},
  fiat_fees: {},
  transaction_limits: {},
  black_list_countries: [],
  timezone: 'UTC',
  apps: [],
  onramp: {},
  offramp: {},
  auto_deposit: {},
  auto_withdrawal: {},
  dust: {},
  play_money: {},
  p2p_config: { enable: false },
  auto_trade_config: { active: false },
  balance_history_config: { active: true },
  chain_trade_config: { active: false },
  referral_history_config: { active: false },
  suspicious_login: { active: true },
  force_two_factor_authentication_withdrawal: { active: true },
  google_oauth: { client_id: '' },
  cloudflare_turnstile: { site_key: '' },
  info: {
    name: 'Rialto',
    url: '',
    collateral_level: 'member',
    type: 'DIY',
    plan: 'crypto',
    period: 'year',
    active: true,
    is_trial: false,
    status: true,
    initialized: true,
    exchange_id: 1,
    user_id: 1,
    // Far ahead: a self-hosted exchange does not expire.
    expiry: '9999-12-31T23:59:59.999Z',
  },
} as const satisfies Kit;

/** In these objects, defaults apply key by key. */
const MERGED = [
  'auto_trade_config',
  'balance_history_config',
  'captcha',
  'chain_trade_config',
  'cloudflare_turnstile',
  'defaults',
  'features',
  'force_two_factor_authentication_withdrawal',
  'google_oauth',
  'info',
  'injected_html',
  'interface',
  'referral_history_config',
  'suspicious_login',
] as const;

export function kitWith(content: Kit, createdAtMs: number): Kit {
  const merged = MERGED.map((key) => [key, { ...DEFAULT_KIT[key], ...objectOf(content[key]) }]);
  const kit: Kit = { ...DEFAULT_KIT, ...content, ...Object.fromEntries(merged) };
  return {
    ...kit,
    info: { created_at: new Date(createdAtMs).toISOString(), ...objectOf(kit.info) },
  };
}

function objectOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

/** Replaces these keys; others stay. */
export async function describeKit(statements: Statements, content: Kit): Promise<void> {
  await statements.query(
    `insert into kit (content) values ($1)
     on conflict (is_only) do update set content = kit.content || $1, updated_at = now()`,
    [content],
  );
}
