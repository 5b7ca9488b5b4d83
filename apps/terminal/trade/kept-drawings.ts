// Price chart drawings, stored in this browser per market. The stored text is validated.

export interface KeptDrawing {
  readonly name: string;
  readonly points: readonly { timestamp?: number; value?: number }[];
}

const KEPT_MAX = 100;

export function parseDrawings(stored: string | null): readonly KeptDrawing[] {
  try {
    const value = JSON.parse(stored ?? '[]') as unknown;
    return Array.isArray(value) ? value.filter(isDrawing).slice(0, KEPT_MAX) : [];
  } catch {
    return [];
  }
}

function isDrawing(value: unknown): value is KeptDrawing {
  const { name, points } = (value ?? {}) as { name?: unknown; points?: unknown };
  return typeof name === 'string' && Array.isArray(points) && points.every(isPoint);
}

function isPoint(point: unknown): boolean {
  const { timestamp, value } = (point ?? {}) as { timestamp?: unknown; value?: unknown };
  const isMissingOrNumber = (part: unknown) => part === undefined || Number.isFinite(part);
  return isMissingOrNumber(timestamp) && isMissingOrNumber(value);
}

export function readDrawings(symbol: string): readonly KeptDrawing[] {
  return parseDrawings(localStorage.getItem(keyOf(symbol)));
}

export function writeDrawings(symbol: string, drawings: readonly KeptDrawing[]): void {
  const kept = drawings.slice(0, KEPT_MAX).map(({ name, points }) => ({
    name,
    points: points.map(({ timestamp, value }) => ({
      ...(timestamp !== undefined && { timestamp }),
      ...(value !== undefined && { value }),
    })),
  }));
  localStorage.setItem(keyOf(symbol), JSON.stringify(kept));
}

function keyOf(symbol: string): string {
  return `rialto.drawings.${symbol}`;
}
