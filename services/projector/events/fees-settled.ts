// Settled fees are two ledger entries, which the postings make.

export function feesSettled(): void {}
