// Keys of the kit that operators write: the form of each known key, and the keys that have a
// separate call. Other keys are for clients and can contain anything. Pure.

import { Refused } from '../../protocol/wire/index.ts';

type Form = 'text' | 'boolean' | 'object' | 'list' | 'texts';

/** An unlisted key is the operator's own, for clients. */
const FORMS: Readonly<Record<string, Form>> = {
  api_name: 'text',
  title: 'text',
  description: 'text',
  logo_image: 'text',
  native_currency: 'text',
  valid_languages: 'text',
  timezone: 'text',
  meta: 'object',
  color: 'object',
  icons: 'object',
  links: 'object',
  strings: 'object',
  features: 'object',
  captcha: 'object',
  defaults: 'object',
  interface: 'object',
  info: 'object',
  injected_html: 'object',
  injected_values: 'list',
  user_payments: 'object',
  coin_customizations: 'object',
  onramp: 'object',
  offramp: 'object',
  dust: 'object',
  play_money: 'object',
  suspicious_login: 'object',
  selectable_native_currencies: 'list',
  black_list_countries: 'texts',
  new_user_is_activated: 'boolean',
  email_verification_required: 'boolean',
  invitation_only: 'boolean',
};

/** Each is changed by a separate call or command. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  user_meta: 'POST /admin/kit/user-meta',
  setup_completed: 'GET /admin/complete-setup',
  referral_history_config: 'PUT /admin/referral',
};

/** Client pages execute these, so they need approval from another operator. */
const RUN_BY_CLIENTS = ['injected_html', 'injected_values'];

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const TEXT_CHARACTERS_MAX = 10_000;
const LISTED_MAX = 1_000;

/** Returns undefined if the value can be written. Null removes the operator's value. */
export function refuseKitValue(name: string, value: unknown) {
  if (!NAME.test(name)) return new Refused('kit_key_invalid', { name: name.slice(0, 64) });
  if (Object.hasOwn(ELSEWHERE, name)) {
    return new Refused('kit_key_elsewhere', { name, call: ELSEWHERE[name] });
  }
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
  if (value === null || form === undefined || hasForm(value, form)) return undefined;
  return new Refused('kit_value_invalid', { name, form });
}

export function isRunByClients(name: string): boolean {
  return RUN_BY_CLIENTS.includes(name);
}

function hasForm(value: unknown, form: Form): boolean {
  switch (form) {
    case 'text':
      return typeof value === 'string' && value.length <= TEXT_CHARACTERS_MAX;
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'list':
      return Array.isArray(value) && value.length <= LISTED_MAX;
    case 'texts':
      return (
        Array.isArray(value) &&
        value.length <= LISTED_MAX &&
        value.every((one) => typeof one === 'string')
      );
  }
}
