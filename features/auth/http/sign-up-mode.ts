// Sign-up mode from the kit: open, closed, or by invitation.

import { Refused } from '../../../protocol/wire/index.ts';

export interface SignUpMode {
  readonly isByInvitation: boolean;
  /** Development only: accounts are active without an email. */
  readonly isVerifiedAtOnce: boolean;
  /** Language of new users. */
  readonly language: string;
}

type Kit = Readonly<Record<string, unknown>>;

/** Throws if sign-up is closed. */
export function requireOpenSignUp(
  kit: Kit,
  { isDevelopment }: { readonly isDevelopment: boolean },
): SignUpMode | Refused<'signup_closed'> {
  if (kit.new_user_is_activated === false) return new Refused('signup_closed');
  const { language } = kit.defaults as { readonly language?: unknown };
  return {
    isByInvitation: kit.invitation_only === true,
    isVerifiedAtOnce: isDevelopment && kit.email_verification_required === false,
    language: typeof language === 'string' ? language : 'en',
  };
}
