// Checks that all lists share: pages, order, dates, files and filters.

import type { Call } from './interface.ts';
import { Deviation, expect, type Stage } from './stage.ts';
import type { Body, Caller } from './target.ts';

export type Check = (stage: Stage) => Promise<void>;
export type Checks = Readonly<Record<string, Check>>;

type Row = Readonly<Record<string, Body>>;
type Given = Readonly<Record<string, unknown>>;

export interface ListPlan {
  readonly call: Call;
  /** Caller, by default that of the endpoint. */
  by?(stage: Stage): Caller;
  /** Parameters of every request. */
  base?(stage: Stage): Given;
  /** Date column. */
  readonly date: string;
  /** Columns to sort by. */
  readonly sorts: readonly string[];
  readonly maximum: 50 | 100;
  /** Prefix of every parameter name. */
  readonly prefix?: string;
  readonly hasFile?: boolean;
}

const PAGE_DEFAULT = 50;
const FAR_FUTURE = '2099-01-01T00:00:00.000Z';
const FAR_PAST = '2001-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;

export function listChecks(plan: ListPlan): Checks {
  const { call, date, maximum, prefix = '' } = plan;
  const page = (stage: Stage, given: Given = {}): Promise<{ count: number; data: Row[] }> => {
    const named = Object.entries(given).map(([name, value]) => [`${prefix}${name}`, value]);
    const all = { ...plan.base?.(stage), ...Object.fromEntries(named) };
    return stage.ok(call, all, plan.by?.(stage));
  };
  const checks: Checks = {
    answer: async (stage) => {
      const { count, data } = await page(stage);
      expect(count > 0 && data.length > 0, 'rows', { count });
    },
    limit: async (stage) => {
      const { count, data } = await page(stage);
      const usual = Math.min(count, PAGE_DEFAULT);
      expect(data.length === usual, `${usual} rows without limit`, data.length);
      const one = await page(stage, { limit: 1 });
      expect(one.data.length === 1 && one.count === count, 'limit=1: one row, the same count', {
        rows: one.data.length,
        count: one.count,
      });
      const most = Math.min(count, maximum);
      const many = await page(stage, { limit: 1_000 });
      expect(many.data.length === most, `limit=1000: ${most} rows`, many.data.length);
    },
    page: async (stage) => {
      const { data: two } = await page(stage, { limit: 2 });
      expect(two.length === 2, 'two rows', two.length);
      const { data: second } = await page(stage, { limit: 1, page: 2 });
      const isNext = JSON.stringify(second[0]) === JSON.stringify(two[1]);
      expect(isNext, 'page=2 of one row: the second row', second[0]);
    },
    order_by: async (stage) => {
      for (const column of plan.sorts) {
        const { data } = await page(stage, { order_by: column, order: 'asc', limit: maximum });
        expectSorted(data, column);
      }
    },
    order: async (stage) => {
      const [first] = plan.sorts;
      for (const order of ['asc', 'desc']) {
        const { data } = await page(stage, { order_by: first, order, limit: maximum });
        expectSorted(order === 'asc' ? data : data.toReversed(), first);
      }
    },
    start_date: async (stage) => {
      const { data } = await page(stage, { limit: maximum });
      const middle = middleOf(data, date);
      const later = await page(stage, { start_date: middle, limit: maximum });
      const isLater = later.data.every((row) => row[date] >= middle);
      expect(later.data.length > 0 && isLater, `rows since ${middle}`, later.data.at(-1)?.[date]);
      const none = await page(stage, { start_date: FAR_FUTURE });
      expect(none.data.length === 0, 'no row since 2099', none.data.length);
    },
    end_date: async (stage) => {
      const { data } = await page(stage, { limit: maximum });
      const middle = middleOf(data, date);
      const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
      const all = await page(stage, { end_date: tomorrow, limit: maximum });
      expect(all.data.length >= data.length, 'all rows until tomorrow', all.data.length);
      const earlier = await page(stage, { end_date: middle, limit: maximum });
      const isEarlier = earlier.data.every((row) => row[date] <= middle);
      expect(isEarlier, `rows until ${middle}`, earlier.data[0]?.[date]);
      const none = await page(stage, { end_date: FAR_PAST });
      expect(none.data.length === 0, 'no row until 2001', none.data.length);
    },
  };
  const file: Checks = plan.hasFile === true ? { format: fileCheck(plan) } : {};
  return Object.fromEntries(
    Object.entries({ ...checks, ...file }).map(([name, check]) => [
      name === 'answer' ? name : `${prefix}${name}`,
      check,
    ]),
  );
}

/** `csv` is a file with a line for each row, `all` is every row as JSON. */
export function fileCheck({
  base,
  by,
  call,
  prefix = '',
}: Omit<ListPlan, 'date' | 'sorts' | 'maximum'>): Check {
  return async (stage) => {
    const given = base?.(stage) ?? {};
    const name = `${prefix}format`;
    const { count } = await stage.ok(call, given, by?.(stage));
    const { data } = await stage.ok(call, { ...given, [name]: 'all' }, by?.(stage));
    expect(data.length >= count, `format=all: ${count} rows`, data.length);
    const { headers, status, text } = await stage.send(
      call,
      { ...given, [name]: 'csv' },
      by?.(stage),
    );
    const type = headers.get('content-type') ?? '';
    expect(status < 300 && type.startsWith('text/csv'), 'format=csv: a file', `${status} ${type}`);
    const lines = text.trimEnd().split('\n');
    expect(lines.length > count, `format=csv: a line with names and ${count} rows`, lines.length);
    const [column] = Object.keys(data[0] ?? {});
    expect(lines[0].includes(column), `format=csv: the column ${column}`, lines[0]);
  };
}

/** Checks that some rows are returned, that all of them match, and that others are left out. */
export function filterCheck(
  call: Call,
  name: string,
  plan: {
    value(stage: Stage): unknown;
    isIncluded(row: Row, value: Body): boolean;
    base?(stage: Stage): Given;
    by?(stage: Stage): Caller;
    /** Whether every row of this stage has the value. */
    readonly findsAll?: boolean;
  },
): Check {
  return async (stage) => {
    const value = plan.value(stage);
    const base = plan.base?.(stage) ?? {};
    const by = plan.by?.(stage);
    const all = await stage.ok(call, base, by);
    const found = await stage.ok(call, { ...base, [name]: value }, by);
    expect(found.data.length > 0, `rows with ${name}=${value}`, 'no row');
    const other = found.data.find((row: Row) => !plan.isIncluded(row, value));
    expect(other === undefined, `only rows with ${name}=${value}`, other);
    if (plan.findsAll === true) return;
    expect(found.count < all.count, `fewer rows than ${all.count} with ${name}`, found.count);
  };
}

/** Checks a flag that is true for some rows and false for others. */
export function flagCheck(
  call: Call,
  name: string,
  plan: { base?(stage: Stage): Given; readonly column?: string } = {},
): Check {
  return async (stage) => {
    const { column = name } = plan;
    const base = plan.base?.(stage) ?? {};
    const all = await stage.ok(call, base);
    let sum = 0;
    for (const value of [true, false]) {
      const { count, data } = await stage.ok(call, { ...base, [name]: value });
      expect(count > 0, `rows with ${name}=${value}`, 'no row');
      const other = data.find((row: Row) => row[column] !== value);
      expect(other === undefined, `only rows with ${name}=${value}`, other);
      sum += count;
    }
    expect(sum === all.count, `${all.count} rows with ${name} or without`, sum);
  };
}

/** Checks that the call is rejected without a required parameter. */
export function requiredCheck(
  call: Call,
  given: (stage: Stage) => Given,
  names: readonly string[],
): Checks {
  return Object.fromEntries(
    names.map((name) => [
      name,
      async (stage: Stage) => {
        const { [name]: _left, ...rest } = given(stage);
        await stage.refused(call, rest);
      },
    ]),
  );
}

/** Runs several checks for one item. */
export function both(...checks: readonly Check[]): Check {
  return async (stage) => {
    for (const check of checks) await check(stage);
  };
}

function expectSorted(rows: readonly Row[], column: string): void {
  const values = rows.map((row) => row[column]);
  if (values.some((value) => value === undefined)) throw new Deviation(`column ${column}`, rows[0]);
  for (let at = 1; at < values.length; at += 1) {
    const [before, after] = [values[at - 1], values[at]];
    const isAfter = typeof before === 'string' ? compareTexts(before, after) <= 0 : before <= after;
    expect(isAfter, `rows in the order of ${column}`, [before, after]);
  }
}

/** Compares numeric texts, such as order IDs and balances, as numbers. */
function compareTexts(a: string, b: string): number {
  if (a !== '' && b !== '' && Number.isFinite(Number(a)) && Number.isFinite(Number(b))) {
    return Number(a) - Number(b);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}

function middleOf(rows: readonly Row[], date: string): string {
  const times = rows.map((row) => String(row[date])).toSorted();
  const middle = times[Math.floor(times.length / 2)];
  if (middle === undefined) throw new Deviation('rows', 'no row');
  return middle;
}
