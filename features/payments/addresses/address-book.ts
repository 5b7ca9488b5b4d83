// A user's address book. Withdrawals to a new address are delayed so the owner can read the email
// about it first. The age belongs to an address, never to its label: an entry whose address changes
// is a new entry. Removals, and switching "book only" on, take effect immediately. Switching it off
// has the same delay as a new address.

import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction, type Statements } from '../../../infra/postgres/index.ts';
import type { Vault } from '../../../platform/vault/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  type AccountHolder,
  factorProof,
  lockHolder,
  type PersonContext,
  refuseFactorIfAny,
  refuseMails,
} from '../../auth/index.ts';
import { enqueueMail, type MailValues } from '../../messages/index.ts';
import { type Destination, destinationText } from './destination.ts';

export const ADDRESS_BOOK_MAX = 100;
/** Delay of a new address, and how long "book only" still applies after it is switched off. */
export const ADDRESS_DELAY_MS = 86_400_000;

/** In its network's canonical spelling. The network is '' for a currency without networks. */
export interface BookAddress extends Destination {
  readonly label: string;
  readonly network: string;
  readonly currency: string;
}

export interface BookEntry extends BookAddress {
  readonly createdAt: Date;
  /** When withdrawals to this address become possible. */
  readonly activeAt: Date;
}

export interface AddressBook {
  /** Oldest first. */
  readonly entries: readonly BookEntry[];
  readonly isBookOnly: boolean;
  /** When "book only" ends; undefined if it is not ending. */
  readonly bookOnlyUntil: Date | undefined;
}

export async function readAddressBook(
  statements: Statements,
  { nowMs, user }: { readonly user: UserId; readonly nowMs: number },
): Promise<AddressBook> {
  const owner = await statements.query(
    'select book_only, book_only_until as until from users where id = $1',
    [user],
  );
  const { book_only, until } = owner.rows[0];
  const isEnding = book_only && until !== null;
  return {
    entries: (await readEntries(statements, user)).map(({ entry }) => entry),
    isBookOnly: book_only && (until === null || until.getTime() > nowMs),
    bookOnlyUntil: isEnding && until.getTime() > nowMs ? until : undefined,
  };
}

/** Replaces the entire book. A book with a new address needs the second factor. */
export function replaceAddressBook(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { addresses, otpCode }: { readonly addresses: readonly BookAddress[]; readonly otpCode: string },
) {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const unclear = refuseList(addresses);
    if (unclear !== undefined) return unclear;
    const change = changeOf(await readEntries(connection, person.user), addresses);
    const { added, relabeled, removed } = change;
    // Removals cannot flood a mailbox, because every removed address was added earlier.
    if (added.length + relabeled.length > 0) {
      const tooMany = await refuseMails(connection, vault, person);
      if (tooMany !== undefined) return tooMany;
    }
    if (added.length > 0) {
      const refusal = await refuseFactorIfAny(connection, vault, factorProof(person, otpCode));
      if (refusal !== undefined) return refusal;
    }
    await writeChange(connection, person, change);
    if (added.length + relabeled.length + removed.length > 0) {
      await mail(connection, vault, person, {
        holder,
        kind: 'address_book_changed',
        values: {
          added: added.map(lineOf),
          removed: removed.map(({ entry }) => lineOf(entry)),
          effectiveFrom:
            added.length === 0 ? '' : new Date(person.nowMs + ADDRESS_DELAY_MS).toISOString(),
        },
      });
    }
    return readAddressBook(connection, person);
  });
}

/** Switches "book only" on immediately, or off after the delay and with the second factor. */
export function setBookOnly(
  connection: Connection,
  vault: Vault,
  person: PersonContext,
  { isBookOnly, otpCode }: { readonly isBookOnly: boolean; readonly otpCode: string },
) {
  return inTransaction(connection, async () => {
    const holder = await lockHolder(connection, person);
    if (holder instanceof Refused) return holder;
    const before = await readAddressBook(connection, person);
    const isOpen = before.isBookOnly && before.bookOnlyUntil === undefined;
    // An end already in progress keeps its time.
    if (isOpen === isBookOnly || (!isBookOnly && !before.isBookOnly)) return before;
    const tooMany = await refuseMails(connection, vault, person);
    if (tooMany !== undefined) return tooMany;
    if (!isBookOnly) {
      const refusal = await refuseFactorIfAny(connection, vault, factorProof(person, otpCode));
      if (refusal !== undefined) return refusal;
    }
    const from = new Date(person.nowMs + (isBookOnly ? 0 : ADDRESS_DELAY_MS));
    await connection.query(
      'update users set book_only = true, book_only_until = $2, updated_at = now() where id = $1',
      [person.user, isBookOnly ? null : from],
    );
    const values = { isBookOnly, effectiveFrom: from.toISOString() };
    await mail(connection, vault, person, { holder, kind: 'book_only_changed', values });
    return readAddressBook(connection, person);
  });
}

interface StoredEntry {
  readonly id: number;
  readonly entry: BookEntry;
}

interface BookChange {
  readonly added: readonly BookAddress[];
  readonly relabeled: readonly { readonly id: number; readonly label: string }[];
  readonly removed: readonly StoredEntry[];
}

function refuseList(addresses: readonly BookAddress[]) {
  if (addresses.length > ADDRESS_BOOK_MAX) {
    return new Refused('address_book_too_long', { max: ADDRESS_BOOK_MAX });
  }
  const [labels, keys] = [new Set<string>(), new Set<string>()];
  for (const entry of addresses) {
    const { label } = entry;
    if (labels.has(label)) return new Refused('address_book_label_repeated', { label });
    const address = destinationText(entry);
    if (keys.has(keyOf(entry))) return new Refused('address_book_address_repeated', { address });
    labels.add(label);
    keys.add(keyOf(entry));
  }
  return undefined;
}

function changeOf(stored: readonly StoredEntry[], wanted: readonly BookAddress[]): BookChange {
  const before = new Map(stored.map((one) => [keyOf(one.entry), one]));
  const kept = new Set(wanted.map(keyOf));
  return {
    added: wanted.filter((entry) => !before.has(keyOf(entry))),
    relabeled: wanted.flatMap((entry) => {
      const one = before.get(keyOf(entry));
      const isRelabeled = one !== undefined && one.entry.label !== entry.label;
      return isRelabeled ? [{ id: one.id, label: entry.label }] : [];
    }),
    removed: stored.filter(({ entry }) => !kept.has(keyOf(entry))),
  };
}

async function writeChange(
  statements: Statements,
  { nowMs, user }: PersonContext,
  { added, relabeled, removed }: BookChange,
): Promise<void> {
  if (removed.length > 0) {
    await statements.query('update address_book set removed_at = $2 where id = any($1::bigint[])', [
      removed.map(({ id }) => id),
      new Date(nowMs),
    ]);
  }
  for (const { id, label } of relabeled) {
    await statements.query('update address_book set label = $2 where id = $1', [id, label]);
  }
  const times = [new Date(nowMs), new Date(nowMs + ADDRESS_DELAY_MS)];
  for (const { address, currency, label, network, tag } of added) {
    await statements.query(
      `insert into address_book (user_id, label, address, tag, network, currency, created_at,
         active_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [user, label, address, tag, network, currency, ...times],
    );
  }
}

async function readEntries(statements: Statements, user: UserId): Promise<StoredEntry[]> {
  const { rows } = await statements.query(
    `select id, label, address, tag, network, currency, created_at, active_at
     from address_book where user_id = $1 and removed_at is null order by id`,
    [user],
  );
  return rows.map(({ active_at: activeAt, created_at: createdAt, id, ...address }) => ({
    id: Number(id),
    entry: { ...(address as BookAddress), createdAt, activeAt },
  }));
}

type BookMail = {
  [Kind in 'address_book_changed' | 'book_only_changed']: {
    readonly holder: AccountHolder;
    readonly kind: Kind;
    readonly values: Omit<MailValues[Kind], keyof PersonContext['circumstances']>;
  };
}['address_book_changed' | 'book_only_changed'];

async function mail(
  statements: Statements,
  vault: Vault,
  { circumstances, user }: PersonContext,
  { holder, kind, values }: BookMail,
): Promise<void> {
  const to = { user, to: holder.email, language: holder.language };
  await enqueueMail(statements, vault, {
    ...to,
    kind,
    values: { ...circumstances, ...values },
  } as Parameters<typeof enqueueMail>[2]);
}

/** An address with its tag, for one currency in one network. */
function keyOf({ address, currency, network, tag }: BookAddress): string {
  return JSON.stringify([currency, network, address, tag]);
}

function lineOf(entry: BookAddress): string {
  const network = entry.network === '' ? '' : ` (${entry.network})`;
  return `${entry.currency.toUpperCase()} ${destinationText(entry)}${network}`;
}
