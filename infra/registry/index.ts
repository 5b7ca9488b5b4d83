// Registry: what people own and operators describe, in a PostgreSQL schema of its own. Knows rows,
// not who may see them.

export * from './catalogue.ts';
export * from './catalogue-entries.ts';
export * from './coins.ts';
export * from './credentials.ts';
export * from './deposit-requests.ts';
export * from './keys.ts';
export { describeKit } from './kit.ts';
export * from './outbox.ts';
export * from './outbox-outcomes.ts';
export * from './outbox-settle.ts';
export * from './registry-migrations.ts';
export * from './registry-settings.ts';
export * from './request-lists.ts';
export * from './sessions.ts';
export * from './statements.ts';
export * from './tiers.ts';
export * from './users.ts';
export * from './withdrawal-limits.ts';
export * from './withdrawal-requests.ts';
export * from './withdrawal-verdict-input.ts';
