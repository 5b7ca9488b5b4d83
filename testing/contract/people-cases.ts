// Contract cases for users as operators see them.

import type { RouteName } from '../../protocol/index.ts';
import { body, type ContractCase, query, refused } from './contract-case.ts';

const noSuchUser = refused('an unknown user', body({ user_id: 999_999 }), 'User not found');
const noSuchDetail: ContractCase = {
  what: 'unknown payment detail',
  status: 404,
  says: 'Payment detail not found',
  change: body({ id: 999_999 }),
};
const list: readonly ContractCase[] = [
  { what: 'a page', change: query({ limit: 1, page: 2 }), status: 200, says: '"count"' },
  { what: 'between dates', change: query({ start_date: '2020-01-01' }), status: 200 },
  refused('a page beyond the last', query({ limit: 50, page: 2_001 }), 'Too many rows'),
  refused('an unknown sort column', query({ order_by: 'password' })),
];

/** Cases in addition to those of every list. */
export const userListCases: readonly ContractCase[] = [
  { what: 'a part of an address', change: query({ search: 'alice' }), status: 200, says: 'alice@' },
  { what: 'a kind', change: query({ type: 'sub' }), status: 200, says: '"count"' },
  { what: 'pending users', change: query({ pending: true, pending_type: 'id' }), status: 200 },
  { what: 'words of a name', change: query({ full_name: 'ali' }), status: 200 },
  { what: 'a birthday', change: query({ dob_start_date: '1990-01-01' }), status: 200 },
  refused('a bank account', query({ bank_key: 'iban', bank_value: 'CH93' }), 'encrypted'),
  refused('an unknown kind', query({ type: 'robot' }), 'type'),
  refused('text that cannot be stored', query({ search: 'a\0b' }), 'search'),
];

export const peopleCases: Partial<Record<RouteName, readonly ContractCase[]>> = {
  getReveals: [
    ...list,
    { what: 'reveals without a review', change: query({ reviewed: false }), status: 200 },
  ],
  revealUser: [
    noSuchUser,
    refused('no reason', body({ reason: '' }), 'reason'),
    refused('a ticket with free text', body({ ticket: 'Ann Example' }), 'ticket'),
    refused('an unknown field', body({ fields: ['password'] }), 'fields'),
    refused('a wrong code', body({ otp_code: '000000' })),
  ],
  reviewReveal: [
    { what: 'unknown', status: 404, says: 'Reveal not found', change: body({ id: 999_999 }) },
  ],
  getPaymentDetailsOfUsers: [
    ...list,
    { what: 'verified ones', change: query({ status: 'true' }), status: 200 },
    { what: 'others', change: query({ status: 'false' }), status: 200 },
    refused('an unknown status', query({ status: '7' }), 'status'),
  ],
  addPaymentDetailOfUser: [noSuchUser],
  changePaymentDetailOfUser: [noSuchDetail],
  removePaymentDetailOfUser: [noSuchDetail],
};
