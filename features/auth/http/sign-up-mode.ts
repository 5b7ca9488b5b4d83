// How people may sign up, as the kit says it: open, closed, or by invitation.

import { ApiRefusal } from '../../../platform/http/index.ts';

export interface SignUpMode {
  readonly isByInvitation: boolean;
  /** Only in development: accounts are active without a mail. */
  readonly isVerifiedAtOnce: boolean;
  /** Of new users. */
  readonly language: string;
}

type Kit = Readonly<Record<string, unknown>>;

/** Throws if sign-up is closed. */
export function requireOpenSignUp(
  kit: Kit,
  { isDevelopment }: { readonly isDevelopment: boolean },
): SignUpMode {
  if (kit.new_user_is_activated === false) throw new ApiRefusal('signup_closed');
  const { language } = kit.defaults as { readonly language?: unknown };
  return {
    isByInvitation: kit.invitation_only === true,
    isVerifiedAtOnce: isDevelopment && kit.email_verification_required === false,
    language: typeof language === 'string' ? language : 'en',
  };
}
