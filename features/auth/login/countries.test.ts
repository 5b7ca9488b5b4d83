// Tests countries of addresses, from the installed files and from small ones.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Countries } from './countries.ts';

const folder = mkdtempSync(join(tmpdir(), 'rialto-countries-'));
writeFileSync(
  join(folder, 'geo-whois-asn-country-ipv4.csv'),
  '1.0.0.0,1.0.0.255,AU\n1.0.1.0,1.0.3.255,CN\n1.0.8.0,1.0.8.9,CN\n1.0.8.10,1.0.8.20,CN\n',
);
writeFileSync(
  join(folder, 'geo-whois-asn-country-ipv6.csv'),
  `2001:200::,2001:200:ffff:ffff:ffff:ffff:ffff:ffff,JP
2a00:1:2:3::,2a00:1:2:3:7fff:ffff:ffff:ffff,DE
2a00:1:2:3:8000::,2a00:1:2:4:ffff:ffff:ffff:ffff,FR
`,
);

describe('countries', () => {
  after(() => rmSync(folder, { recursive: true }));

  const cases: readonly (readonly [address: string, country: string])[] = [
    ['0.255.255.255', ''],
    ['1.0.0.0', 'AU'],
    ['1.0.0.255', 'AU'],
    ['1.0.1.0', 'CN'],
    ['1.0.3.255', 'CN'],
    ['1.0.4.0', ''],
    ['1.0.8.15', 'CN'],
    ['1.0.8.21', ''],
    ['255.255.255.255', ''],
    ['::ffff:1.0.0.1', 'AU'],
    ['2001:1ff:ffff::', ''],
    ['2001:200::1', 'JP'],
    ['2001:0200:FFFF:ffff:ffff:ffff:ffff:ffff', 'JP'],
    ['2001:201::', ''],
    // The two networks share their upper 64 bits, and the first one counts.
    ['2a00:1:2:3:9000::', 'DE'],
    ['2a00:1:2:4::', 'FR'],
    ['2a00:1:2:5::', ''],
    ['::1', ''],
    ['::', ''],
    ['', ''],
    ['1.0.0', ''],
    ['1.0.0.256', ''],
    ['1.0.0.1.2', ''],
    ['1..0.1', ''],
    ['2001:200:::1', ''],
    ['2001:200::1::', ''],
    ['2001:200', ''],
    ['2001:20000::', ''],
    ['2001:20g::', ''],
    ['unknown', ''],
  ];
  for (const [address, country] of cases) {
    test(`'${address}' is in '${country}'`, () => {
      assert.equal(new Countries(folder).countryOf(address), country);
    });
  }

  test('the installed files contain large networks', () => {
    const countries = new Countries();
    assert.equal(countries.countryOf('8.8.8.8'), 'US');
    assert.equal(countries.countryOf('2a02:8100::1'), 'DE');
    assert.equal(countries.countryOf('127.0.0.1'), '');
  });
});
