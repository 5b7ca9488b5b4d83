// Projections: the schema of the tables that the projector writes, and the queries that read them.

export { checksumTables, PROJECTED_TABLES, type ProjectedTable } from './checksums.ts';
export { BALANCES_OF_USER } from './money-queries.ts';
export {
  COUNT_ORDERS_OF_USER,
  ORDER_BY_NUMBER,
  ORDERS_BY_CLIENT_ID,
  ORDERS_OF_USER,
} from './order-queries.ts';
export {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
  orderPartitionTable,
} from './partitions.ts';
export { decodeProgress, encodeProgress, progressSubject } from './progress.ts';
export { readProjectionMigrations } from './projection-migrations.ts';
export { switchSchemas } from './switch-schemas.ts';
export { COUNT_FILLS_OF_USER, FILLS_OF_USER } from './trade-queries.ts';
export { balancesOfRows, fillOfRow, orderOfRow } from './trading-rows.ts';
