// Shared accounts: the owner lets a guest read and trade, and can end that at any time.

import type { Static } from 'typebox';
import {
  defineRoute,
  EmailCodeIn,
  FactorCodeIn,
  Message,
  NO_QUERY,
  PAGE_LENGTH,
  PAGE_LENGTH_MAX,
  pagedList,
  Timestamp,
  Type,
  textIn,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
  WEIGHT_ROW,
} from '../../../protocol/wire/index.ts';

/** A guest's access to an account, as seen by its owner or the guest. */
export const SharedAccount = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String({ description: "The other user's email address." }),
    label: Type.String(),
    active: Type.Boolean({ description: 'False while the owner has paused access.' }),
    created_at: Timestamp,
  },
  { title: 'SharedAccount' },
);

export type SharedAccount = Static<typeof SharedAccount>;

const tag = 'shared accounts';
const mayRead = { who: 'user', scope: 'can_read', sessions: true } as const;
const person = { who: 'person' } as const;

const pages = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: PAGE_LENGTH_MAX,
    default: PAGE_LENGTH,
    clamped: true,
  }),
  page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1, clamped: true }),
});
/** The same as for API keys, because a guest can trade. */
const proofs = { otp_code: FactorCodeIn, email_code: EmailCodeIn };
const SharedAccountNameIn = Type.Object(
  { sharedaccount_id: Type.Integer({ minimum: 1 }) },
  { title: 'SharedAccountNameIn', additionalProperties: false },
);

const changes = {
  method: 'POST',
  tag,
  permission: person,
  effect: 'write',
  weight: WEIGHT_ROW,
  query: NO_QUERY,
  body: SharedAccountNameIn,
  status: 200,
  response: Message,
} as const;

export const sharedAccountRoutes = {
  getSharedAccounts: defineRoute({
    method: 'GET',
    path: '/v2/sharedaccounts/shared',
    summary: 'The users with whom you share your account, oldest first',
    description: 'Includes the state of each access.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: pages,
    status: 200,
    response: pagedList(SharedAccount),
  }),
  getAccessibleAccounts: defineRoute({
    method: 'GET',
    path: '/v2/sharedaccounts/access',
    summary: 'The accounts shared with you, oldest first',
    description: 'To enter one, call `POST /v2/sharedaccount/auth`.',
    tag,
    permission: mayRead,
    effect: 'read',
    weight: WEIGHT_LIST,
    query: pages,
    status: 200,
    response: pagedList(SharedAccount),
  }),
  shareAccount: defineRoute({
    method: 'POST',
    path: '/v2/sharedaccount',
    summary: 'Let another user read and trade in your account',
    description:
      'Requires your second factor and an emailed code. Guests can never withdraw or change ' +
      'credentials.',
    tag,
    permission: person,
    effect: 'write',
    weight: WEIGHT_HEAVY,
    query: NO_QUERY,
    body: Type.Object(
      {
        email: textIn({ minLength: 3, maxLength: 254 }),
        label: Type.Optional(textIn({ maxLength: 64 })),
        ...proofs,
      },
      { title: 'SharedAccountIn', additionalProperties: false },
    ),
    status: 201,
    response: SharedAccount,
  }),
  enterSharedAccount: defineRoute({
    method: 'POST',
    path: '/v2/sharedaccount/auth',
    summary: 'Open a session in an account shared with you, for at most 24 hours',
    description: 'The session can read and trade.',
    tag,
    permission: person,
    effect: 'write',
    worksReadOnly: true,
    weight: WEIGHT_ROW,
    query: NO_QUERY,
    body: SharedAccountNameIn,
    status: 200,
    response: Type.Object({ token: Type.String() }, { title: 'SharedAccountSession' }),
  }),
  pauseSharedAccount: defineRoute({
    path: '/v2/sharedaccount/pause',
    summary: "Pause a user's access to your account; open sessions end",
    description: "The guest's sessions end within a second.",
    ...changes,
    worksReadOnly: true,
  }),
  resumeSharedAccount: defineRoute({
    path: '/v2/sharedaccount/resume',
    summary: "Resume a user's access to your account",
    description: 'Requires your second factor.',
    ...changes,
    body: Type.Object(
      { sharedaccount_id: Type.Integer({ minimum: 1 }), ...proofs },
      { title: 'ResumeSharedAccountIn', additionalProperties: false },
    ),
  }),
  removeSharedAccount: defineRoute({
    path: '/v2/sharedaccount/delete',
    summary: 'Stop sharing an account, as its owner or as the guest',
    description: "The guest's sessions end within a second.",
    ...changes,
    worksReadOnly: true,
  }),
} as const;
