// Handlers for sign-up and passwords. Every public response leaves at a multiple of 100 ms, and the
// responses for known and unknown addresses have the same bytes.

import type { UserId } from '../../../core/money/index.ts';
import { withConnection } from '../../../infra/postgres/index.ts';
import {
  answerEvenly,
  type ClientContext,
  type Dependencies,
  flowCookies,
  type HandlersOf,
  JsonAnswer,
} from '../../../platform/http/index.ts';
import type { Notice } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { isEmailAddress, normalEmail } from '../../accounts/index.ts';
import { confirmUrl } from '../../messages/index.ts';
import { applyReferral } from '../../referral/index.ts';
import { circumstancesOf } from '../circumstances.ts';
import { flowOf, newFlow } from '../flows.ts';
import { isFromBlockedCountry } from '../login/open-session.ts';
import { confirmPasswordChange, requestPasswordChange } from '../passwords/change-password.ts';
import { checkPassword, type PasswordRefusal } from '../passwords/password-rules.ts';
import { requestPasswordReset, resetPassword } from '../passwords/reset-password.ts';
import { type ApplyReferral, resendVerification, signUp, verifyEmail } from '../sign-up/sign-up.ts';
import { chargeAddress } from '../throttles.ts';
import { requireOldPassword } from './old-password.ts';
import { requireOpenSignUp } from './sign-up-mode.ts';

/** Sign-up and reset never count as a known device. */
const STRANGER = { isKnownDevice: false };
const EMAIL_VERIFIED = notice('Your email address is verified', 28);
const EMAIL_VERIFIED_ONLY = notice(
  'Your email address is verified. Others signed up with it too: reset the password to set yours',
  28,
);
const PASSWORD_CHANGED = notice('Your password has been updated', 13);
const FOUND = 302;

export const signUpRoutes: HandlersOf<'signUp'> = {
  signUp: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { catalogue, exchange, identity, registry, switches, vault } = dependencies;
      if (switches.areLoginsStopped) return new Refused('logins_stopped');
      const limited = await admit(dependencies, client, 'sign-up');
      if (limited !== undefined) return limited;
      if (isFromBlockedCountry(dependencies, client)) return new Refused('country_blocked');
      const { email, password = '' } = body;
      const invalid = requireEmail(email);
      if (invalid !== undefined) return invalid;
      const mode = requireOpenSignUp(catalogue.now.kit, exchange);
      if (mode instanceof Refused) return mode;
      const weak = requireStrong(password, { email, exchangeName: exchange.name });
      if (weak !== undefined) return weak;
      const isAlways = identity.isSignupCaptchaDemanded;
      const unproven = await requireCaptcha(dependencies, client, {
        captcha: body.captcha,
        isAlways,
      });
      if (unproven !== undefined) return unproven;
      const tag = await identity.hasher.hash(password, STRANGER);
      const { flow, flowToken } = newFlow(client);
      const refusal = await withConnection(registry, (connection) =>
        signUp(connection, vault, {
          email,
          password: tag,
          form: body.version ?? 'v2',
          flow,
          language: mode.language,
          ...(mode.isByInvitation && { invitation: body.invitation ?? '' }),
          isVerifiedAtOnce: mode.isVerifiedAtOnce,
          referral: body.referral,
          applyReferral: applyReferralWith(dependencies),
          circumstances: circumstancesFor(dependencies, client),
        }),
      );
      if (refusal !== undefined) return refusal;
      const message = 'Check your email: confirm your address with the code that was sent to it';
      return new JsonAnswer(notice(message, 230), { cookies: flowCookies(flowToken) });
    }),

  resendVerification: ({ client, query }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const limited = await admit(dependencies, client, 'verification');
      if (limited !== undefined) return limited;
      const invalid = requireEmail(query.email);
      if (invalid !== undefined) return invalid;
      const unproven = await requireCaptcha(dependencies, client, { captcha: query.captcha });
      if (unproven !== undefined) return unproven;
      const { flow, flowToken } = newFlow(client);
      await withConnection(dependencies.registry, (connection) =>
        resendVerification(connection, dependencies.vault, {
          email: query.email,
          form: query.version ?? 'v2',
          flow,
          circumstances: circumstancesFor(dependencies, client),
        }),
      );
      const message = 'A verification code was sent if the address is not verified yet';
      return new JsonAnswer(notice(message, 30), { cookies: flowCookies(flowToken) });
    }),

  verifyEmail: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const limited = await admit(dependencies, client, 'code of a verification');
      if (limited !== undefined) return limited;
      const invalid = body.email === undefined ? undefined : requireEmail(body.email);
      if (invalid !== undefined) return invalid;
      const verified = await withConnection(dependencies.registry, (connection) =>
        verifyEmail(connection, dependencies.vault, {
          email: body.email,
          code: body.verification_code,
          flow: flowOf(client),
          nowMs: dependencies.clock.nowMs(),
          circumstances: circumstancesFor(dependencies, client),
          applyReferral: applyReferralWith(dependencies),
        }),
      );
      if (verified instanceof Refused) return verified;
      announce(dependencies, verified.user);
      return verified.hasPassword ? EMAIL_VERIFIED : EMAIL_VERIFIED_ONLY;
    }),

  requestPasswordReset: ({ client, query }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const limited = await admit(dependencies, client, 'reset');
      if (limited !== undefined) return limited;
      const invalid = requireEmail(query.email);
      if (invalid !== undefined) return invalid;
      const unproven = await requireCaptcha(dependencies, client, { captcha: query.captcha });
      if (unproven !== undefined) return unproven;
      const { flow, flowToken } = newFlow(client);
      await withConnection(dependencies.registry, (connection) =>
        requestPasswordReset(connection, dependencies.vault, {
          email: query.email,
          form: query.version ?? 'v2',
          flow,
          circumstances: circumstancesFor(dependencies, client),
        }),
      );
      const message = 'A code to reset the password was sent if the address has an account';
      return new JsonAnswer(notice(message, 222), { cookies: flowCookies(flowToken) });
    }),

  resetPassword: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { clock, exchange, identity, registry, vault } = dependencies;
      const limited = await admit(dependencies, client, 'code of a reset');
      if (limited !== undefined) return limited;
      const { code, new_password: text, otp_code: factorCode = '' } = body;
      const weak = requireStrong(text, { email: '', exchangeName: exchange.name });
      if (weak !== undefined) return weak;
      const tag = await identity.hasher.hash(text, STRANGER);
      const user = await withConnection(registry, (connection) =>
        resetPassword(connection, vault, {
          code,
          flow: flowOf(client),
          factorCode,
          password: { text, tag },
          exchangeName: exchange.name,
          nowMs: clock.nowMs(),
          circumstances: circumstancesFor(dependencies, client),
        }),
      );
      if (user instanceof Refused) return user;
      announce(dependencies, user);
      return PASSWORD_CHANGED;
    }),

  async changePassword({ body, caller, client }, dependencies) {
    const { clock, exchange, identity, registry, vault } = dependencies;
    const limited = await admit(dependencies, client, 'change of a password');
    if (limited !== undefined) return limited;
    const { new_password: text, old_password: oldText, otp_code: factorCode = '' } = body;
    const wrong = await requireOldPassword(dependencies, caller, oldText);
    if (wrong !== undefined) return wrong;
    const weak = requireStrong(text, { email: caller.email, exchangeName: exchange.name });
    if (weak !== undefined) return weak;
    if (text.normalize('NFKC') === oldText.normalize('NFKC')) {
      return new Refused('password_unchanged');
    }
    const { flow, flowToken } = newFlow(client);
    const tag = await identity.hasher.hash(text, { isKnownDevice: true });
    const refusal = await withConnection(registry, (connection) =>
      requestPasswordChange(connection, vault, {
        user: caller.user,
        password: { text, tag },
        exchangeName: exchange.name,
        factorCode,
        form: body.version ?? 'v2',
        session: caller.session,
        flow,
        nowMs: clock.nowMs(),
        circumstances: circumstancesFor(dependencies, client),
      }),
    );
    if (refusal !== undefined) return refusal;
    const message = 'Check your email: confirm your new password with the code that was sent';
    return new JsonAnswer(notice(message, 230), { cookies: flowCookies(flowToken) });
  },

  /** Mail scanners open links, so a link only leads to the page that posts. */
  async openPasswordChange({ client, params, query }, dependencies) {
    if (query.version === 'v3') return confirm(dependencies, client, params.code);
    const location = confirmUrl(dependencies.exchange.publicUrl, 'change_password', params.code);
    const message = 'Confirm your new password on the page that opens';
    return new JsonAnswer({ message }, { status: FOUND, location });
  },

  confirmPasswordChange: ({ body, client }, dependencies) =>
    confirm(dependencies, client, body.code),
};

function confirm(dependencies: Dependencies, client: ClientContext, code: string) {
  const { registry, vault } = dependencies;
  return answerEvenly(dependencies.clock, async () => {
    const limited = await admit(dependencies, client, 'code of a change');
    if (limited !== undefined) return limited;
    const user = await withConnection(registry, (connection) =>
      confirmPasswordChange(connection, vault, {
        code,
        flow: flowOf(client),
        nowMs: dependencies.clock.nowMs(),
        circumstances: circumstancesFor(dependencies, client),
      }),
    );
    if (user instanceof Refused) return user;
    announce(dependencies, user);
    return { message: PASSWORD_CHANGED.message };
  });
}

/** A code that cannot be applied changes nothing; the account is still created. */
function applyReferralWith({ exchange }: Dependencies): ApplyReferral {
  return async (connection, asked) => {
    void (await applyReferral(connection, asked, exchange.projectionSchema));
  };
}

/** Limits the calls of each kind per address, counted across all gateways. */
async function admit(
  { clock, identity, registry, vault }: Dependencies,
  { network }: ClientContext,
  what: string,
): Promise<Refused<'rate_limit_exceeded'> | undefined> {
  const retryAfterS = await chargeAddress(registry, vault, {
    network: `${what} ${network}`,
    attemptsMax: identity.callsPerAddressMax,
    nowMs: clock.nowMs(),
  });
  return retryAfterS > 0 ? new Refused('rate_limit_exceeded', {}, retryAfterS) : undefined;
}

async function requireCaptcha(
  { clock, identity, registry }: Dependencies,
  client: ClientContext,
  { captcha = '', isAlways = false }: { readonly captcha?: string | undefined; isAlways?: boolean },
): Promise<Refused<'captcha_invalid'> | undefined> {
  const sent = { captcha, client, isAlways, nowMs: clock.nowMs() };
  const detail = await identity.captcha.refuse(registry, sent);
  return detail === undefined ? undefined : new Refused('captcha_invalid', { detail });
}

/** Rules for all users; the rules for operators are checked in the transaction. */
function requireStrong(
  password: string,
  owner: { readonly email: string; readonly exchangeName: string },
): Refused<PasswordRefusal> | undefined {
  return checkPassword(password, { ...owner, isOperator: false });
}

function requireEmail(email: string): Refused<'email_invalid'> | undefined {
  return isEmailAddress(normalEmail(email)) ? undefined : new Refused('email_invalid');
}

/** Ends the user's sessions and drops the user's keys on every gateway; both are read again. */
function announce({ changes }: Dependencies, user: UserId): void {
  changes.announce({ user, key: 0, session: 0, isRevoked: true });
}

function circumstancesFor(dependencies: Dependencies, client: ClientContext) {
  return (user: UserId | undefined) => circumstancesOf(dependencies, client, user);
}

function notice(message: string, code: number): Notice {
  return { message, lang: 'en', code };
}
