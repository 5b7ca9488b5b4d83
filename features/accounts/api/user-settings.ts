// The settings that a user may change. Each group is replaced as a whole. The schema is closed: an
// unknown group or field is refused.

import { Type } from 'typebox';
import { textIn } from '../../../protocol/wire/index.ts';

const flags = (...names: readonly string[]) =>
  Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Boolean())])), {
    additionalProperties: false,
  });

const WATCHLIST_MAX = 500;
const ANTI_PHISHING_MAX = 40;

export const SettingsIn = Type.Object(
  {
    language: Type.Optional(textIn({ maxLength: 16 })),
    notification: Type.Optional(
      flags(
        'popup_order_confirmation',
        'popup_order_completed',
        'popup_order_partially_filled',
        'popup_order_new',
        'popup_order_canceled',
      ),
    ),
    interface: Type.Optional(
      Type.Object(
        {
          order_book_levels: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
          theme: Type.Optional(textIn({ maxLength: 64 })),
          display_currency: Type.Optional(textIn({ maxLength: 32 })),
        },
        { additionalProperties: false },
      ),
    ),
    audio: Type.Optional(
      flags(
        'all',
        'order_completed',
        'order_partially_completed',
        'public_trade',
        'order_placed',
        'order_canceled',
        'click_amounts',
        'get_quote_quick_trade',
        'quick_trade_success',
        'quick_trade_timeout',
      ),
    ),
    risk: Type.Optional(
      Type.Object(
        {
          order_portfolio_percentage: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
          popup_warning: Type.Optional(Type.Boolean()),
        },
        { additionalProperties: false },
      ),
    ),
    chat: Type.Optional(flags('set_username')),
    mail: Type.Optional(
      Type.Object(
        {
          anti_phishing: Type.Optional(
            textIn({
              maxLength: ANTI_PHISHING_MAX,
              description: 'A word that every mail to you shows. Empty for none.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    watchlist: Type.Optional(Type.Array(textIn({ maxLength: 64 }), { maxItems: WATCHLIST_MAX })),
  },
  { title: 'SettingsIn', additionalProperties: false },
);
