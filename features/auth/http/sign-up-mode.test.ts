// Tests the sign-up modes, and that only development can skip the email.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../protocol/wire/index.ts';
import { requireOpenSignUp } from './sign-up-mode.ts';

const open = { defaults: { language: 'en' }, new_user_is_activated: true };
const production = { isDevelopment: false };
const development = { isDevelopment: true };

test('the kit opens or closes sign-up, or requires an invitation', () => {
  assert.deepEqual(requireOpenSignUp({ ...open, defaults: { language: 'de' } }, production), {
    isByInvitation: false,
    isVerifiedAtOnce: false,
    language: 'de',
  });
  assert.equal(modeOf({ ...open, invitation_only: true }, production).isByInvitation, true);
  assert.deepEqual(
    requireOpenSignUp({ ...open, new_user_is_activated: false }, production),
    new Refused('signup_closed'),
  );
});

test('only development can disable email verification', () => {
  const off = { ...open, email_verification_required: false };
  assert.equal(modeOf(off, production).isVerifiedAtOnce, false);
  assert.equal(modeOf(off, development).isVerifiedAtOnce, true);
  assert.equal(modeOf(open, development).isVerifiedAtOnce, false);
});

function modeOf(...asked: Parameters<typeof requireOpenSignUp>) {
  const mode = requireOpenSignUp(...asked);
  assert.ok(!(mode instanceof Refused));
  return mode;
}
