// Setup and control of an exchange: first administrator, control mode, thresholds, key grants.

import type { Static } from 'typebox';
import {
  act,
  Decimal,
  DecimalIn,
  DecimalOrNull,
  DecimalOrNullIn,
  defineRoute,
  field,
  Message,
  NO_QUERY,
  oneOf,
  person,
  sample,
  Timestamp,
  TimestampOrNull,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

const tag = 'operator';

const MODES = ['solo', 'team'] as const;

const Control = Type.Object(
  {
    mode: oneOf(
      MODES,
      '`solo`: administrators act alone. `team`: high-risk actions need other operators.',
    ),
    administrators: sample(
      Type.Integer({ description: 'Administrators with a second factor.' }),
      2,
    ),
    one_approval_from: Decimal,
    two_approvals_from: Decimal,
    notify_from: field(
      Decimal,
      'Administrators get an email about each movement of this value or more.',
      10000,
    ),
    currency: Type.String({
      description: 'Currency of all thresholds, including the withdrawal policy.',
    }),
    solo_from: field(
      TimestampOrNull,
      'When team mode ends; null unless operators approved the change. Until then, a PUT with ' +
        '`team` cancels it.',
      null,
    ),
    chosen_at: field(
      TimestampOrNull,
      'When an administrator chose the mode; null on a new exchange, which is in solo mode.',
      null,
    ),
  },
  { title: 'Control' },
);
export type Control = Static<typeof Control>;

const KeyGrants = Type.Object(
  {
    count: Type.Integer(),
    data: Type.Array(
      Type.Object(
        {
          key_id: field(Type.Integer(), 'The ID of the API key.', 12),
          key_name: field(Type.String(), 'The name set by its owner.', 'payout bot'),
          user_id: field(Type.Integer(), 'The operator who owns the key.', 17),
          daily_limit: field(
            DecimalOrNull,
            'Per 24 hours, in the currency of the thresholds; null if none.',
            5000,
          ),
          may_read_personal: field(
            Type.Boolean(),
            'Whether the key reads personal data in clear text in team mode.',
            false,
          ),
          granted_by: field(Type.Integer(), 'The operator who requested the grant.', 17),
          granted_at: field(Timestamp, 'When the grant took effect.', '2026-11-18T09:30:00.000Z'),
        },
        { title: 'KeyGrant' },
      ),
    ),
  },
  { title: 'KeyGrants' },
);

export const setUpRoutes = {
  signUpAdministrator: defineRoute({
    method: 'POST',
    path: '/v2/admin/signup',
    summary: 'Create the first administrator with the token that a server printed at startup',
    description: 'Works once, before an administrator exists. Wrong tokens are counted.',
    tag,
    permission: { who: 'anyone' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    // It creates the first administrator.
    module: 'admin',
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        password: Type.String({
          maxLength: 256,
          description: '15 to 128 characters; common passwords are rejected.',
        }),
        token: Type.String({ minLength: 1, maxLength: 128, description: 'Valid once.' }),
      },
      { title: 'FirstAdministratorIn', additionalProperties: false },
    ),
    status: 201,
    response: Message,
  }),
  completeSetup: defineRoute({
    method: 'GET',
    path: '/v2/admin/complete-setup',
    summary: 'Mark the setup as completed in the kit',
    description: 'Sets `setup_completed` in the kit.',
    tag,
    permission: person,
    roles: [],
    effect: 'write',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: Message,
  }),
  getControl: defineRoute({
    method: 'GET',
    path: '/v2/admin/control',
    summary: 'The control mode and the approval thresholds',
    description: 'Approvals are required from these values.',
    tag,
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'manager', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: Control,
    isRialtoOnly: true,
  }),
  changeControlMode: defineRoute({
    method: 'PUT',
    path: '/v2/admin/control/mode',
    summary: 'Change the control mode',
    description:
      'To `team`: immediately, with at least two administrators who have second factors. To ' +
      '`solo`: another operator approves it, and it takes effect 24 hours later. On a new ' +
      'exchange, `solo` records the choice.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      { mode: oneOf(MODES) },
      { title: 'ControlModeIn', additionalProperties: false },
    ),
    response: Control,
    mayWait: true,
    isRialtoOnly: true,
  }),
  changeThresholds: defineRoute({
    method: 'PUT',
    path: '/v2/admin/control/thresholds',
    summary: 'Change the amounts from which money actions need approval, or their currency',
    description:
      'In team mode, two operators approve it. The values are in the currency that you name.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        one_approval_from: DecimalIn,
        two_approvals_from: DecimalIn,
        notify_from: Type.Optional(
          field(DecimalIn, 'Administrators get an email from this value.', 10000),
        ),
        currency: Type.Optional(
          Type.String({
            pattern: '^[a-z0-9]{1,15}$',
            description:
              'A coin. It is also the currency of the withdrawal policy and of the role ' +
              'ceilings: change them to match. Daily limits of keys are converted.',
          }),
        ),
      },
      { title: 'ThresholdsIn', additionalProperties: false },
    ),
    response: Control,
    mayWait: true,
    isRialtoOnly: true,
  }),
  getKeyGrants: defineRoute({
    method: 'GET',
    path: '/v2/admin/key-grants',
    summary: "List grants to operators' API keys",
    description: 'Only keys with a grant.',
    tag,
    permission: { who: 'operator', scope: 'can_read', sessions: true },
    roles: ['supervisor', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    status: 200,
    response: KeyGrants,
    isRialtoOnly: true,
  }),
  changeKeyGrant: defineRoute({
    method: 'PUT',
    path: '/v2/admin/key-grants',
    summary: "Grant an operator's API key a daily limit or access to personal data",
    description:
      'In team mode, another operator approves an increase; money actions of the key within ' +
      'the limit then need no approval. In solo mode, the key moves at most the limit. Null and ' +
      'false remove the grant.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        key_id: field(Type.Integer({ minimum: 1 }), 'The ID of the API key.', 12),
        daily_limit: field(
          DecimalOrNullIn,
          'Per 24 hours, in the currency of the thresholds.',
          5000,
        ),
        may_read_personal: Type.Boolean({
          description: 'Whether the key reads personal data in clear text in team mode.',
        }),
      },
      { title: 'KeyGrantIn', additionalProperties: false },
    ),
    response: KeyGrants,
    mayWait: true,
    isRialtoOnly: true,
  }),
} as const;
