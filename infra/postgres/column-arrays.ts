// Columns as PostgreSQL array literals for `unnest`: one parameter for each column, for any number
// of rows. Only numbers, times and plain words: nothing here needs quoting.

/** An array literal that grows. */
export class ColumnArray {
  #text = '';
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Null for undefined. A word consists of letters, digits, hyphens and underscores. */
  add(value: number | bigint | boolean | string | undefined): void {
    this.#text += `${this.#count === 0 ? '' : ','}${value === undefined ? 'null' : value}`;
    this.#count++;
  }

  addTime(timeMs: number | undefined): void {
    this.add(timeMs === undefined ? undefined : `"${new Date(timeMs).toISOString()}"`);
  }

  get literal(): string {
    return `{${this.#text}}`;
  }
}

export function columnArrays<Name extends string>(
  names: readonly Name[],
): Record<Name, ColumnArray> {
  const columns = names.map((name) => [name, new ColumnArray()] as const);
  return Object.fromEntries(columns) as Record<Name, ColumnArray>;
}
