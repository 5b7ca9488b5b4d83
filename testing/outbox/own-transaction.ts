// Runs a rule that needs its caller's transaction in a separate transaction, for tests.

import { type Connection, inTransaction } from '../../infra/postgres/index.ts';

type Rule<Rest extends unknown[], Result> = (
  connection: Connection,
  ...rest: Rest
) => Promise<Result>;

export function inOwnTransaction<Rest extends unknown[], Result>(
  rule: Rule<Rest, Result>,
): Rule<Rest, Result> {
  return (connection, ...rest) => inTransaction(connection, () => rule(connection, ...rest));
}
