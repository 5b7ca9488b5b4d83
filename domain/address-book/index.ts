// Address books: where people withdraw to.

export {
  ADDRESS_BOOK_MAX,
  ADDRESS_DELAY_MS,
  type AddressBook,
  type BookAddress,
  type BookEntry,
  type BookRefusal,
  readAddressBook,
  replaceAddressBook,
  setBookOnly,
} from './address-book.ts';
