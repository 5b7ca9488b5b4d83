// A user's settings: the defaults, overridden by the groups that the user has changed. Only changed
// groups are stored.

import type { PersonalFields } from './personal-data.ts';

export const DEFAULT_SETTINGS: PersonalFields = {
  notification: {
    popup_order_confirmation: true,
    popup_order_completed: true,
    popup_order_partially_filled: true,
    popup_order_new: true,
    popup_order_canceled: true,
  },
  interface: { order_book_levels: 10, theme: 'white', display_currency: 'usdt' },
  language: 'en',
  audio: {
    all: true,
    order_completed: true,
    order_partially_completed: true,
    public_trade: false,
    order_placed: true,
    order_canceled: true,
    click_amounts: true,
    get_quote_quick_trade: true,
    quick_trade_success: true,
    quick_trade_timeout: true,
  },
  risk: { order_portfolio_percentage: 90, popup_warning: true },
  chat: { set_username: false },
  watchlist: [],
};

export function settingsOf(changed: PersonalFields): PersonalFields {
  return { ...DEFAULT_SETTINGS, ...changed };
}
