// The book as a trader draws it: bids left, price in the middle, asks right, highest price on top,
// and in each cell the orders in queue order.

export interface DrawnOrder {
  /** The order's name in the story: b2 is the second order that bob sent. */
  readonly label: string;
  readonly size: string;
}

export interface BookRow {
  readonly price: string;
  readonly bids: DrawnOrder[];
  readonly asks: DrawnOrder[];
}

/** `b1 2, c1 3 | 101 |` is a level of two bids. `a1..a200 1` is two hundred orders of 1 each. */
export function parseBookRow(content: string): BookRow {
  const cells = content.split('|').map((cell) => cell.trim());
  if (cells.length !== 3) throw new Error('a level reads: bids | price | asks');
  const [bids, price, asks] = cells;
  if (!/^[\d,]+(\.\d+)?$/.test(price)) throw new Error(`'${price}' is not a price`);
  const row = { price: price.replaceAll(',', ''), bids: parseQueue(bids), asks: parseQueue(asks) };
  if (row.bids.length === 0 && row.asks.length === 0) throw new Error('a level without orders');
  return row;
}

function parseQueue(cell: string): DrawnOrder[] {
  if (cell === '') return [];
  return cell.split(',').flatMap((entry) => {
    const match = /^([a-z])(\d+)(?:\.\.([a-z])(\d+))? +(\d+(?:\.\d+)?)$/.exec(entry.trim());
    if (match === null) throw new Error(`'${entry.trim()}' is not an order like b1 2`);
    const [, initial, first, lastInitial = initial, last = first, size] = match;
    const count = Number(last) - Number(first) + 1;
    if (initial !== lastInitial || count < 1)
      throw new Error(`'${entry.trim()}' is not a range like a1..a9`);
    return Array.from({ length: count }, (_, n) => ({
      label: `${initial}${Number(first) + n}`,
      size,
    }));
  });
}

export function drawBook(rows: readonly BookRow[], stops: readonly string[]): string[] {
  const cells = rows.map((row) => [drawQueue(row.bids), row.price, drawQueue(row.asks)]);
  const width = (column: number) => Math.max(0, ...cells.map((cell) => cell[column].length));
  const [bidsWidth, priceWidth] = [width(0), width(1)];
  const levels = cells.map(
    ([bids, price, asks]) =>
      `${bids.padStart(bidsWidth)} | ${price.padStart(priceWidth)} | ${asks}`,
  );
  return [...(levels.length > 0 ? levels : ['empty']), ...stops];
}

/** Draws runs of equal orders as ranges, so a long queue fits on one line. */
function drawQueue(orders: readonly DrawnOrder[]): string {
  const entries: string[] = [];
  for (let start = 0, end = 0; start < orders.length; start = end) {
    const { label, size } = orders[start];
    const follows = (n: number) =>
      orders[n]?.size === size &&
      orders[n].label === `${label[0]}${Number(label.slice(1)) + n - start}`;
    for (end = start + 1; follows(end); end += 1);
    if (end - start < 3) end = start + 1;
    const range = end - start > 1 ? `${label}..${orders[end - 1].label}` : label;
    entries.push(`${range} ${size}`);
  }
  return entries.join(', ');
}

/** Two columns of lines, with `!` before each pair that differs. */
export function sideBySide(expected: readonly string[], actual: readonly string[]): string {
  const left = ['expected', ...expected];
  const right = ['actual', ...actual];
  const width = Math.max(...left.map((line) => line.length), 20);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, n) => {
    const differs = n > 0 && left[n] !== right[n];
    return `  ${differs ? '!' : ' '} ${(left[n] ?? '').padEnd(width)}  ║  ${right[n] ?? ''}`;
  }).join('\n');
}
