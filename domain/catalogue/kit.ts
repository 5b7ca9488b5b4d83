// The kit: how clients look and behave, as the operator configures it. Missing values have
// defaults, so that clients always find the keys they read. It holds no secrets.

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
  captcha: { site_key: null },
  defaults: { theme: 'white', language: 'en' },
  interface: { type: 'full' },
  setup_completed: true,
  new_user_is_activated: true,
  email_verification_required: true,
  invitation_only: false,
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
    created_at: '1970-01-01T00:00:00.000Z',
    expiry: null,
  },
} as const satisfies Kit;

/** In these objects, defaults apply key by key. */
const MERGED = ['captcha', 'defaults', 'features', 'info', 'injected_html', 'interface'] as const;

export function kitWith(content: Kit): Kit {
  const merged = MERGED.map((key) => [key, { ...DEFAULT_KIT[key], ...objectOf(content[key]) }]);
  return { ...DEFAULT_KIT, ...content, ...Object.fromEntries(merged) };
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
