// Roots of ordered lists, and proofs. The expected roots are those of Ethereum's own blocks and
// test vectors; a proof of a local chain is recorded.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesIn, hexOf } from './bytes.ts';
import { NodeFault } from './faults.ts';
import { provenBalance } from './proven-balance.ts';
import { orderedTrieRoot } from './trie.ts';

const proofs = JSON.parse(
  readFileSync(join(import.meta.dirname, 'golden/local-proofs.json'), 'utf8'),
) as {
  readonly stateRoot: string;
  readonly accounts: readonly {
    readonly address: string;
    readonly balance: string;
    readonly accountProof: readonly string[];
  }[];
};

test('an empty list has the root that empty blocks have', () => {
  assert.equal(
    hexOf(orderedTrieRoot([])),
    '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  );
});

test('the order, the number and every byte of the values change the root', () => {
  const values = fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), {
    minLength: 1,
    maxLength: 300,
  });
  fc.assert(
    fc.property(values, fc.nat(), (list, at) => {
      const root = hexOf(orderedTrieRoot(list));
      const index = at % list.length;
      const changed = Uint8Array.from(list[index], (byte, place) =>
        place === 0 ? byte ^ 1 : byte,
      );
      assert.notEqual(hexOf(orderedTrieRoot(list.with(index, changed))), root);
      assert.notEqual(hexOf(orderedTrieRoot([...list, list[0]])), root);
    }),
    { numRuns: 30 },
  );
});

test('a proof shows the balance of an account, and that an account does not exist', () => {
  const root = bytesIn(proofs.stateRoot);
  for (const { accountProof, address, balance } of proofs.accounts) {
    const nodes = accountProof.map((node) => bytesIn(node));
    assert.equal(provenBalance(root, address, nodes), BigInt(balance));
  }
  assert.ok(proofs.accounts.some(({ balance }) => balance === '0x0'));
});

test('a proof with one changed byte, without a node or of another account proves nothing', () => {
  const root = bytesIn(proofs.stateRoot);
  const [account, other] = proofs.accounts;
  const nodes = account.accountProof.map((node) => bytesIn(node));
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (which, where, bits) => {
      const index = which % nodes.length;
      const place = where % nodes[index].length;
      const changed = Uint8Array.from(nodes[index], (byte, at) =>
        at === place ? byte ^ bits : byte,
      );
      assert.throws(
        () => provenBalance(root, account.address, nodes.with(index, changed)),
        NodeFault,
      );
    }),
  );
  assert.throws(() => provenBalance(root, account.address, nodes.slice(0, -1)), NodeFault);
  assert.throws(() => provenBalance(root, other.address, nodes), NodeFault);
});
