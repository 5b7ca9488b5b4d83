// Values for previews and tests: one example of each kind of mail.

import type {
  Circumstances,
  CodeValues,
  MailKind,
  MailValues,
  TransferTerms,
  TransferValues,
} from './mail-kinds.ts';

const CIRCUMSTANCES: Circumstances = {
  time: '2026-11-15T19:36:00.000Z',
  ip: '203.0.113.17',
  country: 'PT',
  device: 'Firefox 150 on Linux',
  freezeToken: '5f0c2c4e-7d3a-4b8e-9a41-6c2d8e9b7f10',
};
const NOTHING_TO_FREEZE = { ...CIRCUMSTANCES, freezeToken: '' };
const LINK: CodeValues = {
  ...CIRCUMSTANCES,
  code: '8c1d5b0e-2f6a-4c7b-b3d9-0e4f6a8c2d11',
  form: 'v2',
};
const SHORT: CodeValues = { ...CIRCUMSTANCES, code: 'KM-48213', form: 'v3' };
const DIGITS: CodeValues = { ...CIRCUMSTANCES, code: '482137', form: 'v4' };
const LONG: CodeValues = { ...CIRCUMSTANCES, code: 'KQ7M2XWB9RTH4CVZ8NPE', form: 'v5' };
const KEY = { ...CIRCUMSTANCES, name: 'market maker', permissions: 'read, trade' };

const TERMS: TransferTerms = {
  amount: '0.25',
  currency: 'BTC',
  fee: '0.0001',
  feeCurrency: 'BTC',
  network: 'btc',
  address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
};
const WITHDRAWAL: TransferValues = {
  ...TERMS,
  time: CIRCUMSTANCES.time,
  transactionId: '',
  freezeToken: '',
};
const TRANSACTION = '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b';
const DEPOSIT: TransferValues = {
  ...WITHDRAWAL,
  amount: '1500',
  currency: 'USDT',
  fee: '',
  feeCurrency: '',
  network: 'trx',
  address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
  transactionId: TRANSACTION,
};

export const EXAMPLE_VALUES: { readonly [Kind in MailKind]: MailValues[Kind] } = {
  verify_email: { ...LINK, freezeToken: '' },
  already_registered: NOTHING_TO_FREEZE,
  welcome: NOTHING_TO_FREEZE,
  reset_password: DIGITS,
  change_password: LINK,
  password_changed: CIRCUMSTANCES,
  confirm_action: LONG,
  new_device: CIRCUMSTANCES,
  suspicious_login: SHORT,
  password_known: CIRCUMSTANCES,
  factor_added: { ...CIRCUMSTANCES, factor: 'passkey' },
  factor_removed: { ...CIRCUMSTANCES, factor: 'otp' },
  recovery_code_used: CIRCUMSTANCES,
  api_key_created: KEY,
  api_key_changed: KEY,
  api_key_revoked: { ...CIRCUMSTANCES, name: 'market maker' },
  email_change_old: { ...DIGITS, newEmail: 'new.address@example.com' },
  email_change_new: { ...LINK, freezeToken: '' },
  email_changed: CIRCUMSTANCES,
  account_frozen: NOTHING_TO_FREEZE,
  account_unfrozen: CIRCUMSTANCES,
  account_closing: { ...CIRCUMSTANCES, closesOn: '2026-11-29T00:00:00.000Z' },
  account_erased: NOTHING_TO_FREEZE,
  confirm_withdrawal: { ...LINK, ...TERMS },
  withdrawal_held: { ...WITHDRAWAL, freezeToken: CIRCUMSTANCES.freezeToken },
  withdrawal_completed: { ...WITHDRAWAL, transactionId: TRANSACTION },
  withdrawal_ended: { ...WITHDRAWAL, end: 'rejected' },
  deposit_pending: DEPOSIT,
  deposit_completed: DEPOSIT,
  deposit_ended: { ...DEPOSIT, end: 'dismissed' },
  address_book_changed: {
    ...CIRCUMSTANCES,
    added: ['BTC bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4 (btc)'],
    removed: ['XRP rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:501 (xrp)'],
    effectiveFrom: '2026-11-16T19:36:00.000Z',
  },
  bank_account_changed: {
    ...CIRCUMSTANCES,
    added: ['bank Example Bank …2957 (09d71a2e3a86e7f8)'],
    removed: ['bank Example Bank …0001 (5b2c8f1e7a90d364)'],
  },
  book_only_changed: {
    ...CIRCUMSTANCES,
    isBookOnly: false,
    effectiveFrom: '2026-11-16T19:36:00.000Z',
  },
  sub_account_created: { ...CIRCUMSTANCES, label: 'savings' },
  shared_account_granted: {
    ...CIRCUMSTANCES,
    account: 'owner@example.com',
    sharedWith: 'accountant@example.com',
  },
  operator_message: {
    title: 'New coins in December',
    message: 'We list three coins.\nThe dates follow.',
  },
  support_message: {
    sender: 'user@example.com',
    category: 'deposit',
    subject: 'My deposit has not arrived',
    message:
      'Hello,\n\nI sent 1500 USDT this morning and cannot see it yet. The transaction has 40 ' +
      'confirmations.\n\nThank you',
  },
  invitation: { code: 'RIALTO-7K2M-9QXW', validUntil: '2026-12-15T00:00:00.000Z' },
};

export const MAIL_KINDS = Object.keys(EXAMPLE_VALUES) as readonly MailKind[];
