// Descriptions of the exchange: health, status, coins and pairs, the kit and the tiers. Public.

import type { Static } from 'typebox';
import {
  defineRoute,
  field,
  mapOf,
  NO_QUERY,
  Type,
  WEIGHT_LIGHT,
} from '../../../protocol/wire/index.ts';
import { Kit } from '../../exchange-config/api/index.ts';
import { ExchangeStatus } from '../../kill-switches/api/index.ts';
import { Constants } from './constants.ts';
import { Tier } from './listing-routes.ts';

/** Name, version, and whether orders are accepted. Public. */
export const Health = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    host: Type.String(),
    domain: Type.String(),
    basePath: field(Type.String(), 'The prefix of every path.', '/v2'),
    status: Type.Boolean({ description: 'Whether the exchange accepts orders.' }),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;

const open = { permission: { who: 'anyone' }, effect: 'read', status: 200, method: 'GET' } as const;

export const exchangeRoutes = {
  getHealth: defineRoute({
    ...open,
    path: '/v2/health',
    worksStopped: true,
    summary: 'The version of the exchange, and whether it accepts orders',
    description: 'Does not use the database. `status` is false while no leader accepts commands.',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Health,
    example: {
      response: {
        name: 'Rialto',
        version: '0.1.0',
        host: 'localhost',
        domain: 'localhost',
        basePath: '/v2',
        status: true,
      },
    },
  }),
  getStatus: defineRoute({
    ...open,
    path: '/v2/status',
    summary: 'Banners and current stops',
    description:
      'Poll it, or read it when orders are rejected: it lists stopped markets, coins and logins, ' +
      'and since when they are stopped.',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: ExchangeStatus,
    isRialtoOnly: true,
  }),
  getConstants: defineRoute({
    ...open,
    path: '/v2/constants',
    summary: 'All coins and pairs with their limits',
    description:
      'Read it once at startup: it has the increments and limits that sizes, prices and amounts ' +
      'must follow. Markets that no longer trade are listed too, with their status.',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Constants,
  }),
  getKit: defineRoute({
    ...open,
    path: '/v2/kit',
    summary: 'Theme and settings of this exchange',
    description:
      'Names, colors, texts and links of this exchange, for apps. Nothing in it affects ' +
      'trading.',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: Kit,
  }),
  getTiers: defineRoute({
    ...open,
    path: '/v2/tiers',
    summary: 'The user tiers with their fees in percent',
    description:
      'Fees by market and limits for deposits and withdrawals, per tier. ' +
      '`verification_level` in your profile is your tier.',
    tag: 'exchange',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    response: mapOf(Tier),
  }),
} as const;
