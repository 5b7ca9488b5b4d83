// Parameters that lists share.

import { may, type Parameter } from './shape.ts';

type Parameters = Readonly<Record<string, Parameter>>;

const PAGE_SIZE = 50;

/** Page, order and date parameters of a list with this maximum page size. */
export function paging(maximum: 50 | 100): Parameters {
  return {
    limit: may('number', 'rows per page', { default: PAGE_SIZE, maximum }),
    page: may('number', 'page, counted from 1', { default: 1 }),
    order_by: may('string', 'column to sort by'),
    order: may('string', 'direction', { values: ['asc', 'desc'] }),
    start_date: may('time', 'oldest row'),
    end_date: may('time', 'newest row'),
  };
}

/** A file instead of a page. */
export const format: Parameter = may('string', 'csv: a file; all: every row as JSON', {
  values: ['csv', 'all'],
});

export const FLAGS: Parameters = Object.fromEntries(
  ['status', 'dismissed', 'rejected', 'processing', 'waiting'].map((name) => [
    name,
    may('boolean', 'rows with this state'),
  ]),
);

export const TRANSFER_FILTERS: Parameters = {
  currency: may('string', 'coin'),
  transaction_id: may('string', 'transaction'),
  address: may('string', 'address'),
  ...FLAGS,
};
