// Errors for malformed requests and for the exchange itself. An unknown outcome must never be
// reported as a failure.

import type { ErrorTable } from '../wire/index.ts';

export const requestErrors = {
  request_invalid: { status: 400, code: 2010, text: 'Request validation failed: {detail}' },
  body_malformed: {
    status: 400,
    code: 2011,
    audience: 'programs',
    text: 'Request body is not valid JSON: {detail}',
  },
  body_key_misspelt: {
    status: 400,
    code: 2012,
    audience: 'programs',
    text: 'Request validation failed: Parameter ({name}) is unknown; did you mean {known}?',
  },
  body_key_not_supported: {
    status: 400,
    code: 2017,
    audience: 'programs',
    text: 'Request validation failed: Parameter ({name}) is not supported; no order was placed',
  },
  value_not_a_number: { status: 400, code: 2013, text: 'Value is not a number: {name}' },
  date_invalid: { status: 400, code: 74, text: 'Invalid date: {name}' },
  dates_reversed: {
    status: 400,
    code: 2014,
    text: 'start_date must be before or equal to end_date',
  },
  order_by_unknown: {
    status: 400,
    code: 132,
    audience: 'programs',
    text: 'Cannot sort by {name}',
  },
  order_by_needs_filter: {
    status: 400,
    code: 2024,
    audience: 'programs',
    text: 'Sorting by {name} requires the filter {filter}, because other values are not comparable',
  },
  order_by_too_many_rows: {
    status: 400,
    code: 2025,
    audience: 'programs',
    text: 'Sorting by {name} is limited to {count} rows; narrow start_date and end_date',
  },
  list_too_slow: {
    status: 503,
    code: 2037,
    audience: 'programs',
    text: 'The query took too long; narrow it with start_date, end_date or symbol',
  },
  no_rows_for_csv: { status: 400, code: 141, text: 'No data to convert to CSV' },
  too_many_rows: {
    status: 400,
    code: 2015,
    text: 'Too many rows for one response; narrow start_date and end_date',
  },
  too_many_candles: {
    status: 400,
    code: 2016,
    audience: 'programs',
    text: 'Too many candles for one response; request at most {max} between from and to',
  },

  path_not_found: { status: 404, code: 2020, text: 'Not found' },
  method_not_allowed: { status: 405, code: 2021, audience: 'programs', text: 'Method not allowed' },
  body_too_large: {
    status: 413,
    code: 2022,
    audience: 'programs',
    text: 'Request body is too large',
  },
  rate_limit_exceeded: { status: 429, code: 2023, text: 'Too many requests. Try again later' },
  request_malformed: {
    status: 400,
    code: 2026,
    audience: 'programs',
    text: 'The request is not valid HTTP',
  },
  request_timed_out: {
    status: 408,
    code: 2027,
    audience: 'programs',
    text: 'The request was not received in time',
  },
  headers_too_large: {
    status: 431,
    code: 2028,
    audience: 'programs',
    text: 'The request headers are too large',
  },

  internal_fault: { status: 500, code: 90, text: 'Something went wrong. Try again later' },
  exchange_busy: {
    status: 503,
    code: 2030,
    text: 'The exchange is busy and did not accept the request. Try again later',
  },
  exchange_without_leader: {
    status: 503,
    code: 2031,
    text: 'The exchange is temporarily unavailable and did not accept the request. Try again later',
  },
  tables_behind: {
    status: 503,
    code: 2032,
    text: 'The data is not up to date yet. Try again later',
  },
  data_unavailable: { status: 503, code: 81, text: 'Service unavailable. Try again later' },
  // 400, not 503: clients treat a 503 as a failure with an unknown outcome.
  exchange_read_only: {
    status: 400,
    code: 2034,
    text: 'The exchange is in read-only mode and nothing was changed. Cancels are still accepted',
  },
  intake_stopped: {
    status: 503,
    code: 2035,
    text: 'The exchange is not accepting requests and did not accept this one. Try again later',
  },
  logins_stopped: {
    status: 503,
    code: 2036,
    text: 'Logins and sign-ups are temporarily disabled. Try again later',
  },
  feature_not_supported: {
    status: 400,
    code: 217,
    audience: 'programs',
    text: '{name} is not supported',
  },
  outcome_unknown: {
    status: 504,
    code: 2033,
    text:
      'Outcome unknown: the request may have been executed. Look up the order by ' +
      'client_order_id, or check the list, before sending it again',
  },
} as const satisfies ErrorTable;
