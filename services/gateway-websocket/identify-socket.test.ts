// Every form of credentials, and the resulting callers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../features/auth/index.ts';
import {
  type Access,
  BrowserCookies,
  type Identified,
  type SignedRequest,
} from '../../infra/access/index.ts';
import { credentialsOfMessage, credentialsOfRequest, identifySocket } from './identify-socket.ts';
import { callerOf } from './socket-for-test.ts';

const cookies = new BrowserCookies('https://exchange.example');
const SIGNED = {
  key: 'k',
  signature: 's',
  expires: '17',
  authorization: undefined,
  sessionCookie: undefined,
};
const BEARER = {
  key: undefined,
  signature: undefined,
  expires: undefined,
  authorization: 'Bearer x_-Y',
  sessionCookie: undefined,
};

test('a query or a header identifies the caller', () => {
  const signed = '/stream?api-key=k&api-signature=s&api-expires=17';
  assert.deepEqual(credentialsOfRequest(signed, {}, cookies), SIGNED);
  for (const query of ['Bearer%20x_-Y', 'Bearer+x_-Y', 'Bearer x_-Y']) {
    assert.deepEqual(credentialsOfRequest(`/stream?authorization=${query}`, {}, cookies), BEARER);
  }
  assert.deepEqual(
    credentialsOfRequest('/stream', { authorization: 'Bearer x_-Y' }, cookies),
    BEARER,
  );
  for (const target of ['/stream', '/stream?', '/stream?api-key=&authorization=']) {
    assert.equal(credentialsOfRequest(target, {}, cookies), undefined);
  }
});

test('abuse 22: a cookie is read with whether its page belongs to the exchange', () => {
  const cookie = '__Host-rialto=token';
  for (const [origin, isFromOwnPage] of [
    ['https://exchange.example', true],
    ['https://evil.example', false],
  ] as const) {
    const credentials = credentialsOfRequest('/stream', { cookie, origin }, cookies);
    assert.deepEqual(credentials?.sessionCookie, {
      token: 'token',
      app: 'terminal',
      isFromOwnPage,
    });
  }
});

test('a message identifies the caller, with an expiry that can be a number', () => {
  const signed = { 'api-key': 'k', 'api-signature': 's', 'api-expires': 17 };
  const ofMessage = (argument: unknown) => ({
    ...credentialsOfMessage(argument),
    sessionCookie: undefined,
  });
  assert.deepEqual(ofMessage(signed), SIGNED);
  assert.deepEqual(ofMessage({ authorization: 'Bearer x_-Y' }), BEARER);
  assert.equal(credentialsOfMessage('Bearer x'), undefined);
});

function accessThat(
  answer: Identified<Caller>,
  seen: Omit<SignedRequest<Caller>, 'admit'>[] = [],
): Pick<Access<Caller>, 'identify'> {
  return {
    identify(request) {
      seen.push(request);
      return answer;
    },
  };
}

const ACCEPTED = { signedBody: '', signature: '', untilMs: 17_000 };

test('the signature covers CONNECT and the path, and can be reused', async () => {
  const seen: Omit<SignedRequest<Caller>, 'admit'>[] = [];
  const caller = callerOf(7);
  const access = accessThat({ ...ACCEPTED, caller }, seen);
  assert.ok('caller' in (await identifySocket(access, SIGNED, '1.2.3.4')));
  const [{ address, bodyIsExpected, isWrite, method, target }] = seen;
  assert.deepEqual(
    { address, bodyIsExpected, isWrite, method, target },
    {
      address: '1.2.3.4',
      bodyIsExpected: false,
      isWrite: false,
      method: 'CONNECT',
      target: '/stream',
    },
  );
});

test('a key needs read permission, and two kinds of credentials are rejected', async () => {
  const caller = callerOf(7, { canRead: false });
  const access = accessThat({ ...ACCEPTED, caller });
  assert.deepEqual(await identifySocket(access, SIGNED, ''), { refused: 'scope_missing' });
  const both = { ...SIGNED, authorization: 'Bearer x' };
  assert.deepEqual(await identifySocket(access, both, ''), { refused: 'several_credentials' });
  const refusing = accessThat({ refused: 'key_unknown' });
  assert.deepEqual(await identifySocket(refusing, SIGNED, ''), { refused: 'key_unknown' });
});

test('keys and sessions have their expiry', async () => {
  for (const [credentials, kind] of [
    [SIGNED, 'key'],
    [BEARER, 'session'],
  ] as const) {
    const caller = callerOf(7, { kind });
    const access = accessThat({ ...ACCEPTED, caller });
    const identity = await identifySocket(access, credentials, '');
    assert.deepEqual(identity, { caller, untilMs: 17_000 });
  }
});
