// Kill switches and banners. Stopping needs no approval; resuming needs approval from other
// operators.

import {
  act,
  defineRoute,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  person,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import {
  BANNER_KINDS,
  STOP_MODES,
  SWITCH_NAMES,
  SWITCH_SERVICES,
  SwitchImpact,
  SwitchState,
} from './switches.ts';

const stops = { who: 'operator', scope: 'can_trade', sessions: true } as const;

const USERS_MAX = 1_000;
const idIn = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
const reason = Type.Optional(
  textIn({ maxLength: 500, description: 'Required, except for markets and coins.' }),
);
const banner = Type.Optional(textIn({ maxLength: 500, description: 'Publicly visible.' }));

const target = {
  name: oneOf(SWITCH_NAMES),
  symbol: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A pair for `trading`, a coin for deposits and withdrawals; all by default.',
    }),
  ),
  service: Type.Optional(oneOf(SWITCH_SERVICES, 'For `intake`.')),
  group: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'For `accounts`: the group, whose users never trade with each other.',
    }),
  ),
  tier: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 63,
      description: 'For `accounts`: all users of this tier.',
    }),
  ),
  mode: Type.Optional(oneOf(STOP_MODES, 'For markets; `cancel-only` by default.')),
};
const usersIn = Type.Array(idIn, {
  minItems: 1,
  maxItems: USERS_MAX,
  description: 'For `accounts`: these users.',
});

const closed = { additionalProperties: false } as const;

export const switchRoutes = {
  getSwitches: defineRoute({
    method: 'GET',
    path: '/v2/admin/switches',
    summary: 'All active kill switches',
    description: 'Includes the operator, time and reason of each stop.',
    tag: 'operator',
    permission: person,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(SwitchState),
    isRialtoOnly: true,
  }),
  getSwitchImpact: defineRoute({
    method: 'GET',
    path: '/v2/admin/switches/impact',
    summary: 'The orders, users and money that a switch would affect',
    description: 'Read this before you stop anything. It changes nothing.',
    tag: 'operator',
    permission: person,
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIST,
    query: Type.Object(target),
    status: 200,
    response: SwitchImpact,
    isRialtoOnly: true,
  }),
  stopSwitch: defineRoute({
    method: 'POST',
    path: '/v2/admin/switches/stop',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Stop a part of the exchange immediately',
    description: 'Takes effect on every gateway within a second. Orders can still be canceled.',
    tag: 'operator',
    permission: stops,
    roles: ['supervisor', 'manager'],
    effect: 'cancel',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      { ...target, users: Type.Optional(usersIn), reason, banner },
      { title: 'SwitchStopIn', ...closed },
    ),
    status: 200,
    response: Type.Array(SwitchState),
    isRialtoOnly: true,
  }),
  resumeSwitch: defineRoute({
    method: 'POST',
    path: '/v2/admin/switches/resume',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Resume what a kill switch stopped, or relax a market stop',
    description: 'Names the part to resume; the reason is recorded in the audit log.',
    ...act,
    permission: person,
    roles: ['supervisor'],
    body: Type.Object(
      { ...target, users: Type.Optional(usersIn) },
      { title: 'SwitchResumeIn', ...closed },
    ),
    response: Type.Array(SwitchState),
    mayWait: true,
    isRialtoOnly: true,
  }),
  setBanner: defineRoute({
    method: 'PUT',
    path: '/v2/admin/banner',
    summary: 'Set the public banner',
    description: 'Publicly visible in `/v2/status`.',
    ...act,
    permission: person,
    roles: ['supervisor', 'manager', 'communicator'],
    body: Type.Object(
      { kind: oneOf(BANNER_KINDS), text: textIn({ minLength: 1, maxLength: 500 }) },
      { title: 'BannerIn', ...closed },
    ),
    response: Type.Object(
      { kind: oneOf(BANNER_KINDS), text: Type.String() },
      { title: 'BannerSet' },
    ),
    isRialtoOnly: true,
  }),
  removeBanner: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/banner',
    summary: 'Remove the banner',
    description: 'The banner of a stop is shown until the stop ends.',
    ...act,
    permission: person,
    roles: ['supervisor', 'manager', 'communicator'],
    response: Type.Object({ message: Type.String() }),
    isRialtoOnly: true,
  }),
} as const;
