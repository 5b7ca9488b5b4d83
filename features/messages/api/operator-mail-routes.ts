// Operator emails: operator-defined texts of the exchange's emails, and emails sent by operators.

import {
  act,
  defineRoute,
  FreeObject,
  field,
  Message,
  NO_QUERY,
  OPERATOR_BODY_BYTES_MAX,
  oneOf,
  person,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_LIGHT,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

const tag = 'operator';
const sends = { who: 'operator', scope: 'can_withdraw', sessions: true } as const;

const NameIn = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z_]+$' });

const MailText = Type.Object(
  {
    type: field(Type.String(), 'The email type.', 'welcome'),
    language: Type.String(),
    title: Type.String(),
    html: Type.String({ description: 'Its paragraphs.' }),
    is_own: Type.Boolean({ description: 'Whether an operator wrote this text.' }),
  },
  { title: 'MailText' },
);

const MailTypeIn = oneOf([
  'welcome',
  'login',
  'signup',
  'reset_password',
  'change_password',
  'password_changed',
  'user_verification_reject',
  'account_upgrade',
  'account_verify',
  'withdrawal_request',
  'deposit_cancel',
  'deposit',
  'withdrawal',
  'contactForm',
  'suspicious_deposit',
  'user_verification',
  'user_deactivated',
  'invalid_address',
  'invitedOperator',
  'alert',
  'discount_update',
  'bank_verified',
  'confirm_email',
]);

export const operatorMailRoutes = {
  getMailTypes: defineRoute({
    method: 'GET',
    path: '/v2/admin/email/types',
    summary: 'The email types that the exchange sends',
    description: 'Names for the other email endpoints.',
    tag,
    permission: person,
    roles: ['supervisor', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_LIGHT,
    query: NO_QUERY,
    status: 200,
    response: Type.Array(Type.String()),
    example: { response: ['welcome', 'login'] },
  }),
  getMailText: defineRoute({
    method: 'GET',
    path: '/v2/admin/email',
    summary: 'The text of an email type in a language',
    description: 'The default text, unless an operator wrote another.',
    tag,
    permission: person,
    roles: ['supervisor', 'communicator', 'announcer', 'auditor'],
    effect: 'read',
    weight: WEIGHT_ROW,
    query: Type.Object({ language: NameIn, type: field(NameIn, 'The email type.', 'welcome') }),
    status: 200,
    response: MailText,
  }),
  changeMailText: defineRoute({
    method: 'PUT',
    path: '/v2/admin/email',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Write an email text; another operator approves it. Empty restores the default text',
    description: 'After that, every email of this type in that language uses the text.',
    ...act,
    permission: person,
    roles: [],
    body: Type.Object(
      {
        type: field(NameIn, 'The email type.', 'welcome'),
        language: NameIn,
        title: textIn({ maxLength: 400 }),
        html: textIn({ maxLength: 40_000, description: 'Paragraphs; other tags are removed.' }),
      },
      { title: 'MailTextIn', additionalProperties: false },
    ),
    response: MailText,
    mayWait: true,
  }),
  sendMail: defineRoute({
    method: 'POST',
    path: '/v2/admin/send-email',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Send an email with a known text to a user',
    description:
      "The text is in the user's language. `alert` sends your own text without links and counts " +
      'as an email with its own text.',
    ...act,
    permission: sends,
    roles: ['supervisor', 'communicator', 'announcer'],
    body: Type.Object(
      { user_id: UserIdIn, mail_type: field(MailTypeIn, 'The email type.'), data: FreeObject },
      { title: 'MailIn', additionalProperties: false },
    ),
    response: Message,
    mayWait: true,
  }),
  sendRawMail: defineRoute({
    method: 'POST',
    path: '/v2/admin/send-email/raw',
    bodyBytesMax: OPERATOR_BODY_BYTES_MAX,
    summary: 'Send your own text; more than 10 recipients within 24 hours need approval',
    description: 'Placeholders are not filled in.',
    ...act,
    permission: sends,
    roles: [],
    body: Type.Object(
      {
        receivers: field(
          Type.Array(textIn({ minLength: 3, maxLength: 254 }), {
            minItems: 1,
            maxItems: 5_000,
          }),
          'Email addresses.',
          ['ada@example.com'],
        ),
        title: Type.Optional(textIn({ maxLength: 400 })),
        html: textIn({ maxLength: 40_000, description: 'Sent as text, without links.' }),
        text: Type.Optional(
          textIn({ maxLength: 40_000, description: 'Sent in place of the HTML, unless empty.' }),
        ),
      },
      { title: 'RawMailIn', additionalProperties: false },
    ),
    response: Message,
    mayWait: true,
  }),
} as const;
