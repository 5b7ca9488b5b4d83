// Text tables and counts for the terminal. Number columns are right-aligned.

export interface Column {
  readonly title: string;
  readonly isNumber?: boolean;
}

/** Returns the lines of the table, with the titles first. */
export function tableLines(columns: readonly Column[], rows: readonly string[][]): string[] {
  const titles = columns.map(({ title }) => title);
  const all = [titles, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => row[index].length)));
  return all.map((row) => {
    const cells = row.map((cell, index) => {
      const width = widths[index];
      return columns[index].isNumber ? cell.padStart(width) : cell.padEnd(width);
    });
    return cells.join('  ').trimEnd();
  });
}

/** For example `1,234,567`. */
export function countText(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** For example `1 frame`, `2 frames`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
