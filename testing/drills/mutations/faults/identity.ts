// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source text.
// Faults in identity rules: codes, throttles, factors, logins, sessions and keys.

import type { FaultTable } from '../fault.ts';

export const IDENTITY_FAULTS: FaultTable = {
  'features/auth/codes.ts': {
    'a code is accepted twice': { in: 'useFound', drop: 'code_used' },
    'an expired code is accepted': { in: 'useFound', drop: 'code_expired' },
    'a short code is accepted outside its flow': { in: 'useFound.open', remove: 'row.isFlow &&' },
    'a code allows one extra try': { in: 'TRIES_MAX', value: '6' },
    'a wrong code does not use a try': { in: 'useFound', remove: '+ 1' },
    'two uses of one code run concurrently': {
      in: 'useCodeOfUser',
      remove: 'for no key update',
    },
    'a code for one session is accepted in every session': {
      in: 'CODES',
      remove: 'and session_id = $3',
    },
    'a cookie of another browser is accepted': { in: 'CODES', remove: 'and flow_hash = $1' },
    'a client without a cookie uses the code of a browser': {
      in: 'CODES',
      remove: 'flow_hash is null and',
    },
    'strangers learn that a code has no tries left': {
      in: 'usePublicCode',
      replace: [
        "new Refused(used.key === 'code_tries_exhausted' ? 'code_wrong' : used.key)",
        'used as Refused<PublicCodeRefusal>',
      ],
    },
    'wrong codes use up a link': { in: 'useFound', remove: "row.form !== 'v2' &&" },
    'wrong codes never require a captcha': { in: 'usePublicCode', drop: 'countAddressFailure' },
    'a code from before a rotation is rejected': {
      in: 'useFound.right',
      value: 'open.find(({ codeMac }) => timingSafeEqual(macs[0], codeMac))',
    },
  },
  'features/auth/credentials/keys.ts': {
    "a key's scopes can be raised in its row": {
      in: 'keyBound',
      replace: ['${scopes}', '${scopes.length}'],
    },
  },
  'features/auth/throttles.ts': {
    'the subject of a throttle is not part of its key': {
      in: 'subjectMac',
      replace: ['`throttle ${scope}`, subject', "'throttle', scope + subject.slice(0, 0)"],
    },
    'the sixth failure blocks instead of the fifth': { in: 'FAILURES_PER_BLOCK', value: '6' },
    'block durations do not grow': { in: 'fail', replace: ['2 ^', '1 ^'] },
    'a hundred failures in a row block only for an hour': {
      in: 'fail',
      replace: ['t.failures + 1 >= ${FAILURES_MAX}', 'false'],
    },
    'a factor is blocked permanently': { in: 'fail', replace: ["t.scope <> 'factor'", 'true'] },
    'an attempt during a block is counted': {
      in: 'fail',
      replace: ['t.blocked_until is null or t.blocked_until <= excluded.window_start', 'true'],
    },
    'an address gets one extra attempt': {
      in: 'chargeAddress',
      replace: ['* factor', '* factor + 1'],
    },
  },
  'features/auth/factors/second-factor.ts': {
    'a wrong OTP is not counted': { in: 'proveFactor', drop: 'fail' },
    'a blocked factor is still checked': { in: 'proveFactor', drop: 'check' },
    'a recovery code does not pause withdrawals': { in: 'RECOVERY_HOLD_MS', value: '0' },
    "yesterday's session counts as strong": { in: 'STRONG_MS', value: '300_000_000' },
  },
  'features/auth/factors/totp.ts': {
    'an OTP code is accepted twice': { in: 'spendStep', replace: ['< $2', '<= $2'] },
    'OTP codes from the last minute are accepted': { in: 'STEPS_APART_MAX', value: '2' },
    'a pending secret proves a factor': {
      in: 'useTotp',
      replace: ["?.state === 'active'", '!== undefined'],
    },
    'a pending secret never expires': {
      in: 'activateTotp',
      replace: ['>= row.createdMs + PENDING_MS', '< row.createdMs'],
    },
    'a new secret replaces an active one': {
      in: 'requestTotp',
      replace: ["totp_secrets.state = 'pending'", 'true'],
    },
  },
  'features/auth/factors/recovery-codes.ts': {
    'a recovery code is accepted twice': { in: 'useRecoveryCode', remove: 'and used_at is null' },
    'an old set of recovery codes stays valid': {
      in: 'replaceRecoveryCodes',
      replace: ['[user]', '[0]'],
    },
  },
  'features/auth/security-changes.ts': {
    'a security change keeps the version': { in: 'applySecurityChange', remove: '+ 1' },
    'a shorter hold replaces a longer one': {
      in: 'applySecurityChange',
      replace: [
        'greatest(u.withdrawal_blocked_until, hold.until)',
        'coalesce(hold.until, u.withdrawal_blocked_until)',
      ],
    },
    'codes survive a security change': {
      in: 'applySecurityChange',
      replace: ['expires_at = now()', 'expires_at = expires_at'],
    },
    'trading keys survive a reset': { in: 'applySecurityChange', remove: 'can_trade or' },
    'a reset does not forget devices': { in: 'applySecurityChange', never: 'endsDevices' },
  },
  'features/auth/login/login.ts': {
    'a password alone opens a session for a user with a second factor': {
      in: 'requireFactor',
      remove: '&& passkeys === 0',
    },
    'a known device shares the counter with strangers': { in: 'readAttempt', always: 'known' },
    'a password that was replaced in the meantime is accepted': {
      in: 'logIn.isCurrent',
      value: 'true',
    },
    'sign-up and login reveal which addresses have an account': {
      in: 'logIn',
      replace: ['!isRight', "!isRight && user.state === 'unverified'"],
    },
    'an attempt that was blocked in the meantime is answered': {
      in: 'passPassword',
      never: 'Throttles',
    },
    'users in blocked countries can log in': { in: 'logIn', drop: 'isFromBlockedCountry' },
  },
  'features/auth/login/passkey-login.ts': {
    'users in blocked countries can log in with a passkey': {
      in: 'logInWithPasskey',
      never: 'isFromBlockedCountry',
    },
  },
  'features/auth/login/open-session.ts': {
    'frozen users can log in': { in: 'stateRefusal', replace: ["!== 'active'", "=== 'closed'"] },
    'users at level 0 can log in': { in: 'stateRefusal', replace: ['=== 0', '< 0'] },
    'operators have one-week sessions': { in: 'openSession.lifeMs', never: 'isOperator' },
    "an operator's session never times out when idle": {
      in: 'openSession.idleSeconds',
      value: 'undefined',
    },
    'a login from a new country is not challenged': { in: 'isSuspicious', returns: 'isAfterQuiet' },
    'a login from a new device after a quiet month is not challenged': {
      in: 'isSuspicious',
      returns: 'isNewCountry',
    },
    'every suspicious login sends a new code': {
      in: 'requestLoginConfirmation',
      drop: 'hasLiveCode',
    },
    'a role can be used from any address': {
      in: 'openSession',
      remove: 'identity.login.isOperatorAddress(client.address) &&',
    },
  },
  'features/auth/circumstances.ts': {
    'a freeze link works permanently': {
      in: 'readFreezeToken',
      replace: ['lifeMs ?', 'lifeMs * nowMs ?'],
    },
  },
  'features/auth/freeze.ts': {
    'a freeze link from before the unfreeze freezes again': {
      in: 'freezeByToken',
      drop: '.is_newer',
    },
  },
  'features/auth/login/devices.ts': {
    'another user is recognized by the same cookie': { in: 'hashOf', remove: '${user}' },
    'a network is remembered permanently': {
      in: 'findKnownDevice',
      replace: ['last_seen_at > $4', '$4::timestamptz is not null'],
    },
  },
  'features/auth/factors/challenges.ts': {
    'a challenge is accepted twice': {
      in: 'spendChallenge',
      replace: ['nothing', 'update set hash = excluded.hash'],
    },
    'a challenge for another purpose is accepted': { in: 'boundText', remove: '${use.purpose}' },
    'a challenge from another flow is accepted': {
      in: 'boundText',
      replace: ['${flow}', '${flow.slice(0, 0)}'],
    },
  },
  'features/auth/factors/passkeys.ts': {
    'a passkey counter can stay the same': {
      in: 'usePasskey',
      replace: ['< $2 or (sign_count = 0 and $2 = 0)', '<= $2'],
    },
    "another user's handle is accepted": { in: 'usePasskey', drop: 'handle !==' },
    'a revoked passkey logs in': {
      in: 'usePasskey',
      replace: ['credential_id = $1 and revoked_at is null', 'credential_id = $1'],
    },
  },
  'features/auth/factors/factor-changes.ts': {
    'a first factor needs no recent password': { in: 'mayAdd.isStrong', value: 'true' },
    'an additional factor does not pause withdrawals': { in: 'added.holdMs', value: '0' },
  },
  'features/auth/passwords/password-rules.ts': {
    'a password of seven characters is accepted': { in: 'CHARACTERS_MIN', value: '7' },
    'a common password is accepted': {
      in: 'checkPassword',
      remove: '|| commonPasswords().has(folded)',
    },
    'operators can have short passwords': { in: 'CHARACTERS_MIN_FOR_OPERATORS', value: '8' },
  },
  'features/auth/passwords/passwords.ts': {
    'weaker password parameters can be written into its row': {
      in: 'passwordBound',
      returns: '`password ${user}`',
    },
  },
  'features/auth/person-context.ts': {
    'a shared session changes credentials': { in: 'lockHolder', remove: "s.kind = 'login' and" },
    'a revoked session changes credentials': {
      in: 'lockHolder',
      remove: 's.revoked_at is null and',
    },
    'a wrong proof uses up a correct one': {
      in: 'proveAct',
      replace: ['rollback to', 'release'],
    },
  },
  'features/auth/api-keys.ts': {
    'a key gets the role of a user who logged in without it': {
      in: 'refuseRole',
      returns: 'undefined',
    },
    'a user can have 51 keys': { in: 'refuseOneMore', replace: ['>=', '>'] },
    'a new key can trade': { in: 'createApiKey.request.canTrade', value: 'true' },
    "the address list of an admin's key can be disabled": {
      in: 'refuseOpening',
      replace: ['role ===', 'role !=='],
    },
  },
  'features/auth/credentials/issue-credentials.ts': {
    'a withdrawal key needs no address list': {
      in: 'refuseOpenKey',
      remove: "key.canWithdraw && !isBound ? new Refused('key_withdraw_needs_addresses') :",
    },
  },
  'features/auth/credentials/session-token.ts': {
    'a token with forged claims is accepted': {
      in: 'SessionTokens.#matches',
      replace: [
        'timingSafeEqual(macOf(key, signed), mac)',
        'macOf(key, signed).length === mac.length',
      ],
    },
  },
  'features/auth/close-account.ts': {
    'an account with contents closes': { in: 'closeLocked', replace: ['length > 0', 'length > 9'] },
  },
  'features/auth/change-email.ts': {
    'a new email address needs only one code': {
      in: 'confirmEmailChange',
      remove: "{ purpose: 'email_change_old', code: sent.oldCode },",
    },
    'a new email address does not pause withdrawals': {
      in: 'confirmEmailChange.holdMs',
      value: '0',
    },
  },
  'features/auth/sign-up/sign-up.ts': {
    "a squatter's link installs the squatter's password": {
      in: 'verifyEmail.hasPassword',
      value: 'true',
    },
    'a second request hides that an address is contested': {
      in: 'waitingText.contested',
      value: 'before !== undefined && own === undefined',
    },
    'an active account can be verified again': {
      in: 'lockUnverified',
      returns: 'rows.length === 1',
    },
  },
  'features/auth/passwords/reset-password.ts': {
    'a reset needs no second factor': {
      in: 'resetPassword',
      replace: ['(await refuseFactorIfAny(connection, vault, proof))', 'undefined'],
    },
  },
  'features/accounts/personal-keys.ts': {
    "another user's personal data can be opened": {
      in: 'personalKeyBound',
      replace: ['${user}', '${user > 0}'],
    },
    'personal data can be written after an erasure': {
      in: 'destroyPersonalKey',
      replace: ['personal_keys.destroyed_at is null', 'false'],
    },
  },
  'features/accounts/profile.ts': {
    'a username can be chosen twice': {
      in: 'chooseUsername',
      remove: 'and not has_chosen_username',
    },
  },
  'features/accounts/closing.ts': {
    'an account closes a week early': { in: 'CLOSING_MS', value: '7 * 86_400_000' },
    'a deposit does not reopen a closing account': { in: 'reopenAccounts', remove: "'closing'," },
  },
};
