// Kill switches: what is stopped, what a stop would touch, banners, and the status for everybody.

import { type Static, Type } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  Decimal,
  oneOf,
  StringOrNull,
  Timestamp,
  TimestampOrNull,
} from '../../../protocol/wire/index.ts';

export const SWITCH_NAMES = [
  'trading',
  'deposits',
  'withdrawals',
  'writes',
  'logins',
  'accounts',
  'intake',
] as const;

export const SWITCH_SERVICES = [
  'gateway-http',
  'gateway-websocket',
  'outbox-dispatcher',
  'notifier',
] as const;

export const STOP_MODES = ['post-only', 'cancel-only', 'paused'] as const;
export const BANNER_KINDS = ['info', 'warning', 'incident'] as const;

export const SwitchState = Type.Object(
  {
    name: oneOf(SWITCH_NAMES),
    stopped: Type.Array(
      Type.Object({
        object: Type.String({
          description:
            'A market, coin or service, `tier 2`, `group 7`, `user 17`; empty for the exchange.',
        }),
        mode: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          description: 'The status of a market while it is stopped.',
        }),
        resumes_to: StringOrNull,
        stopped_by: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'The operator; null if the reconciliation stopped it.',
        }),
        stopped_at: Timestamp,
        reason: Type.String(),
        banner: Type.String({ description: 'A text for users; empty for none.' }),
      }),
    ),
  },
  { title: 'SwitchState' },
);
export type SwitchState = Static<typeof SwitchState>;

export const SwitchImpact = Type.Object(
  {
    orders: Type.Integer({ description: 'Open orders.' }),
    users: Type.Integer(),
    waiting: Type.Integer({ description: 'Requests, commands or mails that are in progress.' }),
    money: Type.Array(Type.Object({ currency: Type.String(), amount: Decimal })),
    value: Decimal,
    value_currency: Type.String({ description: 'The currency of the thresholds.' }),
    unpriced: Type.Array(Type.String(), {
      description: 'Currencies without a price: they are not in `value`.',
    }),
    precision: oneOf(
      ['exact', 'at_most', 'without_money'],
      '`at_most`: filled parts of orders count too. `without_money`: too many accounts to sum up.',
    ),
  },
  { title: 'SwitchImpact' },
);
export type SwitchImpact = Static<typeof SwitchImpact>;

export const Banner = Type.Object(
  { kind: oneOf(BANNER_KINDS), text: Type.String(), since: Timestamp },
  { title: 'Banner' },
);
export type Banner = Static<typeof Banner>;

export const ExchangeStatus = Type.Object(
  {
    banners: Type.Array(Banner),
    read_only: Type.Boolean({ description: 'Orders can be cancelled, and nothing else changed.' }),
    read_only_since: TimestampOrNull,
    logins_closed: Type.Boolean(),
    logins_closed_since: TimestampOrNull,
    markets: Type.Array(
      Type.Object({ symbol: Type.String(), status: oneOf(MARKET_STATUSES), since: Timestamp }),
      { description: 'Markets that do not trade fully.' },
    ),
    coins: Type.Array(
      Type.Object({
        currency: Type.String(),
        deposits: Type.Boolean(),
        withdrawals: Type.Boolean(),
        since: TimestampOrNull,
      }),
      { description: 'Coins that cannot be deposited or withdrawn at present.' },
    ),
  },
  { title: 'ExchangeStatus' },
);
export type ExchangeStatus = Static<typeof ExchangeStatus>;
