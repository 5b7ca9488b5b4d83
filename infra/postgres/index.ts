// PostgreSQL: connections, transactions, COPY and migrations. Knows no table by name.

export { columnArrays } from './column-arrays.ts';
export {
  assertPlainName,
  type Connection,
  type ConnectionOptions,
  type OwnConnection,
  openConnection,
  openPool,
  type Pool,
  type PoolClient,
  withConnection,
} from './connections.ts';
export { CopyRows, storableText } from './copy-rows.ts';
export { type DatabaseWatcher, databaseTelemetry } from './database-watcher.ts';
export { describeSchema } from './describe-schema.ts';
export {
  type DumpedSequence,
  type DumpedTable,
  dumpableTables,
  dumpTable,
  readSequences,
  SchemaLoad,
} from './dump-schema.ts';
export {
  CommitUnknown,
  isCanceledStatement,
  isPassingFault,
  isRowDenied,
  SchemaFault,
  ServerBehind,
} from './faults.ts';
export { closeConnection, holdSingleton, tryLock } from './hold-singleton.ts';
export { inTransaction } from './in-transaction.ts';
export { LOCKS } from './locks.ts';
export { checkSchema, type Migration, migrate, readMigrations } from './migrations.ts';
export { postgresAddress } from './postgres-settings.ts';
export { SingletonLoop } from './singleton-loop.ts';
export { idOf, type Statements } from './statements.ts';
export { upsert } from './upsert.ts';
