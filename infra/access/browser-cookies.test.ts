// Which requests count as sent by a page of the exchange, and the form of its cookies.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BrowserCookies } from './browser-cookies.ts';

const cookies = new BrowserCookies('https://exchange.example/');
const local = new BrowserCookies('http://127.0.0.1:4000');

test('cookies cannot be read by scripts, sent by other sites, or sent unencrypted', () => {
  assert.equal(
    cookies.write({ name: 'terminal', value: 'a.b-c_d', maxAgeS: 60 }),
    '__Host-rialto=a.b-c_d; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure',
  );
  assert.match(
    cookies.write({ name: 'console', value: 'x', maxAgeS: 1 }),
    /^__Host-rialto-console=/,
  );
  assert.match(cookies.write({ name: 'device', value: '', maxAgeS: 0 }), /^__Host-rialto-device=;/);
  assert.match(cookies.write({ name: 'flow', value: 'x', maxAgeS: 1 }), /^__Host-rialto-flow=x;/);
});

test('development on plain HTTP has cookies without the prefix, which requires TLS', () => {
  assert.equal(
    local.write({ name: 'terminal', value: 'x', maxAgeS: 60 }),
    'rialto=x; Path=/; Max-Age=60; HttpOnly; SameSite=Strict',
  );
});

test('a value that would add an attribute is a bug', () => {
  for (const value of ['a; Domain=evil.example', 'a\r\nx: y', 'a b']) {
    assert.throws(() => cookies.write({ name: 'flow', value, maxAgeS: 1 }), RangeError);
  }
});

test('a cookie is found among others by its exact name', () => {
  const cookie = 'rialto=no; x__Host-rialto=no; __Host-rialto-device=d;__Host-rialto=yes; a=b';
  assert.equal(cookies.read({ cookie }, 'terminal'), 'yes');
  assert.equal(cookies.read({ cookie }, 'device'), 'd');
  assert.equal(cookies.read({ cookie }, 'flow'), undefined);
  assert.equal(cookies.read({ cookie: '__Host-rialto=' }, 'terminal'), undefined);
  assert.equal(cookies.read({}, 'terminal'), undefined);
  assert.equal(local.read({ cookie }, 'terminal'), 'no');
});

const OWN = 'https://exchange.example';
const CLIENT = { 'x-rialto-client': '1' };

describe('requests', () => {
  const table: [isOwn: boolean, what: string, headers: Record<string, string>][] = [
    [true, 'fetch from our own page', { ...CLIENT, 'sec-fetch-site': 'same-origin', origin: OWN }],
    [true, 'GET from our own page, without Origin', { ...CLIENT, 'sec-fetch-site': 'same-origin' }],
    [true, 'an old browser', { ...CLIENT, origin: OWN }],
    [false, 'abuse 20: a form on another site', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    [
      false,
      'abuse 20: fetch from another site with the header',
      { ...CLIENT, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    ],
    [
      false,
      'abuse 20: fetch from a sibling domain',
      { ...CLIENT, 'sec-fetch-site': 'same-site', origin: 'https://shop.exchange.example' },
    ],
    [
      false,
      'abuse 20: an old browser on another origin',
      { ...CLIENT, origin: 'https://e.example' },
    ],
    [false, 'abuse 20: our own origin on another port', { ...CLIENT, origin: `${OWN}:8443` }],
    [
      false,
      'abuse 20: our own origin without TLS',
      { ...CLIENT, origin: 'http://exchange.example' },
    ],
    [false, 'abuse 20: a name with the same prefix', { ...CLIENT, origin: `${OWN}.evil.example` }],
    [false, 'abuse 21: an image on another site', { 'sec-fetch-site': 'cross-site' }],
    [false, 'abuse 21: a link on another site', { 'sec-fetch-site': 'cross-site' }],
    [false, 'abuse 21: a typed address', { 'sec-fetch-site': 'none' }],
    [false, 'abuse 21: a typed address with the header', { ...CLIENT, 'sec-fetch-site': 'none' }],
    [false, 'abuse 21: an image on our own page', { 'sec-fetch-site': 'same-origin' }],
    [false, 'abuse 21: neither Origin nor Sec-Fetch-Site', CLIENT],
    [false, 'the header with another value', { 'x-rialto-client': '2', origin: OWN }],
  ];
  for (const [isOwn, what, headers] of table) {
    test(`${what} is ${isOwn ? '' : 'not '}from our own page`, () => {
      assert.equal(cookies.appOf(headers), isOwn ? 'terminal' : undefined);
      const session = cookies.sessionOf({ ...headers, cookie: '__Host-rialto=x' });
      assert.deepEqual(session, { token: 'x', app: 'terminal', isFromOwnPage: isOwn });
    });
  }
});

describe("the other app's cookie", () => {
  const both = '__Host-rialto=t; __Host-rialto-console=c';
  const own = { 'sec-fetch-site': 'same-origin' };

  test('is not read, because browsers send it to every port of the host', () => {
    const terminal = { ...CLIENT, ...own, cookie: both };
    assert.equal(cookies.sessionOf(terminal)?.token, 't');
    const console = { 'x-rialto-client': 'console', ...own, cookie: both };
    assert.deepEqual(cookies.sessionOf(console), {
      token: 'c',
      app: 'console',
      isFromOwnPage: true,
    });
    assert.equal(cookies.sessionOf({ ...terminal, cookie: '__Host-rialto-console=c' }), undefined);
    assert.equal(cookies.sessionOf({ ...console, cookie: '__Host-rialto=t' }), undefined);
    assert.equal(cookies.sessionOfHandshake({ cookie: both, origin: OWN })?.token, 't');
  });

  test('a page on another port is not a console page', () => {
    const headers = { 'x-rialto-client': 'console', 'sec-fetch-site': 'same-site', cookie: both };
    assert.equal(cookies.appOf(headers), undefined);
    assert.equal(cookies.sessionOf(headers)?.isFromOwnPage, false);
  });
});

describe('websocket handshakes', () => {
  const table: [isOwn: boolean, what: string, origin: string | undefined][] = [
    [true, 'our own page', OWN],
    [false, 'another site', 'https://evil.example'],
    [false, 'a sandboxed frame', 'null'],
    [false, 'no Origin', undefined],
  ];
  for (const [isOwn, what, origin] of table) {
    test(`abuse 22: the cookie counts from ${what}: ${isOwn}`, () => {
      const headers = { cookie: '__Host-rialto=x', ...(origin !== undefined && { origin }) };
      const session = cookies.sessionOfHandshake(headers);
      assert.deepEqual(session, { token: 'x', app: 'terminal', isFromOwnPage: isOwn });
    });
  }

  test('a handshake without the cookie has no session', () => {
    assert.equal(cookies.sessionOfHandshake({ cookie: 'a=b', origin: OWN }), undefined);
  });
});

test('on a developer machine, localhost and 127.0.0.1 are the same', () => {
  for (const host of ['localhost', '127.0.0.1']) {
    const headers = { ...CLIENT, origin: `http://${host}:4000` };
    assert.equal(local.appOf(headers), 'terminal');
    assert.equal(local.sessionOfHandshake({ ...headers, cookie: 'rialto=x' })?.isFromOwnPage, true);
  }
  assert.equal(local.appOf({ ...CLIENT, origin: 'http://localhost:4001' }), undefined);
});
