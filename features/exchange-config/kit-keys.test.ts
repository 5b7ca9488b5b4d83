// Tests which keys of the kit can be written, and in which form.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseKitValue } from './kit-keys.ts';

const cases: [name: string, value: unknown, refusal: string | undefined][] = [
  ['title', 'Rialto', undefined],
  ['title', null, undefined],
  ['title', 5, 'kit_value_invalid'],
  ['title', 'x'.repeat(10_001), 'kit_value_invalid'],
  ['links', { twitter: 'x' }, undefined],
  ['links', [], 'kit_value_invalid'],
  ['injected_values', [], undefined],
  ['injected_values', {}, 'kit_value_invalid'],
  ['black_list_countries', ['XX'], undefined],
  ['black_list_countries', [1], 'kit_value_invalid'],
  ['new_user_is_activated', 'true', 'kit_value_invalid'],
  ['own_key_of_a_client', { anything: [1, 'x'] }, undefined],
  ['Own', 1, 'kit_key_invalid'],
  ['__proto__', {}, 'kit_key_invalid'],
  ['constructor', {}, undefined],
  ['user_meta', {}, 'kit_key_elsewhere'],
  ['setup_completed', true, 'kit_key_elsewhere'],
  ['referral_history_config', {}, 'kit_key_elsewhere'],
];
for (const [name, value, refusal] of cases) {
  const shown = JSON.stringify(value).slice(0, 30);
  test(`${name} = ${shown}: ${refusal ?? 'can be written'}`, () => {
    assert.equal(refuseKitValue(name, value)?.key, refusal);
  });
}
