// A user as read by the user list: the row, and the opened personal data.

import type { UserId } from '../../core/money/index.ts';
import { type Connection, idOf } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import {
  type PersonalData,
  keyOf as personalKeyOf,
  personalOf,
  type UserRow,
  userOf,
} from '../accounts/index.ts';
import { type BankAccount, accountOf as bankAccountOf } from '../payments/index.ts';
import { userList } from './user-list.ts';

export interface Person {
  readonly user: UserRow;
  readonly personal: PersonalData;
  readonly banks: readonly BankAccount[];
  /** Oldest valid deposit address per coin. */
  readonly addresses: Readonly<Record<string, string>>;
  /** Operators who opened its pending reviews; null for the user. */
  readonly reviewsOpenedBy: readonly (UserId | null)[];
  readonly isSubAccount: boolean;
}

/** Converts a row of `userList`. */
// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
export function personOf(vault: Vault, row: any): Person {
  const user = userOf(row);
  const banks = row.key === null ? [] : banksOf(vault, user.id, row);
  const documents = Number(row.document_status) === 1 ? [row.document_by] : [];
  return {
    user,
    personal: personalOf(vault, user.id, row),
    banks,
    addresses: row.addresses ?? {},
    reviewsOpenedBy: [
      ...documents.map((by) => (by === null ? null : idOf<UserId>(by))),
      ...banks
        .filter(({ status }) => status === 'pending')
        .map(({ decidedBy, enteredBy }) => decidedBy ?? enteredBy),
    ],
    isSubAccount: row.kind === 'sub' || row.kind === 'virtual',
  };
}

/**
 * Whether a document or a bank account is pending review by this operator, who did not open the
 * review.
 */
export function isInReviewFor({ reviewsOpenedBy }: Person, operator: UserId): boolean {
  return reviewsOpenedBy.some((by) => by !== operator);
}

/** Returns undefined if the user does not exist. */
export async function readPerson(
  connection: Pick<Connection, 'query'>,
  vault: Vault,
  id: UserId,
): Promise<Person | undefined> {
  const list = userList(vault, {
    filter: { user: id },
    isExact: true,
    projectionSchema: 'unused',
  });
  const { rows } = await connection.query(list.rows(''), [...list.values, 1, 0]);
  return rows.map((row) => personOf(vault, row))[0];
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver gives it.
function banksOf(vault: Vault, user: UserId, row: any): BankAccount[] {
  const key = personalKeyOf(vault, user, { kek_id: idOf(row.kek_id), sealed: row.key });
  // biome-ignore lint/suspicious/noExplicitAny: an object of json_agg.
  const banks: any[] = row.banks ?? [];
  return banks.map((bank) =>
    bankAccountOf(key, user, {
      ...bank,
      sealed: Buffer.from(bank.sealed, 'hex'),
      decided_at: null,
      created_at: null,
    }),
  );
}
