// Ledger: accounts and balanced moves between them. Has no notion of orders, markets or commands.

export { Ledger } from './ledger.ts';
