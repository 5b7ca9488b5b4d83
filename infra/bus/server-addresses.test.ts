// The forms in which operators write server addresses, and what the client receives for each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServerAddresses, serverAddresses } from './server-addresses.ts';

const cases: [urls: string[], addresses: ServerAddresses][] = [
  [['nats://10.0.0.1:4222'], { servers: ['10.0.0.1:4222'] }],
  [['10.0.0.1:4222', 'second'], { servers: ['10.0.0.1:4222', 'second'] }],
  [['nats://[::1]:4222'], { servers: ['[::1]:4222'] }],
  [
    ['nats://rialto:12345@one:4222', 'nats://two:4222'],
    { servers: ['one:4222', 'two:4222'], user: 'rialto', pass: '12345' },
  ],
  [['nats://a%40b:p%2Fw@one'], { servers: ['one'], user: 'a@b', pass: 'p/w' }],
];

for (const [urls, addresses] of cases) {
  test(`${urls.join(', ')} is converted for the client`, () => {
    assert.deepEqual(serverAddresses(urls), addresses);
  });
}
