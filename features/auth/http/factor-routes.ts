// Handlers for second factors. Each change is one transaction with its proof, its effects and its
// email. Rejections are committed too, because they count wrong codes.

import { inTransaction, type Statements, withConnection } from '../../../infra/postgres/index.ts';
import {
  answerEvenly,
  type Dependencies,
  flowCookies,
  type HandlersOf,
  JsonAnswer,
  JsonText,
} from '../../../platform/http/index.ts';
import { type Passkey, type PasskeyOptions, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ChallengeUse, spendChallenge } from '../factors/challenges.ts';
import {
  disableOtp,
  disablePasskey,
  enableOtp,
  enablePasskey,
  renewRecoveryCodes,
  requestOtp,
} from '../factors/factor-changes.ts';
import {
  type AuthenticationOptions,
  authenticationOptions,
  listPasskeys,
  type PasskeyRow,
  registrationOptions,
  usePasskey,
  userHandle,
} from '../factors/passkeys.ts';
import { factorsOf, strengthenSession } from '../factors/second-factor.ts';
import { totpUri } from '../factors/totp.ts';
import { logInWithPasskey, passkeyLoginOptions } from '../login/passkey-login.ts';
import type { PersonContext } from '../person-context.ts';
import { answerLogin } from './answer-login.ts';
import { type PersonCall, personContext } from './person-call.ts';

export const factorsRoutes: HandlersOf<'factors'> = {
  async requestOtp(call, dependencies) {
    const { exchange, vault } = dependencies;
    const requested = await change(dependencies, call, (statements, person) =>
      requestOtp(statements, vault, person),
    );
    if (requested instanceof Refused) return requested;
    const { secret } = requested;
    const uri = totpUri({ secret, account: call.caller.email, exchange: exchange.name });
    return { secret, uri };
  },

  async activateOtp(call, dependencies) {
    const { code, otp_code: otpCode = '' } = call.body;
    const enabled = await changeAndAnnounce(dependencies, call, (statements, person) =>
      enableOtp(statements, dependencies.vault, { ...person, code, otpCode }),
    );
    if (enabled instanceof Refused) return enabled;
    return { message: 'OTP enabled', ...shown(enabled.recoveryCodes) };
  },

  async deactivateOtp(call, dependencies) {
    const { code } = call.body;
    const disabled = await changeAndAnnounce(dependencies, call, (statements, person) =>
      disableOtp(statements, dependencies.vault, { ...person, code }),
    );
    if (disabled instanceof Refused) return disabled;
    return { message: 'OTP disabled' };
  },

  async getRecoveryCodes({ caller }, { registry }) {
    const { recoveryCodes } = await factorsOf(registry, caller.user);
    return { left: recoveryCodes };
  },

  async renewRecoveryCodes(call, dependencies) {
    const { otp_code: otpCode = '' } = call.body;
    const codes = await change(dependencies, call, (statements, person) =>
      renewRecoveryCodes(statements, dependencies.vault, { ...person, otpCode }),
    );
    if (codes instanceof Refused) return codes;
    return { recovery_codes: [...codes] };
  },

  async getPasskeyRegistration(call, dependencies) {
    const { identity, registry, vault } = dependencies;
    const options = await registrationOptions(registry, vault, {
      party: identity.relyingParty,
      email: call.caller.email,
      use: challengeUse(dependencies, call, 'register_passkey'),
    });
    return new JsonText(JSON.stringify(options));
  },

  async activatePasskey(call, dependencies) {
    const { challenge, credential, name = '', otp_code: otpCode = '' } = call.body;
    const handle = Buffer.from(userHandle(call.caller.user)).toString('base64url');
    const isOwn = call.body.webauthn_user_id === handle;
    if (!isOwn || !(await isIssued(dependencies, call, 'register_passkey', challenge))) {
      return new Refused('passkey_not_accepted');
    }
    const answer = { party: dependencies.identity.relyingParty, challenge, credential };
    const enabled = await changeAndAnnounce(dependencies, call, (statements, person) =>
      enablePasskey(statements, dependencies.vault, { ...person, name, otpCode, answer }),
    );
    if (enabled instanceof Refused) return enabled;
    const { passkey, recoveryCodes } = enabled;
    return {
      message: 'Passkey enabled',
      passkey: passkeyJson(passkey),
      ...shown(recoveryCodes),
    };
  },

  async getPasskeys({ caller }, { registry }) {
    return { data: (await listPasskeys(registry, caller.user)).map(passkeyJson) };
  },

  async deletePasskey(call, dependencies) {
    const { id, otp_code: otpCode = '' } = call.body;
    const disabled = await changeAndAnnounce(dependencies, call, (statements, person) =>
      disablePasskey(statements, dependencies.vault, { ...person, id, otpCode }),
    );
    if (disabled instanceof Refused) return disabled;
    return { message: 'Passkey removed' };
  },

  async getPasskeyLogin({ client }, dependencies) {
    return passkeyOptionsJson(await passkeyLoginOptions(dependencies, client));
  },

  logInWithPasskey: ({ body, client }, dependencies) =>
    answerEvenly(dependencies.clock, async () => {
      const { challenge, credential, long_term: longTerm = false } = body;
      const login = { challenge, credential, client, longTerm };
      const answer = await logInWithPasskey(dependencies, login);
      if (answer.kind === 'opened') return answerLogin(dependencies, client, answer);
      const { flowToken, refusal, retryAfterS } = answer;
      const cookies = flowCookies(flowToken);
      return new JsonAnswer(new Refused(refusal, {}, retryAfterS), { cookies });
    }),

  async getPasskeyProof(call, dependencies) {
    const { identity, vault } = dependencies;
    const party = identity.relyingParty;
    const use = challengeUse(dependencies, call, 'prove_passkey');
    return passkeyOptionsJson(await authenticationOptions(vault, { party, use }));
  },

  async provePasskey(call, dependencies) {
    const { challenge, credential } = call.body;
    const { identity, registry } = dependencies;
    const party = identity.relyingParty;
    const { session, user } = call.caller;
    const isOwn = await isIssued(dependencies, call, 'prove_passkey', challenge);
    const used = isOwn && (await usePasskey(registry, { party, challenge, credential }));
    if (!used || used.user !== user) return new Refused('passkey_not_accepted');
    await strengthenSession(registry, { user, session, nowMs: dependencies.clock.nowMs() });
    return { message: 'Passkey verified' };
  },
};

async function change<Result>(
  dependencies: Dependencies,
  call: PersonCall,
  work: (statements: Statements, person: PersonContext) => Promise<Result>,
): Promise<Result> {
  const person = personContext(call, dependencies);
  return withConnection(dependencies.registry, (connection) =>
    inTransaction(connection, () => work(connection, person)),
  );
}

/** The change ends other sessions; the announcement ends them on every gateway immediately. */
async function changeAndAnnounce<Result>(
  dependencies: Dependencies,
  call: PersonCall,
  work: (statements: Statements, person: PersonContext) => Promise<Result>,
): Promise<Result> {
  const result = await change(dependencies, call, work);
  if (result instanceof Refused) return result;
  const { user } = call.caller;
  dependencies.changes.announce({ user, key: 0, session: 0, isRevoked: true });
  return result;
}

function challengeUse(
  { clock }: Pick<Dependencies, 'clock'>,
  { caller }: PersonCall,
  purpose: ChallengeUse['purpose'],
): ChallengeUse {
  const flows = [`session ${caller.session}`];
  return { purpose, user: caller.user, flows, nowMs: clock.nowMs() };
}

// Spends the challenge before anything is verified; it stays spent.
function isIssued(
  dependencies: Dependencies,
  call: PersonCall,
  purpose: ChallengeUse['purpose'],
  challenge: string,
): Promise<boolean> {
  const { registry, vault } = dependencies;
  const use = challengeUse(dependencies, call, purpose);
  return spendChallenge(registry, vault, { ...use, challenge });
}

function shown(codes: readonly string[] | undefined): { recovery_codes?: string[] } {
  return codes === undefined ? {} : { recovery_codes: [...codes] };
}

function passkeyJson({ createdAt, id, isBackedUp, lastUsedAt, name }: PasskeyRow): Passkey {
  return {
    id,
    name,
    backed_up: isBackedUp,
    created_at: timeText(createdAt.getTime()),
    last_used_at: lastUsedAt === null ? null : timeText(lastUsedAt.getTime()),
  };
}

/** Options for signing with a passkey. They name no credential. */
function passkeyOptionsJson(options: AuthenticationOptions): PasskeyOptions {
  const { challenge, rpId = '', timeout = 0, userVerification = 'required' } = options;
  return { challenge, rpId, timeout, allowCredentials: [], userVerification };
}
