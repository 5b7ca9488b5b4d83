// Projections: the schema of the tables that the projector writes, and the queries that read them.

export { checksumTables, PROJECTED_TABLES, type ProjectedTable } from './checksums.ts';
export { logInTables } from './known-log.ts';
export {
  makeMonthPartitions,
  makeOrderPartition,
  monthOf,
  orderPartition,
  orderPartitionTable,
  PARTITION_FUNCTIONS,
} from './partitions.ts';
export {
  decodeProgress,
  decodeWanted,
  encodeProgress,
  encodeWanted,
  progressSubject,
  wantedSubject,
} from './progress.ts';
export { readProjectionMigrations } from './projection-migrations.ts';
export {
  BALANCES_OF_USER,
  FILL_SORT_COLUMNS,
  fillsOfUser,
  newestFirst,
  OPEN_ORDER_OF_USER,
  ORDER_BY_NUMBER,
  ORDERS_BY_CLIENT_ID,
  orderSortColumns,
  ordersOfUser,
  publicTrades,
  type SortColumns,
  tradeSortColumns,
} from './projection-queries.ts';
export { switchSchemas } from './switch-schemas.ts';
export { balancesOfRows, fillOfRow, orderOfRow } from './trading-rows.ts';
