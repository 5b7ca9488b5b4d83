// Turns the audit filters in the URL into query parameters.

import type { GetAuditsQuery } from '../../../client/index.ts';

const DAY_MS = 86_400_000;

/** `to` is an inclusive day, but the call takes an exclusive end. */
export function auditQuery(parameters: Readonly<Record<string, string>>): GetAuditsQuery {
  const { act = '', from = '', id = '', object = '', subject = '', to = '' } = parameters;
  const user = parameters.user_id ?? '';
  return {
    ...(isNumber(id) && { id: Number(id) }),
    ...(isNumber(user) && { user_id: Number(user) }),
    ...(subject !== '' && { subject }),
    ...(act !== '' && { act }),
    ...(object !== '' && { object }),
    ...(isDay(from) && { start_date: `${from}T00:00:00.000Z` }),
    ...(isDay(to) && { end_date: new Date(Date.parse(to) + DAY_MS).toISOString() }),
  };
}

function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
