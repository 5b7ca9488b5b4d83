// Lines above every screen: incidents, stopped functions, announcements, session expiry.

import type { Announcement, Banner, ExchangeStatus } from '../../client/index.ts';

export interface BannerLine {
  /** Identifies a dismissed announcement. */
  readonly key: string;
  readonly kind: Banner['kind'];
  readonly about:
    | { readonly what: 'text'; readonly text: string }
    | { readonly what: 'read only' }
    | { readonly what: 'session ends'; readonly at: string };
  readonly canDismiss: boolean;
}

/** Session expiry is announced this long before it happens. */
export const ENDING_MS = 10 * 60_000;

export interface BannerFacts {
  readonly status: Pick<ExchangeStatus, 'banners' | 'read_only'> | undefined;
  readonly announcements: readonly Pick<Announcement, 'id' | 'title' | 'is_navbar' | 'is_popup'>[];
  readonly dismissed: ReadonlySet<string>;
  /** Expiry of this page's session. */
  readonly endsAt: string | undefined;
  readonly nowMs: number;
}

/** Most severe first. */
export function bannerLines(facts: BannerFacts): BannerLine[] {
  const { announcements, dismissed, endsAt, nowMs, status } = facts;
  const ranks: Readonly<Record<Banner['kind'], number>> = { incident: 0, warning: 1, info: 2 };
  const lines: BannerLine[] = (status?.banners ?? []).map(({ kind, since, text }) => ({
    key: `${since} ${text}`,
    kind,
    about: { what: 'text', text },
    canDismiss: kind === 'info',
  }));
  if (status?.read_only === true) {
    lines.push({
      key: 'read only',
      kind: 'incident',
      about: { what: 'read only' },
      canDismiss: false,
    });
  }
  if (endsAt !== undefined && isNear(endsAt, nowMs)) {
    lines.push({
      key: `session ${endsAt}`,
      kind: 'warning',
      about: { what: 'session ends', at: endsAt },
      canDismiss: true,
    });
  }
  for (const { id, is_navbar, is_popup, title } of announcements) {
    if (!is_navbar && !is_popup) continue;
    const about = { what: 'text', text: title } as const;
    lines.push({ key: `announcement ${id}`, kind: 'info', about, canDismiss: true });
  }
  return lines
    .filter(({ canDismiss, key }) => !canDismiss || !dismissed.has(key))
    .toSorted((one, other) => ranks[one.kind] - ranks[other.kind]);
}

function isNear(endsAt: string, nowMs: number): boolean {
  const leftMs = Date.parse(endsAt) - nowMs;
  return leftMs > 0 && leftMs <= ENDING_MS;
}

/** Returns the stored form: the newest dismissed lines, which limits the list. */
const DISMISSED_MAX = 50;

export function readDismissed(text: string | null): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(stored)) return new Set();
    return new Set(stored.filter((key) => typeof key === 'string'));
  } catch {
    return new Set();
  }
}

export function writeDismissed(dismissed: ReadonlySet<string>): string {
  return JSON.stringify([...dismissed].slice(-DISMISSED_MAX));
}
