// Notices of the bell: announcements of the exchange, and what happened to the user's orders while
// this browser was open. Pure.

export interface KeptNotice {
  readonly id: string;
  readonly text: string;
  readonly at: string;
  readonly about: 'order' | 'announcement';
}

const KEPT_MAX = 30;

/** Newest first. */
export function withNotice(kept: readonly KeptNotice[], notice: KeptNotice): readonly KeptNotice[] {
  if (kept.some(({ id }) => id === notice.id)) return kept;
  return [notice, ...kept].slice(0, KEPT_MAX);
}

/** Newest first, from both lists. */
export function mergedNotices(
  orders: readonly KeptNotice[],
  announcements: readonly { readonly id: number; title: string; created_at: string }[],
): readonly KeptNotice[] {
  const told = announcements.map(
    ({ created_at: at, id, title: text }): KeptNotice => ({
      id: `announcement ${id}`,
      text,
      at,
      about: 'announcement',
    }),
  );
  return [...orders, ...told].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, KEPT_MAX);
}

/** A damaged list counts as empty. */
export function readKept(stored: string | null, user: number): readonly KeptNotice[] {
  try {
    const { kept, owner } = JSON.parse(stored ?? '{}') as { owner?: number; kept?: KeptNotice[] };
    return owner === user && Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}
