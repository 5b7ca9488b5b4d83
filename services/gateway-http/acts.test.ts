// Personal fields of actions. An action missing here has none: add it with its fields.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTS } from './acts.ts';

test('the personal fields of every action are sealed in requests', () => {
  const personal = [...ACTS.values()].flatMap(({ name, personal: fields = [] }) =>
    fields.length === 0 ? [] : [`${name}: ${fields.join(', ')}`],
  );
  assert.deepEqual(personal.sort(), [
    'deposit.credit: address, description',
    'deposit.review: address, description',
    'finding.close: note',
    'mail.send: data',
    'mail.send_raw: title, message, receivers',
    'payment.add: name, label, details',
    'payment.change: name, label, details',
    'transfer.create: description',
    'user.bank.replace: accounts',
    'user.bank.revoke: message',
    'user.bank.verify: message',
    'user.create: email, sealedPassword, kekId',
    'user.email: email',
    'user.meta: meta',
    'user.note: note',
    'user.update: change',
    'withdrawal.burn: address, description',
    'withdrawal.payout: address',
    'withdrawal.review: address, description',
  ]);
});
