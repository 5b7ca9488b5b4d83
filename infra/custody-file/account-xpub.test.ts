// Tests address derivation against published vectors: the accounts of the mnemonic that Hardhat and
// Anvil document, and the first address of the all-abandon mnemonic.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import type { UserId } from '../../core/money/index.ts';
import { AccountXpub } from './account-xpub.ts';
import { parseEvmAddress } from './evm-address.ts';

const JUNK = 'test test test test test test test test test test test junk';
const ABANDON = `${'abandon '.repeat(11)}about`;

function accountOf(words: string): HDKey {
  return HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive("m/44'/60'/0'");
}

function addressOf(words: string, user: number): string | undefined {
  const xpub = new AccountXpub(accountOf(words).publicExtendedKey);
  return parseEvmAddress(`0x${Buffer.from(xpub.evmAddress(user as UserId)).toString('hex')}`);
}

test('user addresses are those that wallets derive for the same index', () => {
  const addresses = [1, 2, 3, 9].map((user) => addressOf(JUNK, user));
  assert.deepEqual(addresses, [
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720',
  ]);
  // Index 1 of the second vector, as published with BIP 44 test data.
  assert.equal(addressOf(ABANDON, 1), '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0');
});

test('an index that would need a private key is rejected', () => {
  const xpub = new AccountXpub(accountOf(JUNK).publicExtendedKey);
  for (const user of [0, -1, 2 ** 31, 1.5, Number.NaN]) {
    assert.throws(() => xpub.evmAddress(user as UserId), /user .* has no address/);
  }
  assert.equal(xpub.evmAddress((2 ** 31 - 1) as UserId).length, 20);
});

test('a private key, another depth and a wrong checksum are rejected', () => {
  const account = accountOf(JUNK);
  const xpub = account.publicExtendedKey;
  const cases: [string, RegExp][] = [
    [account.privateExtendedKey, /never a private key/],
    [HDKey.fromMasterSeed(mnemonicToSeedSync(JUNK)).publicExtendedKey, /received depth 0/],
    [account.deriveChild(0).publicExtendedKey, /received depth 4/],
    [`${xpub.slice(0, -1)}${xpub.endsWith('1') ? '2' : '1'}`, /checksum is wrong/],
  ];
  for (const [text, expected] of cases) assert.throws(() => new AccountXpub(text), expected);
});
