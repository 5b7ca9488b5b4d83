// The kinds of mail that the exchange sends, and the values that each one shows. A template exists
// for every kind; values are plain text, and the template escapes them.

/** Values that every security mail shows, so that the owner can judge it. */
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

/** A code to type in, or a link to follow; the form that the client chose. */
export interface CodeValues extends Circumstances {
  readonly code: string;
  /** v2 is a link with the code, the others are typed in. */
  readonly form: 'v2' | 'v3' | 'v4' | 'v5';
}

/** The terms of a deposit or a withdrawal. Amounts are decimals; '' and a fee of 0 are hidden. */
export interface TransferTerms {
  readonly amount: string;
  readonly currency: string;
  readonly fee: string;
  readonly feeCurrency: string;
  readonly network: string;
  /** With its tag, as `address:tag`; an e-mail address on the network `email`. */
  readonly address: string;
}

/** A change of a deposit or a withdrawal: no person caused it, so it has no network address. */
export interface TransferValues extends TransferTerms {
  /** ISO 8601, in UTC. */
  readonly time: string;
  readonly transactionId: string;
  /** Freezes the account while that still stops the payment; else ''. */
  readonly freezeToken: string;
}

/** Why a deposit or a withdrawal ended without moving money; a final state of it. */
export type TransferEnd = 'canceled' | 'dismissed' | 'rejected' | 'expired' | 'refused';

export interface MailValues {
  /** Sign-up: the code that verifies the address. */
  readonly verify_email: CodeValues;
  /** Someone signed up with an address that has an account. */
  readonly already_registered: Circumstances;
  readonly welcome: Circumstances;
  readonly reset_password: CodeValues;
  readonly change_password: CodeValues;
  readonly password_changed: Circumstances;
  /** The code that confirms a change of API keys, or the deletion of the account. */
  readonly confirm_action: CodeValues;
  /** A login from a new device. */
  readonly new_device: Circumstances;
  /** A login from a new country, which waits for this code. */
  readonly suspicious_login: CodeValues;
  /** Someone knows the password and fails at the second factor. */
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
  /** The code that confirms a withdrawal, and what it confirms. */
  readonly confirm_withdrawal: CodeValues & TransferTerms;
  /** The amount is held: the withdrawal waits for its payment. */
  readonly withdrawal_held: TransferValues;
  readonly withdrawal_completed: TransferValues;
  readonly withdrawal_ended: TransferValues & { readonly end: TransferEnd };
  readonly deposit_pending: TransferValues;
  readonly deposit_completed: TransferValues;
  readonly deposit_ended: TransferValues & { readonly end: TransferEnd };
  readonly address_book_changed: Circumstances & {
    /** Each address in one line, with its network. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
    /** ISO 8601; when the added addresses can be used. '' if there are none. */
    readonly effectiveFrom: string;
  };
  /** An operator entered, verified, rejected or removed bank accounts of the user. */
  readonly bank_account_changed: Circumstances & {
    /** Each account in one line, with the end of its number. */
    readonly added: readonly string[];
    readonly removed: readonly string[];
  };
  readonly book_only_changed: Circumstances & {
    readonly isBookOnly: boolean;
    readonly effectiveFrom: string;
  };
  readonly sub_account_created: Circumstances & { readonly label: string };
  /** To the owner, and without a freeze token to the other person. */
  readonly shared_account_granted: Circumstances & {
    /** The e-mail addresses of the owner and of the other person. */
    readonly account: string;
    readonly sharedWith: string;
  };
  /** To the operator's support address. */
  readonly support_message: {
    readonly sender: string;
    readonly category: string;
    readonly subject: string;
    /** May have several lines. */
    readonly message: string;
  };
  /** An operator's own text; the title is the subject, '' for the default one. */
  readonly operator_message: {
    readonly title: string;
    /** Plain text; may have several lines. */
    readonly message: string;
  };
  readonly invitation: { readonly code: string; readonly validUntil: string };
}

export type FactorName = 'otp' | 'passkey' | 'recovery_codes';
export type MailKind = keyof MailValues;

/** Mails with a code are worthless after its life; unsent ones expire. */
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
