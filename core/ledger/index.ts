// Ledger: accounts and balanced moves between them. Knows no orders, markets or commands.

export { Ledger } from './ledger.ts';
