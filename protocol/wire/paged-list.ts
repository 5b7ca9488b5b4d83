// A page of a list, and the parameters that select it.

import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { Type } from './type.ts';
import { MomentIn, oneOf } from './wire-types.ts';

export const PAGE_LENGTH = 50;
export const PAGE_LENGTH_MAX = 100;

export function pagedList<const Row extends TSchema>(row: Row) {
  return Type.Object({
    count: Type.Integer({ description: 'Number of rows on all pages.' }),
    data: Type.Array(row),
  });
}

const limitIn = (maximum: number) =>
  Type.Integer({
    minimum: 1,
    maximum,
    default: PAGE_LENGTH,
    clamped: true,
    description: 'A value out of range is set to the nearest limit.',
  });

const listProperties = {
  limit: limitIn(PAGE_LENGTH_MAX),
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, clamped: true }),
  order_by: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9_]+$' })),
  order: Type.Optional(oneOf(['asc', 'desc'])),
  start_date: Type.Optional(MomentIn),
  end_date: Type.Optional(MomentIn),
};

/** Common list parameters, with those of one list. */
export function listQuery<const Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...filters, ...listProperties });
}

/** The same for operator lists whose pages are documented as at most 50 rows. */
export function shortListQuery<const Filters extends TProperties>(filters: Filters) {
  return Type.Object({ ...filters, ...listProperties, limit: limitIn(PAGE_LENGTH) });
}

/** For lists that are available as a file or without pages. */
export const FormatIn = Type.Optional(
  Type.Unsafe<'csv' | 'all'>({
    ...oneOf(['csv', 'all'], '`csv` returns a file, `all` every row; others are ignored.'),
    othersIgnored: true,
  }),
);

/** Returns the field names in a row of a paged list, in order; none for other responses. */
export function columnsOf(response: TSchema): readonly string[] {
  const { properties } = response as { properties?: { data?: { items?: TObject } } };
  return Object.keys(properties?.data?.items?.properties ?? {});
}

export type ListQuery = Static<ReturnType<typeof listQuery<Record<never, never>>>>;
