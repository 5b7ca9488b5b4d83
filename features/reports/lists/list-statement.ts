// Statements of a list. Unset filters are null: the statements are unnamed, so the planner sees the
// values and drops null filters.

import type { SortColumns } from '../../../infra/projections/index.ts';

export interface OperatorList {
  /** `order` is a complete `order by …`. The last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the maximum count; null counts all. */
  readonly count: string;
  /** Filter values, which come first in both statements. */
  readonly values: readonly unknown[];
  readonly sortColumns: SortColumns;
  /** The default order, newest first: unique together, and served by an index. */
  readonly defaultSort: readonly string[];
}

/** The dates of a list: from inclusive, to exclusive. */
export interface DateRange {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface StatementParts {
  /** `from t where …`, with $1, $2 … for the values. */
  readonly matching: string;
  /** Columns of a page; defaults to those of the list. */
  readonly columns: string;
  /** Name of the table in the order. */
  readonly table: string;
  readonly values: readonly unknown[];
  /** Columns looked up only for the rows of a page: `(select …) as name`. */
  readonly lookedUp?: readonly string[];
}

/**
 * Looked-up columns are subqueries outside the page: neither skipped rows nor counts pay for them,
 * and a file of all rows is never completely joined and sorted.
 */
export function listStatements({
  columns,
  lookedUp = [],
  matching,
  table,
  values,
}: StatementParts): Pick<OperatorList, 'count' | 'rows' | 'values'> {
  const given = values.map((value) => value ?? null);
  const [first, second] = [`$${given.length + 1}`, `$${given.length + 2}`];
  const more = lookedUp.map((column) => `, ${column}`).join('');
  return {
    values: given,
    rows: (order) =>
      `select ${table}.*${more} from (
         select ${columns} ${matching} ${order} limit ${first} offset ${second}
       ) ${table} ${order}`,
    count: `select count(*) from (select ${matching} limit ${first}) counted`,
  };
}

/** Email address and username of a row's user. */
export function userColumns(id: string): readonly string[] {
  return ['email', 'username'].map(
    (column) => `(select u.${column} from users u where u.id = ${id}) as ${column}`,
  );
}
