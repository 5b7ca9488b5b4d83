// Tests addresses with published vectors: accepted addresses and their canonical spelling,
// addresses for other networks, and errors that a checksum must detect.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { destinationText } from './destination.ts';
import { parseDestination } from './parse-destination.ts';

/** In these networks a mistyped character can be another valid address. */
const WITHOUT_CHECKSUM = ['sol', 'email', 'xlm'];

/**
 * Network, text, and the canonical spelling if it differs. Sources: EIP-55, BIP 173, BIP 350,
 * XLS-5.
 */
const ACCEPTED: [network: string, text: string, spelling?: string][] = [
  ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['eth', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['bnb', '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB'],
  ['matic', '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'],
  ['ETH', '0x52908400098527886E0F7030069857D2E4169EE7'],
  ['eth', '0xde709f2102306220921060314715629080e2fb77'],
  [
    'eth',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ],
  [
    'eth',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  ],
  ['btc', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ['btc', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy'],
  ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
  [
    'btc',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ],
  ['btc', 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'],
  ['btc-testnet', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'],
  ['btc-testnet', '2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc'],
  ['btc-testnet', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'],
  ['btc-signet', 'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c'],
  ['trx', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
  ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:4294967295'],
  ['xrp', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59'],
  [
    'xrp',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:1',
  ],
  [
    'xrp',
    'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS:14',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:14',
  ],
  [
    'xrp-testnet',
    'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ',
    'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59',
  ],
  ['sol', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
  ['sol', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
  [
    'ton',
    'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
    'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI',
  ],
  ['ton', 'UQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqEBI:order-7'],
  ['ton-testnet', '0QAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4-QO'],
  [
    'ton-testnet',
    '0QAs9VlT6S776tq3unJcP5Ogsj+ELLunLXuOb1EKcOQi4+QO',
    '0QAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4-QO',
  ],
  ['email', 'Ann@Example.com', 'ann@example.com'],
  // A network without a parser accepts any text that some chain could use.
  ['xlm', 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ:memo'],
];

const REFUSED: [network: string, text: string, why: string][] = [
  ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 'the case of a letter is wrong'],
  ['eth', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'no prefix'],
  ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe', 'a digit is missing'],
  ['eth', '0x0000000000000000000000000000000000000000', 'no one has its key'],
  ['eth', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed:7', 'there are no tags'],
  ['eth', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'of TRON'],
  ['trx', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'of Ethereum'],
  ['trx', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'of Bitcoin'],
  ['trx', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', 'no one has its key'],
  ['btc', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'of TRON'],
  ['btc', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'of the test chain'],
  ['btc', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'of the test chain'],
  ['btc-testnet', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'of the main chain'],
  ['btc-testnet', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'of the main chain'],
  ['btc-regtest', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'of the public test chain'],
  ['btc', '1111111111111111111114oLvT2', 'no one has its key'],
  ['btc', 'bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'mixed case'],
  ['btc', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh', 'version 0 with the Taproot checksum'],
  [
    'btc',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'Taproot with the other checksum',
  ],
  [
    'btc',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'Taproot of 40 bytes',
  ],
  ['btc', 'BC1SW50QGDZ25J', 'version 16: anyone can spend it'],
  ['btc', 'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs', 'version 2: anyone can spend it'],
  ['btc', 'bc1gmk9yu', 'no program'],
  ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:4294967296', 'tags have 32 bits'],
  ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:007', 'a tag is a number'],
  ['xrp', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59:', 'a colon without a tag'],
  ['xrp', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', 'no one has its key'],
  ['xrp', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGo2K5VpXpmCqbV2gS:2', 'two different tags'],
  ['xrp', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ:1', 'the inner address has no tag'],
  ['xrp', 'T719a5UwUCnEs54UsxG9CJYYDhwmFCqkr7wxCcNcfZ6p5GZ', 'of the test chain'],
  ['xrp-testnet', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ', 'of the main chain'],
  ['sol', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5D', 'too short'],
  ['sol', '11111111111111111111111111111111', 'no one has its key'],
  ['sol', 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 'of the XRP Ledger'],
  ['ton', '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8', 'no checksum'],
  ['ton', '0QAs9VlT6S776tq3unJcP5Ogsj-ELLunLXuOb1EKcOQi4-QO', 'of the test chain'],
  ['ton-testnet', 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N', 'of the main chain'],
  ['ton', 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c', 'no one has its key'],
  ['email', 'ann@example', 'no domain'],
  ['xlm', 'two words', 'a space'],
  ['xlm', '', 'empty'],
  ['xlm', 'a'.repeat(257), 'too long'],
];

describe('addresses', () => {
  for (const [network, text, spelling = text] of ACCEPTED) {
    test(`${network}: ${text} is accepted`, () => {
      const found = parseDestination(network, text);
      assert.ok(found);
      assert.equal(destinationText(found), spelling);
      assert.deepEqual(parseDestination(network, spelling), found);
    });
  }

  for (const [network, text, why] of REFUSED) {
    test(`${network}: ${text.slice(0, 80)} is rejected: ${why}`, () => {
      assert.equal(parseDestination(network, text), undefined);
    });
  }

  test('a checksum detects every change of one character', () => {
    const characters = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));
    let changes = 0;
    const undetected: string[] = [];
    for (const [network, given] of ACCEPTED) {
      if (WITHOUT_CHECKSUM.includes(network) || isUnchecked(given)) continue;
      const [text] = given.split(':');
      const meant = parseDestination(network, text);
      for (let at = 0; at < text.length; at++) {
        for (const character of characters) {
          if (character === text[at]) continue;
          changes++;
          const changed = text.slice(0, at) + character + text.slice(at + 1);
          const found = parseDestination(network, changed);
          // The two Base64 alphabets are two spellings of one address.
          if (found === undefined || found.address === meant?.address) continue;
          undetected.push(`${network} ${changed}`);
        }
      }
    }
    assert.ok(changes > 80_000, `${changes}`);
    assert.deepEqual(undetected, []);
  });

  test('any text is parsed or rejected, and its canonical spelling parses to itself', () => {
    const networks = fc.constantFrom(...new Set(ACCEPTED.map(([network]) => network)));
    const texts = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.base64String({ minLength: 48, maxLength: 48 }),
      fc.constantFrom(...ACCEPTED.map(([, text]) => text)),
    );
    fc.assert(
      fc.property(networks, texts, (network, text) => {
        const found = parseDestination(network, text);
        if (found === undefined) return;
        assert.deepEqual(parseDestination(network, destinationText(found)), found);
      }),
    );
  });
});

/** An Ethereum address in a single case has no checksum. */
function isUnchecked(text: string): boolean {
  return /^0x(?:[0-9a-f]+|[0-9A-F]+)$/.test(text);
}
