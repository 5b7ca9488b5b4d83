// Errors of malformed requests and of the exchange itself. An unknown outcome must never be
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
    text: 'Request validation failed: Parameter ({name}) is not known; did you mean {known}?',
  },
  body_key_not_supported: {
    status: 400,
    code: 2017,
    audience: 'programs',
    text: 'Request validation failed: Parameter ({name}) is not supported; no order was placed',
  },
  value_not_a_number: { status: 400, code: 2013, text: 'Value is not a number: {name}' },
  date_invalid: { status: 400, code: 74, text: 'Date is not valid: {name}' },
  dates_reversed: { status: 400, code: 2014, text: 'start_date must not be after end_date' },
  order_by_unknown: {
    status: 400,
    code: 132,
    audience: 'programs',
    text: 'Can not order by {name}',
  },
  order_by_needs_filter: {
    status: 400,
    code: 2024,
    audience: 'programs',
    text: 'Ordering by {name} needs the filter {filter}: other values do not compare',
  },
  order_by_too_many_rows: {
    status: 400,
    code: 2025,
    audience: 'programs',
    text: 'Ordering by {name} sorts at most {count} rows; narrow start_date and end_date',
  },
  list_too_slow: {
    status: 503,
    code: 2037,
    audience: 'programs',
    text: 'The list took too long to read; narrow it by start_date, end_date or symbol',
  },
  no_rows_for_csv: { status: 400, code: 141, text: 'No data to convert to CSV' },
  too_many_rows: {
    status: 400,
    code: 2015,
    text: 'Too many rows for one answer; narrow start_date and end_date',
  },
  too_many_candles: {
    status: 400,
    code: 2016,
    audience: 'programs',
    text: 'Too many candles for one answer; at most {max} between from and to',
  },

  path_not_found: { status: 404, code: 2020, text: 'Not found' },
  method_not_allowed: { status: 405, code: 2021, audience: 'programs', text: 'Method not allowed' },
  body_too_large: {
    status: 413,
    code: 2022,
    audience: 'programs',
    text: 'Request body is too large',
  },
  rate_limit_exceeded: { status: 429, code: 2023, text: 'Too many requests. Retry later' },
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
    text: 'The request did not arrive in time',
  },
  headers_too_large: {
    status: 431,
    code: 2028,
    audience: 'programs',
    text: 'The headers of the request are too large',
  },

  internal_fault: { status: 500, code: 90, text: 'Something went wrong. Retry later' },
  exchange_busy: {
    status: 503,
    code: 2030,
    text: 'The exchange is busy and has not taken the request. Retry later',
  },
  exchange_without_leader: {
    status: 503,
    code: 2031,
    text: 'The exchange is not available at present and has not taken the request. Retry later',
  },
  tables_behind: {
    status: 503,
    code: 2032,
    text: 'The answer would not contain what you have been told already. Retry later',
  },
  data_unavailable: { status: 503, code: 81, text: 'Service unavailable. Retry later' },
  // 400, not 503: clients take a 503 for a failure after which nobody knows the outcome.
  exchange_read_only: {
    status: 400,
    code: 2034,
    text: 'The exchange is read-only at present, and nothing was changed. Cancels are accepted',
  },
  intake_stopped: {
    status: 503,
    code: 2035,
    text: 'The exchange accepts no requests at present and has not taken this one. Retry later',
  },
  logins_stopped: {
    status: 503,
    code: 2036,
    text: 'Logins and sign-ups are stopped at present. Retry later',
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
      'Outcome unknown: the request may have been carried out. Ask for the order by ' +
      'client_order_id, or for the list, before sending it again',
  },
} as const satisfies ErrorTable;
