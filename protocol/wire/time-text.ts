// Converts times to wire text: ISO 8601 in UTC with milliseconds. It never reads a clock.

// Many events share the time of one frame, so recent texts are cached.
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

export function timeTextOrNull(time: Date | null): string | null {
  return time === null ? null : timeText(time.getTime());
}
