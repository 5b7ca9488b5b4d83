// Migrations: the one numbered sequence that creates the registry, the tables that domain/ owns.

export { readRegistryMigrations } from './registry-migrations.ts';
