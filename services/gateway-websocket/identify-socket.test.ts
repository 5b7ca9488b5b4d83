// Credentials of every form, as access gets them, and who is let in.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Identified, SignedRequest } from '../../infra/access/index.ts';
import {
  credentialsOfMessage,
  credentialsOfRequest,
  type Identifying,
  identifySocket,
} from './identify-socket.ts';
import { callerOf } from './socket-for-test.ts';

const SIGNED = { key: 'k', signature: 's', expires: '17', authorization: undefined };
const BEARER = {
  ...{ key: undefined, signature: undefined, expires: undefined, authorization: 'Bearer x_-Y' },
};

test('a query or a header says who it is', () => {
  const signed = '/stream?api-key=k&api-signature=s&api-expires=17';
  assert.deepEqual(credentialsOfRequest(signed, {}), SIGNED);
  for (const query of ['Bearer%20x_-Y', 'Bearer+x_-Y', 'Bearer x_-Y']) {
    assert.deepEqual(credentialsOfRequest(`/stream?authorization=${query}`, {}), BEARER);
  }
  assert.deepEqual(credentialsOfRequest('/stream', { authorization: 'Bearer x_-Y' }), BEARER);
  for (const nobody of ['/stream', '/stream?', '/stream?api-key=&authorization=']) {
    assert.equal(credentialsOfRequest(nobody, {}), undefined);
  }
});

test('a message says who it is, with a time that may be a number', () => {
  const signed = { 'api-key': 'k', 'api-signature': 's', 'api-expires': 17 };
  assert.deepEqual(credentialsOfMessage(signed), SIGNED);
  assert.deepEqual(credentialsOfMessage({ authorization: 'Bearer x_-Y' }), BEARER);
  assert.equal(credentialsOfMessage('Bearer x'), undefined);
});

function accessThat(
  answer: Identified,
  { endMs, seen = [] }: { endMs?: number | undefined; seen?: SignedRequest[] } = {},
): Identifying {
  return {
    access: {
      identify(request) {
        seen.push(request);
        return answer;
      },
    },
    sessionEndMs: async (authorization) =>
      authorization === BEARER.authorization ? endMs : assert.fail(),
  };
}

test('what is signed is CONNECT and the path, and it may be used again', async () => {
  const seen: SignedRequest[] = [];
  const caller = callerOf(7);
  const access = accessThat({ caller, signedBody: '', signature: '' }, { seen });
  assert.deepEqual(await identifySocket(access, SIGNED, '1.2.3.4'), { caller });
  const [{ address, bodyIsExpected, isWrite, method, target }] = seen;
  assert.deepEqual(
    { address, bodyIsExpected, isWrite, method, target },
    {
      ...{ address: '1.2.3.4', bodyIsExpected: false, isWrite: false },
      ...{ method: 'CONNECT', target: '/stream' },
    },
  );
});

test('a key must be allowed to read, and nobody is two at once', async () => {
  const caller = callerOf(7, { canRead: false });
  const access = accessThat({ caller, signedBody: '', signature: '' });
  assert.deepEqual(await identifySocket(access, SIGNED, ''), { refused: 'scope_missing' });
  const both = { ...SIGNED, authorization: 'Bearer x' };
  assert.deepEqual(await identifySocket(access, both, ''), { refused: 'several_credentials' });
  const refusing = accessThat({ refused: 'key_unknown' });
  assert.deepEqual(await identifySocket(refusing, SIGNED, ''), { refused: 'key_unknown' });
});

test('a session is known with its end, and is none when nobody knows that', async () => {
  const caller = callerOf(7, { kind: 'session' });
  const accepted = { caller, signedBody: '', signature: '' };
  const lasting = accessThat(accepted, { endMs: 17_000 });
  assert.deepEqual(await identifySocket(lasting, BEARER, ''), { caller, untilMs: 17_000 });
  assert.deepEqual(await identifySocket(accessThat(accepted), BEARER, ''), {
    refused: 'session_unknown',
  });
});

test('a session that is revoked while its end is read is not let in', async () => {
  const caller = callerOf(7, { kind: 'session' });
  let isRevoked = false;
  const identifying: Identifying = {
    access: {
      identify: () =>
        isRevoked ? { refused: 'session_revoked' } : { caller, signedBody: '', signature: '' },
    },
    sessionEndMs: async () => {
      isRevoked = true;
      return 17_000;
    },
  };
  assert.deepEqual(await identifySocket(identifying, BEARER, ''), { refused: 'session_revoked' });
});
