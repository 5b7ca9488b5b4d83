// The schema of the registry: its migrations in order.

export { readRegistryMigrations } from './migrations/registry-migrations.ts';
