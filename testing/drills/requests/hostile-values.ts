// Values that break programs: numbers in every spelling, texts from every corner of Unicode, and
// what is meant for somebody else (a database, a spreadsheet, a shell). As JSON source texts, so
// that a number can be spelt in a way that no program would write.

const numbers = [
  ...['0', '-0', '1', '-1', '0.1', '1.0', '1.10', '1e3', '1E+3', '1e-3', '1e-400', '1e400'],
  ...['1e999999999', '9007199254740993', '18446744073709551616', '-9223372036854775809'],
  ...['0.00000001', '0.000000000000000000000000000001', '123456789.123456789123456789'],
  ...[
    '4611686018427387904',
    '99999999999999999999999999999999999999',
    '2147483648',
    '0.30000000000000004',
  ],
];

const words = [
  ...['', ' ', 'null', 'undefined', 'NaN', 'Infinity', 'true', '0', '-1', '1,000', '1_000', '0x10'],
  ...['+1', '01', '.5', '5.', '1e3', '１２', '٣', '1 000', '1;2', '1\n', '\t1'],
  ...['btc-usdt', 'BTC-USDT', 'btc_usdt', 'btc/usdt', 'btc-', '-usdt', 'eth-usdt', 'btc-usdt-eur'],
  ...["' or 1=1 --", '"; drop table orders; --', "1'; select pg_sleep(10); --", '%', '_', '\\'],
  ...[
    '=cmd|calc!A1',
    '+SUM(A1)',
    '@x',
    '-2+3',
    '<script>alert(1)</script>',
    '$' + '{7*7}',
    '{{7*7}}',
  ],
  ...['../../etc/passwd', '%00', '%2e%2e%2f', '\u0000', 'a\u0000b', '\u202e', '\ufeff', '\ud800'],
  ...['\u{1f600}', 'ﷺ', 'İ', 'ß', '日本語', 'é', 'e\u0301', 'a'.repeat(255), 'a'.repeat(257)],
  ...[
    'é'.repeat(300),
    'x'.repeat(10_000),
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...['00000000-0000-8100-8000-000000000000', '00000000-0001-8100-8000-000000000000'],
  ...['ffffffff-ffff-81ff-8000-000000000000', '2026-13-45', '2026-11-15T99:00:00Z', '1970-01-01'],
  ...['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '9999-12-31T23:59:59.999Z'],
];

const structures = [
  ...['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '{"a":1}', '{"__proto__":{"x":1}}'],
  ...['[1,2,3]', '{"rawJSON":"1"}', `${'['.repeat(40)}${']'.repeat(40)}`],
];

export const HOSTILE_JSON: readonly string[] = [
  ...numbers,
  ...words.map((word) => JSON.stringify(word)),
  ...structures,
];

export const HOSTILE_TEXTS: readonly string[] = [...numbers, ...words, 'true', 'false', 'True'];

/** Bodies that are no JSON, or JSON of a kind that parsers differ about. */
export const HOSTILE_BODIES: readonly string[] = [
  ...['', ' ', '{', '}', '[', 'null', '0', '""', '[]', 'undefined', '{"a":1,}', "{'a':1}"],
  ...['{"symbol":"btc-usdt","symbol":"btc-eur"}', '{"size":1,"size":2}', '{"a":1}{"b":2}'],
  ...['{"size":01}', '{"size":+1}', '{"size":.5}', '{"size":NaN}', '{"size":1e}', '\ufeff{}'],
  ...[
    '{"size":1}\u0000',
    `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
    `"${'x'.repeat(90_000)}"`,
  ],
  ...['{"__proto__":{"post_only":true}}', '{"constructor":{"prototype":{}}}', '{"":""}'],
];
