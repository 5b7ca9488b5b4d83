// The statements of a list. Filters that are not set are null: the statements have no name, so the
// planner knows the values and plans null filters away.

import type { SortColumns } from '../../../infra/projections/index.ts';

export interface OperatorList {
  /** `order` is a whole `order by …`. The last two values are limit and offset. */
  rows(order: string): string;
  /** The last value is the highest count; null counts all. */
  readonly count: string;
  /** The values of the filters, which come first in both statements. */
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
  /** The columns of a page; by default those of the list. */
  readonly columns: string;
  /** The name of the table in the order. */
  readonly table: string;
  readonly values: readonly unknown[];
  /** Columns that are looked up for the rows of a page alone: `(select …) as name`. */
  readonly lookedUp?: readonly string[];
}

/**
 * Looked-up columns are subqueries outside the page: neither skipped rows nor counts pay for them,
 * and a file of all rows is never joined and sorted as a whole.
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

/** The e-mail address and the username of the user of a row. */
export function userColumns(id: string): readonly string[] {
  return ['email', 'username'].map(
    (column) => `(select u.${column} from users u where u.id = ${id}) as ${column}`,
  );
}
