// The texts that a signature may cover. The signatures were computed with openssl, not with the
// code under test: printf '%s' TEXT | openssl dgst -sha256 -hmac SECRET.

import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  ed25519Verifier,
  findSignedBody,
  hmacVerifier,
  readEd25519Signature,
  readHmacSignature,
  readVerifyingKey,
  withoutBlanks,
} from './signature.ts';

const SECRET = '8f3a2c5d7e9b1f4a6c8d0e2b4f6a8c0d2e4f6a8b0c2d4e6f80';

const KEY = createSecretKey(SECRET, 'utf8');
const EXPIRES = '1700000060';
const SPACED =
  '{"symbol": "btc-usdt", "side": "buy", "size": 1.0, "type": "limit", "price": "30 000"}';
const COMPACT = '{"symbol":"btc-usdt","side":"buy","size":1.0,"type":"limit","price":"30 000"}';
const AGAIN = '{"symbol":"btc-usdt","side":"buy","size":1,"type":"limit","price":"30 000"}';

const OF_USER = '6ec10be5858053b6b5d58d37712ce59be7fa6bd1466544940fc385107cad5bae';
const OF_DEPOSITS_MARK = 'd045365e688e24a95a1b6aa803cd40a737debaadfdf311f1ab50e130d0649d5e';
const OF_ODD_QUERY = '6966927a13392c9499b649127819f2d9e010b5e9c5730e4d56aff0f570876925';
const OF_COMPACT = '78879c3d3ce9f12a481821bc624d1e689030a1a4642c1a9b60d757ef7b84a026';
const OF_SPACED = 'a06b3ded0cbd6051a35a42c3c74e3efc943067b6b74f015de51f83f9862c1d19';
const OF_AGAIN = 'a4d7f99f9f7508f321134430b46678a45d082a92678434ce51d178875eaa14dc';
const OF_EMPTY_OBJECT = '949172963fcfd378b445ca96db46541a5f6bdc1d36ed70caf64d9d24aa528e7c';
const OF_CANCEL = '8e361260eae4e71b84fc808980dabbfdf87098a8d5f3b6708d85db33c0bffc46';

interface Case {
  readonly what: string;
  readonly sent: readonly [method: string, target: string, body?: string];
  readonly signature: string;
  /** The signed form of the body; undefined if refused. */
  readonly covers: string | undefined;
}

const cases: readonly Case[] = [
  { what: 'a read', sent: ['GET', '/v2/user'], signature: OF_USER, covers: '' },
  { what: 'a cancel', sent: ['DELETE', '/v2/order?order_id=7'], signature: OF_CANCEL, covers: '' },
  {
    what: 'an untidy query, byte for byte',
    sent: ['GET', '/v2/user/deposits?&currency=xht'],
    signature: OF_ODD_QUERY,
    covers: '',
  },
  {
    what: 'the ? of an empty query that was not sent',
    sent: ['GET', '/v2/user/deposits'],
    signature: OF_DEPOSITS_MARK,
    covers: '',
  },
  {
    what: 'the ? of an empty query that was sent',
    sent: ['GET', '/v2/user/deposits?'],
    signature: OF_DEPOSITS_MARK,
    covers: '',
  },
  {
    what: 'the raw body',
    sent: ['POST', '/v2/order', SPACED],
    signature: OF_SPACED,
    covers: SPACED,
  },
  {
    what: 'the body without its whitespace',
    sent: ['POST', '/v2/order', SPACED],
    signature: OF_COMPACT,
    covers: COMPACT,
  },
  {
    what: 'the parsed body serialized again',
    sent: ['POST', '/v2/order', SPACED],
    signature: OF_AGAIN,
    covers: AGAIN,
  },
  {
    what: 'the parsed body serialized again, with escapes',
    sent: ['POST', '/v2/order', SPACED.replace('btc', '\\u0062tc')],
    signature: OF_AGAIN,
    covers: AGAIN,
  },
  {
    what: '{} for an empty body',
    sent: ['POST', '/v2/order', ''],
    signature: OF_EMPTY_OBJECT,
    covers: '{}',
  },
  {
    what: 'not {} for a body that is present',
    sent: ['POST', '/v2/order', COMPACT],
    signature: OF_EMPTY_OBJECT,
    covers: undefined,
  },
  {
    what: 'not spaces inside strings',
    sent: ['POST', '/v2/order', SPACED.replace('30 000', '30000')],
    signature: OF_COMPACT,
    covers: undefined,
  },
  {
    what: 'not another method',
    sent: ['PUT', '/v2/order', SPACED],
    signature: OF_SPACED,
    covers: undefined,
  },
  {
    what: 'not another query',
    sent: ['GET', '/v2/user?a=1'],
    signature: OF_USER,
    covers: undefined,
  },
  {
    what: 'not the ? before a query',
    sent: ['GET', '/v2/user/deposits?&currency=xht'],
    signature: OF_DEPOSITS_MARK,
    covers: undefined,
  },
];

describe('an HMAC covers', () => {
  for (const { covers, sent, signature, what } of cases) {
    test(what, () => {
      const [method, target, body] = sent;
      const request = {
        method,
        target,
        expires: EXPIRES,
        body,
        bodyIsExpected: body !== undefined,
      };
      const bytes = readHmacSignature(signature)!;
      assert.equal(findSignedBody(request, hmacVerifier(KEY, bytes)), covers);
    });
  }

  test('upper-case hex is accepted, and anything but 64 digits is refused', () => {
    assert.deepEqual(readHmacSignature(OF_USER.toUpperCase()), readHmacSignature(OF_USER));
    for (const text of ['', 'abc', OF_USER.slice(1), `${OF_USER}0`, OF_USER.replace('6', 'g')]) {
      assert.equal(readHmacSignature(text), undefined);
    }
  });
});

// Made with openssl genpkey -algorithm ed25519; openssl pkeyutl -sign -rawin.
const VERIFYING_KEY = 'J6FXWdpcKy1HnvayrH01kCHUbmk/HXSrfHV9iS02FmU=';
const ED25519_OF_USER =
  'RGblAp/if9ESXSw2XEbxn3OT9sfxRGUJsIVNg43U9oMGMZ7X0E6ZxKQ5EtK4GwWLD9JGG1sWw9dmeh4TyL3JCw==';
const ED25519_HEX_OF_USER =
  '4466e5029fe27fd1125d2c365c46f19f7393f6c7f1446509b0854d838dd4f683' +
  '06319ed7d04e99c4a43912d2b81b058b0fd2461b5b16c3d7667a1e13c8bdc90b';

test('an Ed25519 signature covers the same text, in base64 or hex', () => {
  const key = readVerifyingKey(VERIFYING_KEY)!;
  const request = { method: 'GET', target: '/v2/user', expires: EXPIRES, bodyIsExpected: false };
  for (const text of [ED25519_OF_USER, ED25519_HEX_OF_USER]) {
    const verifies = ed25519Verifier(key, readEd25519Signature(text)!);
    assert.equal(findSignedBody(request, verifies), '');
    assert.equal(findSignedBody({ ...request, target: '/v2/users' }, verifies), undefined);
  }
  assert.equal(readEd25519Signature(OF_USER), undefined);
  assert.equal(readEd25519Signature(ED25519_OF_USER.slice(0, -2)), undefined);
  assert.equal(readVerifyingKey(VERIFYING_KEY.slice(4)), undefined);
});

test('whitespace outside strings is removed', () => {
  const table: [string, string][] = [
    ['{ "a" : [ 1 , 2 ] }\r\n', '{"a":[1,2]}'],
    ['{"a b": "c \\" d"}', '{"a b":"c \\" d"}'],
    ['"\\\\" : 1', '"\\\\":1'],
    ['"not closed \\" x', '"not closed \\" x'],
    ['\u00a0{}', '\u00a0{}'],
  ];
  for (const [given, wanted] of table) assert.equal(withoutBlanks(given), wanted);
});

test('a body full of quotes and escapes takes linear time', () => {
  const body = ` "${'\\"'.repeat(500_000)}`;
  const startMs = performance.now();
  assert.equal(withoutBlanks(body).length, body.length - 1);
  assert.ok(performance.now() - startMs < 1_000);
});

test('any change to one character of the signed text is refused', () => {
  const body = fc.dictionary(
    fc.stringMatching(/^[a-z_]{1,8}$/),
    fc.oneof(fc.integer(), fc.string(), fc.boolean(), fc.constant(null)),
    { minKeys: 1, maxKeys: 5 },
  );
  const story = fc.record({
    body,
    target: fc.stringMatching(/^\/v2\/[a-z/]{1,12}(\?[a-z]{1,5}=[a-z0-9%]{1,8})?$/),
    at: fc.nat(),
    character: fc.stringMatching(/^[ -~]$/),
  });
  fc.assert(
    fc.property(story, ({ at, body, character, target }) => {
      const parts = ['POST', target, EXPIRES, JSON.stringify(body)];
      const signature = createHmac('sha256', SECRET).update(parts.join('')).digest();
      const verifies = hmacVerifier(KEY, signature);
      const all = parts.join('').length;
      const changed = changedAt(parts, at % all, character);
      const [method, path, expires, text] = changed;
      const isSame = changed.every((part, index) => part === parts[index]);
      fc.pre(!isSame && !meansTheSame(text, parts[3]));
      const request = { method, target: path, expires, body: text, bodyIsExpected: true };
      assert.equal(findSignedBody(request, verifies), undefined);
    }),
    { numRuns: 2_000 },
  );
});

/** The parts, with one character of one part replaced. */
function changedAt(parts: readonly string[], at: number, character: string): string[] {
  let start = 0;
  return parts.map((part) => {
    const inPart = at - start;
    start += part.length;
    if (inPart < 0 || inPart >= part.length) return part;
    return part.slice(0, inPart) + character + part.slice(inPart + 1);
  });
}

/** Only for bodies that differ: other forms of the same value are accepted. */
function meansTheSame(one: string, other: string): boolean {
  if (one === other) return false;
  if (withoutSpaces(one) === withoutSpaces(other)) return true;
  try {
    assert.deepEqual(JSON.parse(one), JSON.parse(other));
    return true;
  } catch {
    return false;
  }
}

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '');
}
