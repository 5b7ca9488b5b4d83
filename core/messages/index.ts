// Messages: what can be asked of an exchange and what can have happened, and their bytes.

export * from './codec-fault.ts';
export * from './commands.ts';
export * from './events.ts';
export * from './frame-codec.ts';
export * from './frame-limits.ts';
export * from './frame-writer.ts';
export * from './frames.ts';
export { SCHEMA_VERSION } from './layout.ts';
export * from './limits.ts';
export * from './order-ids.ts';
export * from './owners.ts';
export * from './postings.ts';
export * from './record-codec.ts';
export * from './vocabulary.ts';
