// Every column that a key-encryption key seals, with the text that its values are bound to. A test
// compares this list with the golden schema and fails if a table with a kek_id is missing.

import type { KeyId, UserId } from '../../../core/money/index.ts';
import { personalKeyBound } from '../../../features/accounts/index.ts';
import { requestBound } from '../../../features/approvals/index.ts';
import { auditKeyBound } from '../../../features/audit/index.ts';
import { codeBound, keyBound, passwordBound, totpBound } from '../../../features/auth/index.ts';
import { mailBound, supportBound } from '../../../features/messages/index.ts';
import { liabilityKeyBound, liabilitySeedBound } from '../../../features/proofs/index.ts';
import { sharedAccountBound } from '../../../features/sub-accounts/index.ts';
import { idOf } from '../../../infra/postgres/index.ts';

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Primary key columns, in order. */
  readonly key: readonly { readonly name: string; readonly type: 'bigint' | 'text' }[];
  /** Additional columns that `bound` reads. */
  readonly reads: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: a row from the driver.
  bound(row: any): string;
}

const ID = [{ name: 'id', type: 'bigint' }] as const;
const USER_ID = [{ name: 'user_id', type: 'bigint' }] as const;

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'api_keys',
    column: 'sealed',
    key: ID,
    reads: ['user_id', 'kind', 'role', 'can_read', 'can_trade', 'can_withdraw'],
    bound: (row) =>
      keyBound({
        id: idOf<KeyId>(row.id),
        user: idOf<UserId>(row.user_id),
        kind: row.kind,
        role: row.role,
        canRead: row.can_read,
        canTrade: row.can_trade,
        canWithdraw: row.can_withdraw,
      }),
  },
  {
    table: 'passwords',
    column: 'sealed_tag',
    key: USER_ID,
    reads: ['salt', 'memory', 'passes', 'lanes'],
    bound: ({ lanes, memory, passes, salt, user_id }) =>
      passwordBound(idOf<UserId>(user_id), {
        salt,
        memory: Number(memory),
        passes: Number(passes),
        lanes: Number(lanes),
      }),
  },
  {
    table: 'totp_secrets',
    column: 'sealed_secret',
    key: USER_ID,
    reads: [],
    bound: ({ user_id }) => totpBound(idOf<UserId>(user_id)),
  },
  {
    table: 'codes',
    column: 'sealed_payload',
    key: [
      { name: 'user_id', type: 'bigint' },
      { name: 'purpose', type: 'text' },
    ],
    reads: [],
    bound: ({ purpose, user_id }) => codeBound(idOf<UserId>(user_id), purpose),
  },
  {
    table: 'mail_outbox',
    column: 'sealed',
    key: ID,
    reads: ['message_id'],
    bound: ({ message_id }) => mailBound(message_id),
  },
  {
    table: 'personal_keys',
    column: 'sealed',
    key: USER_ID,
    reads: [],
    bound: ({ user_id }) => personalKeyBound(idOf<UserId>(user_id)),
  },
  {
    table: 'support_messages',
    column: 'sealed',
    key: ID,
    reads: ['reference'],
    bound: ({ reference }) => supportBound(reference),
  },
  {
    table: 'shared_accounts',
    column: 'sealed_email',
    key: ID,
    reads: ['reference'],
    bound: ({ reference }) => sharedAccountBound(reference),
  },
  {
    table: 'audit_keys',
    column: 'sealed',
    key: ID,
    reads: [],
    bound: ({ id }) => auditKeyBound(idOf(id)),
  },
  {
    table: 'approval_keys',
    column: 'sealed',
    key: [{ name: 'request_id', type: 'bigint' }],
    reads: [],
    bound: ({ request_id }) => requestBound(idOf(request_id)),
  },
  {
    table: 'liability_keys',
    column: 'sealed',
    key: ID,
    reads: [],
    bound: ({ id }) => liabilityKeyBound(idOf(id)),
  },
  {
    table: 'liability_publications',
    column: 'sealed_seed',
    key: [{ name: 'frame', type: 'bigint' }],
    reads: [],
    bound: ({ frame }) => liabilitySeedBound(idOf(frame)),
  },
];
