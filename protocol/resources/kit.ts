// The kit: the operator's settings for the look and behaviour of web clients. Public.

import { type Static, Type } from 'typebox';
import { FreeObject, StringOrNull, Timestamp, TimestampOrNull } from '../wire-types.ts';

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
  expiry: TimestampOrNull,
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
    captcha: Type.Object({ site_key: StringOrNull }),
    defaults: Type.Object({ theme: Type.String(), language: Type.String() }),
    interface: Type.Object({ type: Type.String() }),
    setup_completed: Type.Boolean(),
    new_user_is_activated: Type.Boolean(),
    email_verification_required: Type.Boolean(),
    info: KitInfo,
  },
  { title: 'Kit' },
);
export type Kit = Static<typeof Kit>;
