// Powers: what a role may do that its list of paths cannot express. Unknown names are refused, so
// that no role holds a power that is added later.

export const POWERS = [
  /** Sees personal data of users in the clear, within a budget. */
  'pii.unmasked',
  /** Searches users by parts of names and numbers. */
  'pii.search',
  /** Downloads whole lists. */
  'export',
  /** Votes on acts that move money. */
  'approve.money',
  /** Votes on acts about accounts, roles and factors. */
  'approve.access',
  /** Votes on acts about markets, fees, limits and the kit. */
  'approve.config',
  /** Stops markets, deposits, withdrawals. */
  'switch.stop',
  /** Requests that what was stopped goes on. */
  'switch.resume',
  /** Sends mails with a text of its own. */
  'mail.raw',
  /** Writes secrets of the kit. */
  'kit.secrets',
  /** Reveals personal data of one user, with a reason, for 15 minutes. */
  'break_glass',
] as const;

export type Power = (typeof POWERS)[number];

/** The powers of voters. */
export type ApprovalPower = Extract<Power, `approve.${string}`>;

export function isPower(text: string): text is Power {
  return (POWERS as readonly string[]).includes(text);
}
