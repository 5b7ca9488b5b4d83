// Point in time at which the ledger is read: now, a log frame, or a time.

import type { LedgerPosition } from '../../../client/index.ts';

export type AsOf =
  | { readonly kind: 'now' }
  | { readonly kind: 'frame'; readonly frame: number }
  | { readonly kind: 'time'; readonly at: string };

/** Parses the URL text: empty, a frame number, or a time. Anything else means now. */
export function asOfOf(text: string | undefined): AsOf {
  if (text === undefined || text === '') return { kind: 'now' };
  if (/^\d{1,15}$/.test(text)) return { kind: 'frame', frame: Number(text) };
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? { kind: 'now' } : { kind: 'time', at: new Date(ms).toISOString() };
}

/** Returns the query parameter for the calls. */
export function asOfQuery(asOf: AsOf): { readonly as_of?: string } {
  if (asOf.kind === 'now') return {};
  return { as_of: asOf.kind === 'frame' ? String(asOf.frame) : asOf.at };
}

/** Returns whether a response is final, or later postings can still change it. */
export function finality({ is_final: isFinal }: LedgerPosition, asOf: AsOf): 'final' | 'moving' {
  return isFinal && asOf.kind !== 'now' ? 'final' : 'moving';
}

export type PostingsOf = 'user' | 'fees' | 'external' | 'command' | 'frame';

/** Returns the parameters that select postings; undefined if the ID is missing. */
export function postingsQuery(
  by: PostingsOf,
  of: string,
): Readonly<Record<string, string | number>> | undefined {
  if (by === 'fees' || by === 'external') return { account: by };
  if (!/^\d{1,15}$/.test(of)) return undefined;
  return { [by === 'user' ? 'user_id' : by]: Number(of) };
}
