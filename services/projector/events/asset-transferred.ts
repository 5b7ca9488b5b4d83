// A transfer is two ledger entries with its reference, which its postings make.

export function assetTransferred(): void {}
