// Response to an export request: the file with its row count, or a request pending approval.

import { pendingId } from './pending.ts';

export type ExportOutcome =
  | { readonly kind: 'file'; readonly rows: number }
  | { readonly kind: 'pending'; readonly approvalId: number };

export function exportOutcome(text: string): ExportOutcome {
  if (text.startsWith('{')) {
    const approvalId = pendingId(JSON.parse(text));
    if (approvalId !== undefined) return { kind: 'pending', approvalId };
  }
  return { kind: 'file', rows: countRows(text) };
}

/** Counts rows without the header. A quoted value can contain line breaks. */
export function countRows(csv: string): number {
  let lines = 0;
  let isQuoted = false;
  let isInLine = false;
  for (const sign of csv) {
    if (sign === '"') isQuoted = !isQuoted;
    if (sign === '\n' && !isQuoted) {
      if (isInLine) lines += 1;
      isInLine = false;
    } else if (sign !== '\r') isInLine = true;
  }
  return Math.max(0, lines + (isInLine ? 1 : 0) - 1);
}

/** Returns hexadecimal digits, as `sha256sum` prints them and the exchange records them. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
