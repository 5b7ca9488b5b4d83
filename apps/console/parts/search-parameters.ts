// The parameters of a screen in its address, so that a link shows what the operator saw.

import { useNavigate, useSearch } from '@tanstack/react-router';

export type Parameters = Readonly<Record<string, string>>;

/** Numbers in an address are read as numbers; all of them are texts here. */
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

/** A whole number, or undefined. */
export function idOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
