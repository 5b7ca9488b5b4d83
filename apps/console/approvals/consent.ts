// Consent that an action needs. In solo mode an administrator acts alone, and decides about the
// requests of other roles; in team mode other operators approve.

/** Approvals that the action needs in team mode. */
export type Needed = 0 | 1 | 2;

export type Consent = 'none' | 'solo' | 'administrator' | 'one' | 'two';

const ADMINISTRATOR = 'admin';

export function consentFor(
  needed: Needed,
  { mode, role }: { readonly mode: 'solo' | 'team'; readonly role: string },
): Consent {
  if (needed === 0) return 'none';
  if (mode === 'solo') return role === ADMINISTRATOR ? 'solo' : 'administrator';
  return needed === 1 ? 'one' : 'two';
}
