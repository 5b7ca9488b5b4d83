// A range of days (UTC) as the lists take it: from the start of the first to the end of the last.

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** An empty end is open. */
export function isDayRange(from: string, to: string): boolean {
  const areDays = [from, to].every((day) => day === '' || DAY.test(day));
  return areDays && (from === '' || to === '' || from <= to);
}

export function rangeOf(
  from: string,
  to: string,
): { readonly start_date?: string; readonly end_date?: string } {
  return {
    ...(from !== '' && { start_date: `${from}T00:00:00.000Z` }),
    ...(to !== '' && { end_date: `${to}T23:59:59.999Z` }),
  };
}
