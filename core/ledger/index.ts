// Ledger: accounts and balanced moves between them. Knows no orders, markets or commands.

export * from './accounts.ts';
export * from './ledger.ts';
