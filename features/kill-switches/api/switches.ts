// Kill switches: current stops, the impact of a stop, banners, and the public status.

import type { Static } from 'typebox';
import { MARKET_STATUSES } from '../../../core/messages/index.ts';
import {
  Decimal,
  field,
  oneOf,
  StringOrNull,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
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
export type SwitchName = (typeof SWITCH_NAMES)[number];

/** Processes with an intake that operators can stop. */
export const SWITCH_SERVICES = [
  'gateway-http',
  'gateway-websocket',
  'outbox-dispatcher',
  'notifier',
  'chain-watcher',
] as const;
export type SwitchService = (typeof SWITCH_SERVICES)[number];

/** Statuses of a stopped market, from soft to strict. */
export const STOP_MODES = ['post-only', 'cancel-only', 'paused'] as const;
export type StopMode = (typeof STOP_MODES)[number];

export const BANNER_KINDS = ['info', 'warning', 'incident'] as const;
export type BannerKind = (typeof BANNER_KINDS)[number];

export const SwitchState = Type.Object(
  {
    name: oneOf(SWITCH_NAMES),
    stopped: field(
      Type.Array(
        Type.Object({
          object: Type.String({
            description:
              'A market, coin or service, `tier 2`, `group 7` or `user 17`; empty for the ' +
              'exchange.',
          }),
          mode: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The status of a market while it is stopped.',
          }),
          resumes_to: field(
            StringOrNull,
            'The status after the market resumes; null if none.',
            'full',
          ),
          stopped_by: sample(
            Type.Unsafe<number | null>({
              type: ['integer', 'null'],
              description: 'The operator; null if reconciliation stopped it.',
            }),
            2,
          ),
          stopped_at: field(Timestamp, 'When it was stopped.'),
          reason: Type.String(),
          banner: Type.String({ description: 'Message for users; empty for none.' }),
        }),
      ),
      'The stopped parts.',
    ),
  },
  { title: 'SwitchState' },
);
export type SwitchState = Static<typeof SwitchState>;

export const SwitchImpact = Type.Object(
  {
    orders: Type.Integer({ description: 'Open orders.' }),
    users: Type.Integer(),
    waiting: Type.Integer({ description: 'Requests, commands or emails in progress.' }),
    money: field(
      Type.Array(Type.Object({ currency: Type.String(), amount: Decimal })),
      'Amounts by coin.',
    ),
    value: Decimal,
    value_currency: sample(Type.String({ description: 'The currency of the thresholds.' }), 'usdt'),
    unpriced: sample(
      Type.Array(Type.String(), {
        description: 'Currencies without a price, which are not included in `value`.',
      }),
      [],
    ),
    precision: oneOf(
      ['exact', 'at_most', 'without_money'],
      '`at_most`: includes filled parts of orders. `without_money`: too many accounts for totals.',
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
    banners: field(Type.Array(Banner), 'Public messages from the operator.'),
    read_only: Type.Boolean({
      description: 'Orders can be canceled, but nothing else can be changed.',
    }),
    read_only_since: field(
      TimestampOrNull,
      'When changes were stopped; null if they are possible.',
      null,
    ),
    logins_closed: field(Type.Boolean(), 'Whether logins are stopped.', false),
    logins_closed_since: field(
      TimestampOrNull,
      'When logins were stopped; null if they are possible.',
      null,
    ),
    markets: Type.Array(
      Type.Object({ symbol: Type.String(), status: oneOf(MARKET_STATUSES), since: Timestamp }),
      { description: 'Markets that are not fully trading.' },
    ),
    coins: Type.Array(
      Type.Object({
        currency: Type.String(),
        deposits: Type.Boolean(),
        withdrawals: field(Type.Boolean(), 'Whether withdrawals are stopped.'),
        since: TimestampOrNull,
      }),
      { description: 'Coins that currently cannot be deposited or withdrawn.' },
    ),
  },
  { title: 'ExchangeStatus' },
);
export type ExchangeStatus = Static<typeof ExchangeStatus>;
