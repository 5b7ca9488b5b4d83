// Address book changes. The exchange replaces the entire book, so each change returns the new book.

import type { AddressBook, AddressBookEntryIn, Coin } from '../../../client/index.ts';
import { networksOf } from './transfers.ts';

export type BookEntry = AddressBook['addresses'][number];

/** Email address of another user of this exchange. */
export const BY_EMAIL = 'email';

export function isSameAddress(one: AddressBookEntryIn, other: AddressBookEntryIn): boolean {
  return (
    one.address === other.address &&
    one.network === other.network &&
    one.currency === other.currency
  );
}

/** Returns the entries to send. The exchange tracks their age by address. */
export function entriesOf(book: Pick<AddressBook, 'addresses'>): AddressBookEntryIn[] {
  return book.addresses.map(({ address, currency, label, network }) => ({
    address,
    currency,
    label,
    network,
  }));
}

export function withEntry(
  book: Pick<AddressBook, 'addresses'>,
  entry: AddressBookEntryIn,
): AddressBookEntryIn[] {
  const { address, currency, label, network } = entry;
  return [...entriesOf(book), { address: address.trim(), currency, label: label.trim(), network }];
}

export function withoutEntry(
  book: Pick<AddressBook, 'addresses'>,
  entry: AddressBookEntryIn,
): AddressBookEntryIn[] {
  return entriesOf(book).filter((one) => !isSameAddress(one, entry));
}

export function withLabel(
  book: Pick<AddressBook, 'addresses'>,
  entry: AddressBookEntryIn,
  label: string,
): AddressBookEntryIn[] {
  return entriesOf(book).map((one) =>
    isSameAddress(one, entry) ? { ...one, label: label.trim() } : one,
  );
}

/** Returns the networks of an asset; '' for an asset without networks. */
export function bookNetworks(coin: Pick<Coin, 'network'> | undefined): string[] {
  const named = coin === undefined ? [] : networksOf(coin);
  return [...(named.length === 0 ? [''] : named), BY_EMAIL];
}
