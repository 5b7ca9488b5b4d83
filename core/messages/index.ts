// Messages: what can be asked of an exchange and what can have happened, and their bytes.

export * from './commands.ts';
export * from './events.ts';
export * from './frames.ts';
export * from './limits.ts';
export * from './order-ids.ts';
export * from './owners.ts';
export * from './postings.ts';
export * from './vocabulary.ts';
