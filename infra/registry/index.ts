// Registry: what people own and operators describe, in a PostgreSQL schema of its own. Knows rows,
// not who may see them.

export * from './credentials.ts';
export * from './keys.ts';
export * from './registry-migrations.ts';
export * from './registry-settings.ts';
export * from './sessions.ts';
export * from './statements.ts';
export * from './users.ts';
