// Mails about deposits and withdrawals, made from the rows of their changes.

export { mailChanges } from './mail-changes.ts';
