// PostgreSQL: connections, transactions, COPY, migrations, partitions, checksums, and the queries
// of lists. Knows tables and rows, not what an event means.

export * from './checksums.ts';
export * from './column-arrays.ts';
export * from './connections.ts';
export * from './copy-rows.ts';
export * from './describe-schema.ts';
export * from './faults.ts';
export * from './in-transaction.ts';
export * from './migrations.ts';
export * from './partitions.ts';
export * from './postgres-settings.ts';
export * from './progress.ts';
export * from './queries/money-queries.ts';
export * from './queries/order-queries.ts';
export * from './queries/trade-queries.ts';
export * from './queries/trading-rows.ts';
export * from './switch-schemas.ts';
