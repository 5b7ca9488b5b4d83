// Errors of address books.

import type { ErrorTable } from '../../../protocol/wire/index.ts';

export const addressBookErrors = {
  address_book_too_long: {
    status: 400,
    code: 2440,
    text: 'The address book can have at most {max} addresses',
  },
  address_book_label_repeated: {
    status: 400,
    code: 2441,
    text: 'Two addresses have the same label: {label}',
  },
  address_book_address_repeated: {
    status: 400,
    code: 2442,
    text: 'This address is in the list twice: {address}',
  },
} as const satisfies ErrorTable;
