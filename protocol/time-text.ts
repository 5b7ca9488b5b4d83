// Times as they stand on the wire: ISO 8601 in UTC with milliseconds. Only a conversion: it does
// not know what time it is.

// Many things happen in one frame, and many orders were placed in one: texts are used again.
const TIMES_KEPT = 4_096;
const times = new Map<number, string>();

export function timeText(timeMs: number): string {
  let text = times.get(timeMs);
  if (text === undefined) {
    text = new Date(timeMs).toISOString();
    if (times.size >= TIMES_KEPT) times.clear();
    times.set(timeMs, text);
  }
  return text;
}
