// Settings in the kit as the console reads and writes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Identity,
  identityKit,
  identityOf,
  invalidIdentity,
  isReferralValid,
  referralOf,
  SIGN_UP_KIT,
  signUpOf,
} from './kit-view.ts';

test('a choice is read back unchanged', () => {
  for (const mode of ['open', 'invitation', 'closed'] as const) {
    assert.equal(signUpOf(SIGN_UP_KIT[mode] as { new_user_is_activated: boolean }), mode);
  }
});

const KIT = {
  title: 'Rialto',
  description: '',
  links: { support: 'https://help.example', blog: 'https://blog.example' },
};

test('an identity keeps links that the form does not show, and drops empty ones', () => {
  const identity = identityOf(KIT);
  assert.deepEqual(identity.links, {
    support: 'https://help.example',
    terms: '',
    privacy: '',
    website: '',
  });
  const links = { ...identity.links, support: '', terms: 'https://terms.example' };
  assert.deepEqual(identityKit(KIT, { ...identity, title: ' Acme ', links }), {
    title: 'Acme',
    api_name: 'Acme',
    description: '',
    links: { blog: 'https://blog.example', terms: 'https://terms.example' },
  });
});

test('links are HTTPS or email addresses', () => {
  const invalid = (support: string) => {
    const identity: Identity = identityOf(KIT);
    return invalidIdentity({ ...identity, links: { ...identity.links, support } }).join();
  };
  for (const link of ['', 'https://help.example/a', 'mailto:help@example.com']) {
    assert.equal(invalid(link), '', link);
  }
  for (const link of ['http://help.example', 'javascript:alert(1)', 'help', 'https://']) {
    assert.equal(invalid(link), 'support', link);
  }
});

test('a referral program that is on needs its values', () => {
  const referral = referralOf({ active: true, currency: 'usdt', earning_rate: 20 });
  assert.equal(isReferralValid(referral), false, 'no account pays');
  assert.equal(isReferralValid({ ...referral, distributor: '7' }), true);
  assert.equal(isReferralValid({ ...referral, distributor: '7', rate: '101' }), false);
  assert.equal(isReferralValid({ ...referral, isOn: false }), true);
});
