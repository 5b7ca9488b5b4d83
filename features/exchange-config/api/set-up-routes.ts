// Set-up and control of an exchange: its first administrator, its mode, thresholds of approvals.

import { Type } from 'typebox';
import {
  act,
  Decimal,
  DecimalIn,
  defineRoute,
  field,
  Message,
  NO_QUERY,
  oneOf,
  person,
  sample,
  TimestampOrNull,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

const tag = 'operator';

const Control = Type.Object(
  {
    mode: oneOf(['setup', 'normal', 'single_operator']),
    administrators: sample(
      Type.Integer({ description: 'Administrators with a second factor.' }),
      2,
    ),
    one_approval_from: Decimal,
    two_approvals_from: Decimal,
    currency: Type.String({ description: 'Of all thresholds, also of the withdrawal policy.' }),
    single_operator_from: field(
      TimestampOrNull,
      'Since when one operator acts alone; null if not.',
      null,
    ),
  },
  { title: 'Control' },
);

export const setUpRoutes = {
  signUpAdministrator: defineRoute({
    method: 'POST',
    path: '/v2/admin/signup',
    summary: 'Create the first administrator, with the token that a server printed at its start',
    description: 'Works once, while there is no administrator. Wrong tokens are counted.',
    tag,
    permission: { who: 'anyone' },
    effect: 'write',
    weight: WEIGHT_HEAVY,
    // It makes the first administrator.
    module: 'admin',
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        password: Type.String({
          maxLength: 256,
          description: '15 to 128 characters, and not a common password.',
        }),
        token: Type.String({ minLength: 1, maxLength: 128, description: 'Counts once.' }),
      },
      { title: 'FirstAdministratorIn', additionalProperties: false },
    ),
    status: 201,
    response: Message,
  }),
  completeSetup: defineRoute({
    method: 'GET',
    path: '/v2/admin/complete-setup',
    summary: 'Mark the set-up as completed in the kit',
    description: 'Sets `setup_completed` of the kit.',
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
    summary: 'The mode of the exchange and the thresholds of approvals',
    description: 'Approvals start at these values.',
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
    summary: 'Choose or leave the mode of a single operator',
    description: 'One operator acts alone, with delays instead of approvals.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      { mode: oneOf(['normal', 'single_operator']) },
      { title: 'ControlModeIn', additionalProperties: false },
    ),
    response: Control,
    mayWait: true,
    isRialtoOnly: true,
  }),
  changeThresholds: defineRoute({
    method: 'PUT',
    path: '/v2/admin/control/thresholds',
    summary:
      'Change the amounts from which money acts need approvals, or their currency; two people ' +
      'approve it, and during the set-up they can only be lowered',
    description: 'The values count in the currency that you name.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        one_approval_from: DecimalIn,
        two_approvals_from: DecimalIn,
        currency: Type.Optional(
          Type.String({
            pattern: '^[a-z0-9]{1,15}$',
            description:
              'A coin. It is also the currency of the withdrawal policy and of the ceilings of ' +
              'roles: change them to match.',
          }),
        ),
      },
      { title: 'ThresholdsIn', additionalProperties: false },
    ),
    response: Control,
    mayWait: true,
    isRialtoOnly: true,
  }),
} as const;
