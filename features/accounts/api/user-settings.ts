// Settings that a user can change. Each group is replaced completely. The schema is closed: an
// unknown group or field is rejected.

import type { TProperties } from 'typebox';
import { field, sample, Type, textIn } from '../../../protocol/wire/index.ts';

const flags = <const Flags extends TProperties>(properties: Flags) =>
  Type.Object(properties, { additionalProperties: false });
const flag = (meaning: string, example = true) =>
  field(Type.Optional(Type.Boolean()), meaning, example);

const WATCHLIST_MAX = 500;
const ANTI_PHISHING_MAX = 40;

export const SettingsIn = Type.Object(
  {
    language: Type.Optional(textIn({ maxLength: 16 })),
    notification: field(
      Type.Optional(
        flags({
          popup_order_confirmation: flag('Confirm before placing an order.'),
          popup_order_completed: flag('Notify when an order is filled.'),
          popup_order_partially_filled: flag('Notify when an order is partly filled.'),
          popup_order_new: flag('Notify when an order is placed.'),
          popup_order_canceled: flag('Notify when an order is canceled.'),
        }),
      ),
      'Pop-up settings.',
    ),
    interface: Type.Optional(
      Type.Object(
        {
          order_book_levels: field(
            Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
            'Number of order book levels shown.',
            10,
          ),
          theme: Type.Optional(textIn({ maxLength: 64 })),
          display_currency: field(
            Type.Optional(textIn({ maxLength: 32 })),
            'The currency used to show values.',
            'usdt',
          ),
        },
        { additionalProperties: false },
      ),
    ),
    audio: field(
      Type.Optional(
        flags({
          all: flag('All sounds.'),
          order_completed: flag('When an order is filled.'),
          order_partially_completed: flag('When an order is partly filled.'),
          public_trade: flag('On each trade in the market.', false),
          order_placed: flag('When an order is placed.'),
          order_canceled: flag('When an order is canceled.'),
          click_amounts: flag('When you click an amount.'),
          get_quote_quick_trade: flag('When a quote arrives.'),
          quick_trade_success: flag('When a conversion is done.'),
          quick_trade_timeout: flag('When a quote expires.'),
        }),
      ),
      'Sound settings.',
    ),
    risk: field(
      Type.Optional(
        Type.Object(
          {
            order_portfolio_percentage: field(
              Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
              'Warn if an order uses at least this share of your balance, in percent.',
              90,
            ),
            popup_warning: field(Type.Optional(Type.Boolean()), 'Whether warnings are enabled.'),
          },
          { additionalProperties: false },
        ),
      ),
      'Warnings about large orders.',
    ),
    chat: field(
      Type.Optional(flags({ set_username: flag('Whether you have chosen your username.', false) })),
      'Chat settings.',
    ),
    mail: field(
      Type.Optional(
        Type.Object(
          {
            anti_phishing: sample(
              Type.Optional(
                textIn({
                  maxLength: ANTI_PHISHING_MAX,
                  description: 'A word shown in every email to you. Empty for none.',
                }),
              ),
              'lovelace',
            ),
          },
          { additionalProperties: false },
        ),
      ),
      'Email settings.',
    ),
    watchlist: field(
      Type.Optional(Type.Array(textIn({ maxLength: 64 }), { maxItems: WATCHLIST_MAX })),
      'Markets on your watchlist.',
      ['btc-usdt'],
    ),
  },
  { title: 'SettingsIn', additionalProperties: false },
);
