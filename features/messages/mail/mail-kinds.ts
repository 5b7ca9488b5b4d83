// Kinds of emails that the exchange sends, the values that each shows, and an example of each.
// Every kind has a template; values are plain text, and the template escapes them.

/** Values shown in every security email, to help the owner assess it. */
export interface Circumstances {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly ip: string;
  /** Two letters; '' if unknown. */
  readonly country: string;
  /** The user agent, shortened. */
  readonly device: string;
  /** Freezes the account; valid for six hours. '' if there is nothing to freeze. */
  readonly freezeToken: string;
}

/** A code to type in, or a link to follow, in the form that the client chose. */
export interface CodeValues extends Circumstances {
  readonly code: string;
  /** v2 is a link with the code; the others are typed in. */
  readonly form: 'v2' | 'v3' | 'v4' | 'v5';
}

/** Terms of a deposit or a withdrawal. Amounts are decimals; '' and a fee of 0 are hidden. */
export interface TransferTerms {
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly network: string;
  /** Includes its tag, as `address:tag`; an email address on the network `email`. */
  readonly address: string;
}

/** A change of a deposit or a withdrawal. No client caused it, so it has no network address. */
export interface TransferValues extends TransferTerms {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly transactionId: string;
  /** Freezes the account while that still stops the payment; else ''. */
  readonly freezeToken: string;
}

/** Why a deposit or a withdrawal ended without moving money; one of its final states. */
export type TransferEnd = 'canceled' | 'dismissed' | 'rejected' | 'expired' | 'refused';

export interface MailValues {
  /** Sign-up: code that verifies the address. */
  readonly verify_email: CodeValues;
  /** Sign-up attempt with an address that already has an account. */
  readonly already_registered: Circumstances;
  readonly welcome: Circumstances;
  readonly reset_password: CodeValues;
  readonly change_password: CodeValues;
  readonly password_changed: Circumstances;
  /** Code that confirms a change of API keys, or the deletion of the account. */
  readonly confirm_action: CodeValues;
  /** A login from a new device. */
  readonly new_device: Circumstances;
  /** Login from a new country, pending this code. */
  readonly suspicious_login: CodeValues;
  /** A client knows the password and fails the second factor. */
  readonly password_known: Circumstances;
  readonly factor_added: Circumstances & { readonly factor: FactorName };
  readonly factor_removed: Circumstances & { readonly factor: FactorName };
  readonly recovery_code_used: Circumstances;
  readonly api_key_created: Circumstances & { readonly name: string; readonly permissions: string };
  readonly api_key_changed: Circumstances & { readonly name: string; readonly permissions: string };
  readonly api_key_revoked: Circumstances & { readonly name: string };
  readonly email_change_old: CodeValues & { readonly newEmail: string };
  readonly email_change_new: CodeValues;
  readonly email_changed: Circumstances;
  readonly account_frozen: Circumstances;
  readonly account_unfrozen: Circumstances;
  readonly account_closing: Circumstances & { readonly closesOn: string };
  readonly account_erased: Circumstances;
  /** Code that confirms a withdrawal, and the terms it confirms. */
  readonly confirm_withdrawal: CodeValues & TransferTerms;
  /** The amount is on hold: the withdrawal awaits payment. */
  readonly withdrawal_held: TransferValues;
  readonly withdrawal_completed: TransferValues;
  readonly withdrawal_ended: TransferValues & { readonly end: TransferEnd };
  readonly deposit_pending: TransferValues;
  readonly deposit_completed: TransferValues;
  readonly deposit_ended: TransferValues & { readonly end: TransferEnd };
  readonly address_book_changed: Circumstances & {
    /** One line per address, with its network. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** ISO 8601; when the added addresses can be used. '' if there are none. */
    readonly effectiveFrom: string;
  };
  /** An operator entered, verified, rejected or removed the user's bank accounts. */
  readonly bank_account_changed: Circumstances & {
    /** One line per account, with the end of its number. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
  };
  readonly account_upgraded: Circumstances;
  readonly account_verified: Circumstances;
  readonly verification_rejected: Circumstances;
  readonly bank_verified: Circumstances;
  readonly bank_rejected: Circumstances;
  /** Percent, as a decimal. */
  readonly discount_changed: Circumstances & { readonly discount: string };
  readonly book_only_changed: Circumstances & {
    readonly isBookOnly: boolean;
    readonly effectiveFrom: string;
  };
  readonly sub_account_created: Circumstances & { readonly label: string };
  /** To the owner, and without a freeze token to the other user. */
  readonly shared_account_granted: Circumstances & {
    /** Email addresses of the owner and of the other user. */
    readonly account: string;
    readonly sharedWith: string;
  };
  /** To the operator's support address. */
  readonly support_message: {
    readonly sender: string;
    readonly category: string;
    readonly subject: string;
    /** Can have several lines. */
    readonly message: string;
  };
  /** An operator's own text. The title is the subject; '' for the default one. */
  readonly operator_message: {
    readonly title: string;
    /** Plain text; can have several lines. */
    readonly message: string;
  };
  readonly invitation: { readonly code: string; readonly validUntil: string };
}

export type FactorName = 'otp' | 'passkey' | 'recovery_codes';
export type MailKind = keyof MailValues;

/** Emails with a code are worthless after it expires, so unsent ones expire. */
export const CODE_MAIL_KINDS: readonly MailKind[] = [
  'verify_email',
  'reset_password',
  'change_password',
  'confirm_action',
  'confirm_withdrawal',
  'suspicious_login',
  'email_change_old',
  'email_change_new',
];

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

/** Values for previews and tests: one example of each kind of email. */
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
  account_upgraded: NOTHING_TO_FREEZE,
  account_verified: NOTHING_TO_FREEZE,
  verification_rejected: NOTHING_TO_FREEZE,
  bank_verified: NOTHING_TO_FREEZE,
  bank_rejected: NOTHING_TO_FREEZE,
  discount_changed: { ...NOTHING_TO_FREEZE, discount: '12.5' },
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
