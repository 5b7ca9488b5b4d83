// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in the rules of identity: codes, throttles, factors, logins, sessions and keys.

import type { Fault } from '../fault.ts';

const PERSONAL_KEYS = 'features/accounts/personal-keys.ts';
const PROFILE = 'features/accounts/profile.ts';
const CLOSING = 'features/accounts/closing.ts';
const SIGN_UP = 'features/auth/sign-up/sign-up.ts';
const RESET = 'features/auth/passwords/reset-password.ts';
const KEYS = 'features/auth/credentials/keys.ts';
const CODES = 'features/auth/codes.ts';
const THROTTLES = 'features/auth/throttles.ts';
const SECOND_FACTOR = 'features/auth/factors/second-factor.ts';
const TOTP = 'features/auth/factors/totp.ts';
const RECOVERY = 'features/auth/factors/recovery-codes.ts';
const SECURITY = 'features/auth/security-changes.ts';
const LOGIN = 'features/auth/login/login.ts';
const OPEN_SESSION = 'features/auth/login/open-session.ts';
const FREEZE = 'features/auth/freeze.ts';
const CIRCUMSTANCES = 'features/auth/circumstances.ts';
const DEVICES = 'features/auth/login/devices.ts';
const CHALLENGES = 'features/auth/factors/challenges.ts';
const PASSKEYS = 'features/auth/factors/passkeys.ts';
const FACTOR_CHANGES = 'features/auth/factors/factor-changes.ts';
const RULES = 'features/auth/passwords/password-rules.ts';
const PASSWORDS = 'features/auth/passwords/passwords.ts';
const ACTS = 'features/auth/person-context.ts';
const API_KEYS = 'features/auth/api-keys.ts';
const ISSUE_KEYS = 'features/auth/credentials/issue-credentials.ts';
const TOKEN = 'features/auth/credentials/session-token.ts';
const CLOSE = 'features/auth/close-account.ts';
const EMAIL = 'features/auth/change-email.ts';
const PASSKEY_LOGIN = 'features/auth/login/passkey-login.ts';

export const IDENTITY_FAULTS: readonly Fault[] = [
  {
    name: 'a code counts twice',
    file: CODES,
    find: "  if (right.isUsed) return new Refused('code_used');\n",
    replace: '',
  },
  {
    name: 'an expired code counts',
    file: CODES,
    find: "  if (right.isExpired) return new Refused('code_expired');\n",
    replace: '',
  },
  {
    name: 'a short code counts outside its flow',
    file: CODES,
    find: 'rows.filter((row) => row.isFlow && row.tries < TRIES_MAX)',
    replace: 'rows.filter((row) => row.tries < TRIES_MAX)',
  },
  {
    name: 'a code has one try more',
    file: CODES,
    find: 'const TRIES_MAX = 5;',
    replace: 'const TRIES_MAX = 6;',
  },
  {
    name: 'a wrong code costs no try',
    file: CODES,
    find: 'set tries = tries + 1 where',
    replace: 'set tries = tries where',
  },
  {
    name: 'two uses of one code do not wait for each other',
    file: CODES,
    find: 'where user_id = $4 and purpose = $5 for no key update',
    replace: 'where user_id = $4 and purpose = $5',
  },
  {
    name: 'a code of a session counts in every session',
    file: CODES,
    find: '(session_id <> 0 and session_id = $3)',
    replace: '(session_id <> 0)',
  },
  {
    name: 'a cookie of another browser is accepted',
    file: CODES,
    find: '(session_id = 0 and flow_hash is not null and flow_hash = $1)',
    replace: '(session_id = 0 and flow_hash is not null)',
  },
  {
    name: 'a client without a cookie uses the code of a browser',
    file: CODES,
    find: '(session_id = 0 and flow_hash is null and $1::bytea is null and network = $2)',
    replace: '(session_id = 0 and $1::bytea is null and network = $2)',
  },
  {
    name: 'strangers learn that the tries of a code are used up',
    file: CODES,
    find: "new Refused(used.key === 'code_tries_exhausted' ? 'code_wrong' : used.key)",
    replace: 'used as Refused<PublicCodeRefusal>',
  },
  {
    name: 'wrong codes use up a link',
    file: CODES,
    find: "row.form !== 'v2' && !row.isExpired",
    replace: '!row.isExpired',
  },
  {
    name: 'wrong codes never demand a captcha',
    file: CODES,
    find: '  await countAddressFailure(statements, vault, { network: flow.network, nowMs });\n',
    replace: '',
  },
  {
    name: 'a code of before a rotation is refused',
    file: CODES,
    find: 'macs.some((mac) => timingSafeEqual(mac, codeMac))',
    replace: 'timingSafeEqual(macs[0], codeMac)',
  },
  {
    name: "a key's scopes can be raised in its row",
    file: KEYS,
    find: 'return `rialto-key ${id} ${user} ${kind} ${scopes} ${role}`;',
    replace: 'return `rialto-key ${id} ${user} ${kind} ${scopes.length} ${role}`;',
  },
  {
    name: 'the subject of a throttle is not part of its key',
    file: THROTTLES,
    find: 'return vault.mac(`throttle ${scope}`, subject);',
    replace: "return vault.mac('throttle', scope + subject.slice(0, 0));",
  },
  {
    name: 'a sixth failure blocks, not the fifth',
    file: THROTTLES,
    find: 'export const FAILURES_PER_BLOCK = 5;',
    replace: 'export const FAILURES_PER_BLOCK = 6;',
  },
  {
    name: 'blocks do not grow',
    file: THROTTLES,
    find: "* 2 ^ ((t.failures + 1) / ${FAILURES_PER_BLOCK} - 1)) * interval '1 s'",
    replace: "* 1 ^ ((t.failures + 1) / ${FAILURES_PER_BLOCK} - 1)) * interval '1 s'",
  },
  {
    name: 'a hundred failures in a row block only for an hour',
    file: THROTTLES,
    find: 'when t.failures + 1 >= ${FAILURES_MAX} then case',
    replace: 'when false then case',
  },
  {
    name: 'a factor is blocked for ever',
    file: THROTTLES,
    find: "when t.scope <> 'factor' then 'infinity'::timestamptz",
    replace: "when true then 'infinity'::timestamptz",
  },
  {
    name: 'an attempt during a block is counted',
    file: THROTTLES,
    find: 'where t.blocked_until is null or t.blocked_until <= excluded.window_start',
    replace: 'where true',
  },
  {
    name: 'an address has one attempt more',
    file: THROTTLES,
    find: 'if (count > attemptsMax * factor)',
    replace: 'if (count > attemptsMax * factor + 1)',
  },
  {
    name: 'a wrong OTP is not counted',
    file: SECOND_FACTOR,
    find: "  if (code !== '') await Throttles.fail(statements, vault, counter);\n",
    replace: '',
  },
  {
    name: 'a blocked factor is still checked',
    file: SECOND_FACTOR,
    find: "if (!(await Throttles.check(statements, vault, counter))) return 'blocked';",
    replace: '',
  },
  {
    name: 'a recovery code holds no withdrawals',
    file: SECOND_FACTOR,
    find: 'const RECOVERY_HOLD_MS = 86_400_000;',
    replace: 'const RECOVERY_HOLD_MS = 0;',
  },
  {
    name: 'a session of yesterday is strong',
    file: SECOND_FACTOR,
    find: 'export const STRONG_MS = 300_000;',
    replace: 'export const STRONG_MS = 300_000_000;',
  },
  {
    name: 'an OTP code counts twice',
    file: TOTP,
    find: 'where user_id = $1 and last_step < $2`',
    replace: 'where user_id = $1 and last_step <= $2`',
  },
  {
    name: 'OTP codes of the last minute count',
    file: TOTP,
    find: 'const STEPS_APART_MAX = 1;',
    replace: 'const STEPS_APART_MAX = 2;',
  },
  {
    name: 'a pending secret proves a factor',
    file: TOTP,
    find: "return row?.state === 'active' && spendStep",
    replace: 'return row !== undefined && spendStep',
  },
  {
    name: 'a secret waits without end',
    file: TOTP,
    find: 'sent.nowMs >= row.createdMs + PENDING_MS',
    replace: 'sent.nowMs < row.createdMs',
  },
  {
    name: 'a new secret replaces an active one',
    file: TOTP,
    find: "     where totp_secrets.state = 'pending'`",
    replace: '     where true`',
  },
  {
    name: 'a recovery code counts twice',
    file: RECOVERY,
    find: 'where user_id = $1 and code_hash = $2 and used_at is null`',
    replace: 'where user_id = $1 and code_hash = $2`',
  },
  {
    name: 'an old set of recovery codes stays valid',
    file: RECOVERY,
    find: "[user]);\n  await statements.query(\n    'insert",
    replace: "[0]);\n  await statements.query(\n    'insert",
  },
  {
    name: 'a security change keeps the version',
    file: SECURITY,
    find: 'set security_version = u.security_version + 1,',
    replace: 'set security_version = u.security_version,',
  },
  {
    name: 'a shorter hold replaces a longer one',
    file: SECURITY,
    find: 'greatest(u.withdrawal_blocked_until, hold.until)',
    replace: 'coalesce(hold.until, u.withdrawal_blocked_until)',
  },
  {
    name: 'codes survive a security change',
    file: SECURITY,
    find: '`update codes set expires_at = now()\n',
    replace: '`update codes set expires_at = expires_at\n',
  },
  {
    name: 'keys that trade survive a reset',
    file: SECURITY,
    find: 'and not revoked and (can_trade or can_withdraw or',
    replace: 'and not revoked and (can_withdraw or',
  },
  {
    name: 'a reset forgets no devices',
    file: SECURITY,
    find: 'if (endsDevices === true) {',
    replace: 'if (false as boolean) {',
  },
  {
    name: 'a password alone opens a session of a user with a factor',
    file: LOGIN,
    find: "if (!otp && passkeys === 0) return 'password';",
    replace: "if (!otp) return 'password';",
  },
  {
    name: 'a known device shares the counter of strangers',
    file: LOGIN,
    find: "    known === undefined\n      ? { scope: 'account'",
    replace: "    true as boolean\n      ? { scope: 'account'",
  },
  {
    name: 'a password that was replaced meanwhile still counts',
    file: LOGIN,
    find: 'const isCurrent = user?.securityVersion === attempt.user?.securityVersion;',
    replace: 'const isCurrent = true;',
  },
  {
    name: 'a sign-up and a login tell which addresses have an account',
    file: LOGIN,
    find: '      if (!isRight) return refuseWaiting(',
    replace: "      if (!isRight && user.state === 'unverified') return refuseWaiting(",
  },
  {
    name: 'an attempt that was blocked meanwhile is answered',
    file: LOGIN,
    find: 'if (!(await Throttles.admit(statements, ports.vault, throttled))) {',
    replace: 'if (false as boolean) {',
  },
  {
    name: 'blocked countries may log in',
    file: LOGIN,
    find: "  if (isFromBlockedCountry(ports, client)) return refused('country_blocked');\n",
    replace: '',
  },
  {
    name: 'blocked countries may log in with a passkey',
    file: PASSKEY_LOGIN,
    find: 'if (isFromBlockedCountry(ports, client)) {',
    replace: 'if (false as boolean) {',
  },
  {
    name: 'frozen users may log in',
    file: OPEN_SESSION,
    find: "if (state !== 'active') return",
    replace: "if (state === 'closed') return",
  },
  {
    name: 'users of level 0 may log in',
    file: OPEN_SESSION,
    find: 'return level === 0 ?',
    replace: 'return level < 0 ?',
  },
  {
    name: 'operators have sessions of a week',
    file: OPEN_SESSION,
    find: 'const lifeMs = isOperator\n',
    replace: 'const lifeMs = (false as boolean)\n',
  },
  {
    name: "an operator's session is never idle",
    file: OPEN_SESSION,
    find: 'idleSeconds: isOperator ? OPERATOR_SESSION_IDLE_S : undefined,',
    replace: 'idleSeconds: undefined,',
  },
  {
    name: 'a login from a new country passes',
    file: OPEN_SESSION,
    find: 'return isNewCountry || isAfterQuiet;',
    replace: 'return isAfterQuiet;',
  },
  {
    name: 'a login from a new device after a quiet month passes',
    file: OPEN_SESSION,
    find: 'return isNewCountry || isAfterQuiet;',
    replace: 'return isNewCountry;',
  },
  {
    name: 'every suspicious login sends a new code',
    file: OPEN_SESSION,
    find: '  if (await hasLiveCode(statements, user.id)) return answer;\n',
    replace: '',
  },
  {
    name: 'a role is used from any address',
    file: OPEN_SESSION,
    find: 'identity.login.isOperatorAddress(client.address) &&\n',
    replace: '',
  },
  {
    name: 'a freeze link works permanently',
    file: CIRCUMSTANCES,
    find: 'return nowMs < issuedMs + lifeMs ?',
    replace: 'return nowMs < issuedMs + lifeMs * nowMs ?',
  },
  {
    name: 'a freeze link of before the thaw freezes again',
    file: FREEZE,
    find: '  if (rows[0].is_newer) return undefined;\n',
    replace: '',
  },
  {
    name: 'another person is known by the same cookie',
    file: DEVICES,
    find: '`device ${user} ${token}`',
    replace: '`device ${token}`',
  },
  {
    name: 'a network is known permanently',
    file: DEVICES,
    find: 'network = $3 and last_seen_at > $4',
    replace: 'network = $3 and $4::timestamptz is not null',
  },
  {
    name: 'a challenge counts twice',
    file: CHALLENGES,
    find: 'on conflict (hash) do nothing`',
    replace: 'on conflict (hash) do update set hash = excluded.hash`',
  },
  {
    name: 'a challenge of another purpose is accepted',
    file: CHALLENGES,
    find: 'return `${use.purpose} ${use.user}',
    replace: 'return `${use.user}',
  },
  {
    name: 'a challenge of another flow is accepted',
    file: CHALLENGES,
    find: ".toString('hex')} ${flow}`;",
    replace: ".toString('hex')} ${flow.slice(0, 0)}`;",
  },
  {
    name: 'a passkey counter may stay',
    file: PASSKEYS,
    find: '(sign_count < $2 or (sign_count = 0 and $2 = 0))',
    replace: '(sign_count <= $2)',
  },
  {
    name: "another user's handle is accepted",
    file: PASSKEYS,
    find: '  if (handle !== owner) return undefined;\n',
    replace: '',
  },
  {
    name: 'a revoked passkey logs in',
    file: PASSKEYS,
    find: "'select * from passkeys where credential_id = $1 and revoked_at is null'",
    replace: "'select * from passkeys where credential_id = $1'",
  },
  {
    name: 'a first factor needs no fresh password',
    file: FACTOR_CHANGES,
    find: 'const isStrong = await isStrongSession(statements, sessionOf(person));',
    replace: 'const isStrong = true;',
  },
  {
    name: 'a further factor holds nothing',
    file: FACTOR_CHANGES,
    find: 'const holdMs = isFirst ? 0 : CREDENTIAL_HOLD_MS;',
    replace: 'const holdMs = 0;',
  },
  {
    name: 'a password of seven characters is accepted',
    file: RULES,
    find: 'const CHARACTERS_MIN = 8;',
    replace: 'const CHARACTERS_MIN = 7;',
  },
  {
    name: 'a common password is accepted',
    file: RULES,
    find: ' || commonPasswords().has(folded)',
    replace: '',
  },
  {
    name: 'operators may have short passwords',
    file: RULES,
    find: 'const CHARACTERS_MIN_FOR_OPERATORS = 15;',
    replace: 'const CHARACTERS_MIN_FOR_OPERATORS = 8;',
  },
  {
    name: 'weaker parameters of a password can be written into its row',
    file: PASSWORDS,
    find: 'return `password ${user} ${memory} ${passes} ${lanes} ${saltText}`;',
    replace: 'return `password ${user}`;',
  },
  {
    name: 'a shared session changes credentials',
    file: ACTS,
    find: "and s.kind = 'login' and s.revoked_at is null",
    replace: 'and s.revoked_at is null',
  },
  {
    name: 'a dead session changes credentials',
    file: ACTS,
    find: "and s.kind = 'login' and s.revoked_at is null",
    replace: "and s.kind = 'login'",
  },
  {
    name: 'a right proof is used up by a wrong one',
    file: ACTS,
    find: "  await connection.query('rollback to savepoint proofs');\n",
    replace: "  await connection.query('release savepoint proofs');\n",
  },
  {
    name: 'a key gets the role of a user who logged in without it',
    file: API_KEYS,
    find: "role === 'admin' && !mayUseRole ? new Refused('key_scope_exceeds_account') : undefined",
    replace: 'undefined',
  },
  {
    name: 'a user may have 51 keys',
    file: API_KEYS,
    find: 'live.length >= LIVE_KEYS_MAX',
    replace: 'live.length > LIVE_KEYS_MAX',
  },
  {
    name: 'a new key may trade',
    file: API_KEYS,
    find: 'canTrade: false,',
    replace: 'canTrade: true,',
  },
  {
    name: "the addresses of an admin's key can be switched off",
    file: API_KEYS,
    find: "return role === 'admin' && isOff ?",
    replace: "return role !== 'admin' && isOff ?",
  },
  {
    name: 'a key that withdraws needs no addresses',
    file: ISSUE_KEYS,
    find: "key.canWithdraw && !isBound ? new Refused('key_withdraw_needs_addresses') : undefined",
    replace: 'undefined',
  },
  {
    name: 'a token with forged claims is ours',
    file: TOKEN,
    find: 'return this.#keys.some((key) => timingSafeEqual(macOf(key, signed), mac));',
    replace: 'return this.#keys.some((key) => macOf(key, signed).length === mac.length);',
  },
  {
    name: 'an account with content closes',
    file: CLOSE,
    find: 'if (content.length > 0) {',
    replace: 'if (content.length > 9) {',
  },
  {
    name: 'a new e-mail address needs only one code',
    file: EMAIL,
    find: "        { purpose: 'email_change_old', code: sent.oldCode },\n",
    replace: '',
  },
  {
    name: 'a new e-mail address holds nothing',
    file: EMAIL,
    find: 'holdMs: CREDENTIAL_HOLD_MS,',
    replace: 'holdMs: 0,',
  },
  {
    name: 'the link of a squatter installs their password',
    file: SIGN_UP,
    find: 'const hasPassword = isSameFlow || !isContested(payload);',
    replace: 'const hasPassword = true;',
  },
  {
    name: 'a second request hides that an address is contested',
    file: SIGN_UP,
    find: '(own === undefined || isContested(own))',
    replace: 'own === undefined',
  },
  {
    name: 'an active account can be verified again',
    file: SIGN_UP,
    find: 'return rows[0]?.is_unverified === true;',
    replace: 'return rows.length === 1;',
  },
  {
    name: 'a reset needs no second factor',
    file: RESET,
    find: '(await refuseFactorIfAny(connection, vault, proof))',
    replace: 'undefined',
  },
  {
    name: 'personal data of another person open',
    file: PERSONAL_KEYS,
    find: 'return `personal key ${user}`;',
    replace: 'return `personal key ${user > 0}`;',
  },
  {
    name: 'personal data can be written after an erasure',
    file: PERSONAL_KEYS,
    find: 'where personal_keys.destroyed_at is null`',
    replace: 'where false`',
  },
  {
    name: 'a username can be chosen twice',
    file: PROFILE,
    find: 'where id = $1 and not has_chosen_username`',
    replace: 'where id = $1`',
  },
  {
    name: 'an account closes a week early',
    file: CLOSING,
    find: 'export const CLOSING_MS = 14 *',
    replace: 'export const CLOSING_MS = 7 *',
  },
  {
    name: 'money does not reopen a closing account',
    file: CLOSING,
    find: "and state in ('closing', 'closed')",
    replace: "and state in ('closed')",
  },
];
