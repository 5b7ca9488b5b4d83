// Changes of the address book: the exchange takes the whole book, so each change is the book that
// follows from it.

import type { AddressBook, AddressBookEntryIn, Coin } from '../../../client/index.ts';
import { networksOf } from './transfers.ts';

export type BookEntry = AddressBook['addresses'][number];

/** For another user of this exchange, by the address of their mails. */
export const BY_EMAIL = 'email';

export function isSameAddress(one: AddressBookEntryIn, other: AddressBookEntryIn): boolean {
  return (
    one.address === other.address &&
    one.network === other.network &&
    one.currency === other.currency
  );
}

/** The entries as they are sent; the exchange keeps their age by their addresses. */
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

/** The networks that an address of the coin can be on; '' for a coin that names none. */
export function bookNetworks(coin: Pick<Coin, 'network'> | undefined): string[] {
  const named = coin === undefined ? [] : networksOf(coin);
  return [...(named.length === 0 ? [''] : named), BY_EMAIL];
}
