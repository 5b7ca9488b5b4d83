// The modes of sign-up, and that only development can do without the mail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireOpenSignUp } from './sign-up-mode.ts';

const open = { defaults: { language: 'en' }, new_user_is_activated: true };
const production = { isDevelopment: false };
const development = { isDevelopment: true };

test('the kit opens and closes sign-up, or asks for an invitation', () => {
  assert.deepEqual(requireOpenSignUp({ ...open, defaults: { language: 'de' } }, production), {
    isByInvitation: false,
    isVerifiedAtOnce: false,
    language: 'de',
  });
  assert.equal(
    requireOpenSignUp({ ...open, invitation_only: true }, production).isByInvitation,
    true,
  );
  assert.throws(() => requireOpenSignUp({ ...open, new_user_is_activated: false }, production), {
    key: 'signup_closed',
  });
});

test('only development can switch the verification of addresses off', () => {
  const off = { ...open, email_verification_required: false };
  assert.equal(requireOpenSignUp(off, production).isVerifiedAtOnce, false);
  assert.equal(requireOpenSignUp(off, development).isVerifiedAtOnce, true);
  assert.equal(requireOpenSignUp(open, development).isVerifiedAtOnce, false);
});
