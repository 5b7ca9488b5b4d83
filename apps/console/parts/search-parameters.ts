// Screen parameters in the URL, so a link opens the same view.

import { useNavigate, useSearch } from '@tanstack/react-router';

export type Parameters = Readonly<Record<string, string>>;

/** The router parses numbers in a URL as numbers; here they are all text. */
export function useParameters(): readonly [Parameters, (change: Parameters) => void] {
  const raw = useSearch({ strict: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      parameters[name] = String(value);
    }
  }
  /** An empty value removes its parameter. */
  const change = (values: Parameters) => {
    const kept = Object.entries({ ...parameters, ...values }).filter(([, value]) => value !== '');
    void navigate({ to: '.', search: Object.fromEntries(kept) as never });
  };
  return [parameters, change];
}

/** Returns a whole number, or undefined. */
export function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
