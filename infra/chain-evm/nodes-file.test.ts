// The nodes file: two nodes for each network, and no message with a URL.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseNodes } from './nodes-file.ts';

const SECRET = 'https://node.example/key-5d41402a';

test('two nodes for each network are read in their order', () => {
  const text = `{"eth": ["${SECRET}", "http://127.0.0.1:8545"]}`;
  assert.deepEqual(
    [...parseNodes(text, 'production')],
    [['eth', [SECRET, 'http://127.0.0.1:8545']]],
  );
});

const WRONG: readonly (readonly [text: string, reason: RegExp])[] = [
  ['', /expected a JSON object/],
  ['[]', /expected a JSON object/],
  [`{"eth": "${SECRET}"}`, /expected two URLs for eth/],
  [`{"eth": ["${SECRET}"]}`, /expected two URLs for eth/],
  [`{"eth": ["${SECRET}", 7]}`, /expected http:\/\/ or https:\/\/ URLs for eth/],
  [`{"eth": ["${SECRET}", "ftp://a.example"]}`, /expected http:\/\/ or https:\/\/ URLs for eth/],
  [`{"eth": ["${SECRET}", "http://a.example"]}`, /expected https:\/\/ for a node of eth/],
  [`{"eth": ["${SECRET}", "${SECRET}"]}`, /received one URL twice/],
  [`{"eth": ["${SECRET}",`, /expected a JSON object/],
];

test('a wrong file is refused without repeating a URL', () => {
  for (const [text, reason] of WRONG) {
    assert.throws(
      () => parseNodes(text, 'production'),
      (fault: Error) => reason.test(fault.message) && !fault.message.includes('5d41402a'),
      text,
    );
  }
});

test('development accepts one node twice', () => {
  const node = 'http://10.0.0.1:8545';
  assert.equal(parseNodes(`{"eth": ["${node}", "${node}"]}`, 'development').size, 1);
});
