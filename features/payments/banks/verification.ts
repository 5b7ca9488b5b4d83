// How far operators have verified a bank account or a payment detail.

/** empty: not subject to verification. */
export type VerificationStatus = 'empty' | 'pending' | 'rejected' | 'verified';
