// Plain table for up to a few hundred rows: numbers aligned at the end, sticky headings, and rows
// of one height.

import type { ReactNode } from 'react';
import { ScrollArea } from './scroll-area.tsx';

export interface Column<Row> {
  readonly key: string;
  readonly label: ReactNode;
  cell(row: Row): ReactNode;
  /** Aligns numbers at the end. */
  readonly isNumber?: boolean;
  /** Hidden on narrow screens. */
  readonly isExtra?: boolean;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  keyOf(row: Row): string;
  readonly onRow?: (row: Row) => void;
}

/** Scrolls sideways if the table is wider than its panel. */
export function WideTable<Row>(props: TableProps<Row>) {
  return (
    <ScrollArea label={props.caption}>
      <Table {...props} />
    </ScrollArea>
  );
}

export function Table<Row>({ caption, columns, keyOf, onRow, rows }: TableProps<Row>) {
  const place = ({ isExtra = false, isNumber = false }: Column<Row>) =>
    `${isNumber ? 'text-end' : 'text-start'} ${isExtra ? 'max-md:hidden' : ''}`;
  return (
    <table className="w-full border-separate border-spacing-0 text-body">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={`sticky top-0 z-1 h-6 border-b border-line bg-panel px-2 text-label font-normal whitespace-nowrap text-quiet ${place(column)}`}
            >
              {column.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            onClick={onRow === undefined ? undefined : () => onRow(row)}
            className={`hover:bg-raised ${onRow === undefined ? '' : 'cursor-pointer'}`}
          >
            {columns.map((column) => (
              <td key={column.key} className={`h-row px-2 whitespace-nowrap ${place(column)}`}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
