// The client signs in full seconds, like every client of this interface. Equal orders in a row have
// one signature, and the exchange accepts each of them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Signer } from '../../client/signer.ts';
import {
  keyRow,
  openMemoryAccess,
  PUBLIC_KEY,
  SECRET,
  signed,
} from '../../features/auth/credentials/access-for-test.ts';

const ORDERS = 450;
const EVERY_MS = 4;
const BODY = '{"symbol":"btc-usdt","side":"buy","size":1,"type":"market"}';

test(`${ORDERS} equal orders from our client, 250 per second, are all accepted`, async () => {
  const { access, clock, registry, vault } = openMemoryAccess();
  registry.keys = [keyRow(vault)];
  const known = access.identify(signed());
  clock.advance(0);
  await known;
  const signer = new Signer({ key: PUBLIC_KEY, secret: SECRET }, () => clock.nowMs());
  let refusedCount = 0;
  for (let count = 0; count < ORDERS; count += 1) {
    const headers = await signer.sign('POST/v2/order', BODY);
    const answer = await access.identify({
      ...signed(),
      method: 'POST',
      target: '/v2/order',
      headers: {
        key: headers['api-key'],
        signature: headers['api-signature'],
        expires: headers['api-expires'],
      },
      body: BODY,
      bodyIsExpected: true,
      isWrite: true,
      mayRepeat: true,
    });
    if ('refused' in answer) refusedCount += 1;
    clock.advance(EVERY_MS);
  }
  assert.equal(refusedCount, 0);
});
