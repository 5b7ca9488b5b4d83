// The kit as operators write it, and the fields of users' meta.

import {
  act,
  CurrencyIn,
  DecimalIn,
  defineRoute,
  FreeObject,
  field,
  mapOf,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  person,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_LIGHT,
} from '../../../protocol/wire/index.ts';
import { Kit } from './kit.ts';

const tag = 'operator';

const OperatorKit = Type.Object(
  {
    kit: Kit,
    secrets: Type.Object({}, { description: 'Always empty: servers have their own secrets.' }),
  },
  { title: 'OperatorKit' },
);

const MetaNameIn = Type.String({ minLength: 1, maxLength: 64 });
const MetaTypeIn = oneOf(['string', 'number', 'boolean', 'date-time']);
const DescriptionIn = textIn({ maxLength: 500 });

const UserMeta = mapOf(
  Type.Object(
    {
      type: Type.String(),
      required: Type.Boolean(),
      description: Type.String(),
    },
    { title: 'UserMetaField' },
  ),
);

export const kitRoutes = {
  getOperatorKit: defineRoute({
    method: 'GET',
    path: '/v2/admin/kit',
    summary: 'The kit',
    description: 'Includes the keys visible only to operators.',
    tag,
    permission: person,
    roles: ['supervisor', 'manager', 'support', 'kyc', 'communicator', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: OperatorKit,
  }),
  changeKit: defineRoute({
    method: 'PUT',
    path: '/v2/admin/kit',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Replace kit keys; null restores the default',
    description: 'Only keys that your role can change.',
    ...act,
    permission: person,
    roles: ['communicator'],
    body: Type.Object(
      {
        kit: Type.Optional(FreeObject),
        secrets: Type.Optional(
          Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            description: 'Rejected unless empty: servers read secrets from their environment.',
          }),
        ),
      },
      { title: 'KitIn', additionalProperties: false },
    ),
    response: OperatorKit,
    mayWait: true,
  }),
  setReferralProgram: defineRoute({
    method: 'PUT',
    path: '/v2/admin/referral',
    summary: 'Start, change or stop the referral program; another operator approves a start',
    description: 'The kit shows the program. Omitted fields keep their values.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        active: Type.Boolean({ description: 'Whether the program runs.' }),
        currency: field(Type.Optional(CurrencyIn), 'The currency of the payouts.', 'usdt'),
        earning_rate: field(
          Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
          "Maximum sum of a code's discount and earning rate, in percent of fees.",
          20,
        ),
        minimum_amount: field(Type.Optional(DecimalIn), 'The minimum payout.', 1),
        earning_period: field(
          Type.Optional(Type.Integer({ minimum: 0, maximum: 1_200 })),
          'Months for which the fees of a referred user count; 0 for no limit.',
          0,
        ),
        distributor_id: Type.Optional(field(UserIdIn, 'The account that pays the rewards.', 2)),
      },
      { title: 'ReferralProgramIn', additionalProperties: false },
    ),
    response: OperatorKit,
    mayWait: true,
    isRialtoOnly: true,
  }),
  createUserMeta: defineRoute({
    method: 'POST',
    path: '/v2/admin/kit/user-meta',
    summary: 'Add a user meta field',
    description: 'After that, values of users must have its type.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        name: field(MetaNameIn, 'The field name.', 'tax_number'),
        type: MetaTypeIn,
        required: Type.Boolean(),
        description: DescriptionIn,
      },
      { title: 'UserMetaIn', additionalProperties: false },
    ),
    response: UserMeta,
  }),
  changeUserMeta: defineRoute({
    method: 'PUT',
    path: '/v2/admin/kit/user-meta',
    summary: 'Change a user meta field',
    description: 'Values are checked against it when they change.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        name: MetaNameIn,
        type: Type.Optional(MetaTypeIn),
        required: Type.Optional(Type.Boolean()),
        description: Type.Optional(DescriptionIn),
      },
      { title: 'UserMetaChangeIn', additionalProperties: false },
    ),
    response: UserMeta,
  }),
  removeUserMeta: defineRoute({
    method: 'DELETE',
    path: '/v2/admin/kit/user-meta',
    summary: 'Remove a user meta field',
    description: 'After that, values can no longer be set for the field.',
    ...act,
    permission: person,
    roles: [],
    query: Type.Object({ name: MetaNameIn }),
    response: UserMeta,
  }),
} as const;
