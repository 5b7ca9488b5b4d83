// Recorded blocks verify, and one changed byte anywhere in their content is noticed. Recorded:
// block 14151203 of Ethereum's main network, and a local block with all kinds of payments.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { hexOf, keccakHex, listIn, recordIn } from './bytes.ts';
import { encodeTransaction } from './encode-block.ts';
import { NodeFault } from './faults.ts';
import { outerTransfers, tokenTransfers, tracedTransfers } from './transfers.ts';
import { orderedTrieRoot } from './trie.ts';
import { verifyBlock, verifyHeader } from './verify-block.ts';

type Recorded = {
  readonly block: Record<string, unknown> & { readonly hash: string };
  readonly receipts: Record<string, unknown>[];
  readonly traces: Record<string, unknown>[];
};

function readGolden(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'golden', name), 'utf8'));
}

const local = readGolden('local-block.json') as Recorded;
const RECIPIENT = '0x00000000000000000000000000000000000a11ce';

test('header and transactions of a block of the main network have its hashes', () => {
  const block = readGolden('mainnet-14151203.json') as Recorded['block'];
  const hash = '0x439c61275e55e56f4bd9cd26e9af0afa2a5a810627f83d72c8e43c1073a6a4fe';
  const header = verifyHeader(hash, block);
  assert.equal(header.height, 14_151_203);
  assert.equal(header.timeMs, Number(block.timestamp) * 1_000);
  const encoded = listIn(block.transactions).map(encodeTransaction);
  assert.equal(encoded.length, 12);
  assert.equal(hexOf(orderedTrieRoot(encoded)), block.transactionsRoot);
  for (const [at, transaction] of listIn(block.transactions).entries()) {
    assert.equal(keccakHex(encoded[at]), recordIn(transaction).hash);
  }
});

test('a block shows each payment to an address once, and none that failed', () => {
  const block = verifyBlock(local.block.hash, local.block, local.receipts);
  const position = (hash: string) => block.transactions.findIndex((one) => one.hash === hash);
  const paid = [...tracedTransfers(block, local.traces), ...tokenTransfers(block)]
    .filter(({ to }) => to === RECIPIENT)
    .map(({ contract, output, transaction, units }) => [
      position(transaction),
      output,
      contract === undefined ? 'native' : 'token',
      units,
    ]);
  assert.deepEqual(paid, [
    // Types 2, 0 and 1.
    [0, 0, 'native', 7n],
    [1, 0, 'native', 7n],
    [2, 0, 'native', 7n],
    [3, 1, 'native', 9n],
    [4, 1, 'native', 2n],
    [4, 2, 'native', 7n],
    // 5 reverted within, 6 reverted; 7 pays by a destroyed contract.
    [7, 2, 'native', 9n],
    [8, 0, 'token', 100n],
    [8, 1, 'token', 300n],
  ]);
});

test('without traces a block shows only the outer payments', () => {
  const block = verifyBlock(local.block.hash, local.block, local.receipts);
  const paid = outerTransfers(block).filter(({ to }) => to === RECIPIENT);
  assert.deepEqual(
    paid.map(({ output, units }) => [output, units]),
    [
      [0, 7n],
      [0, 7n],
      [0, 7n],
    ],
  );
});

/** Fields that the hashes of a block do not contain: a node can name anything. */
const UNPROVEN = new Set([
  'blobGasPrice',
  'blobGasUsed',
  'blockHash',
  'blockNumber',
  'blockTimestamp',
  'contractAddress',
  'effectiveGasPrice',
  'from',
  'gasUsed',
  'hash',
  'logIndex',
  'removed',
  'size',
  'totalDifficulty',
  'transactionHash',
  'transactionIndex',
  // The v of typed transactions repeats the parity; type 2 has gasPrice as a result.
  'v',
  'gasPrice',
]);

/** Paths of all texts in hexadecimal that a hash contains. */
function provenPaths(
  value: unknown,
  path: readonly (string | number)[] = [],
): (string | number)[][] {
  if (typeof value === 'string') return /^0x[0-9a-f]+$/.test(value) ? [[...path]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isHeader = path.length === 0 && !Array.isArray(value);
    const isInHeader = isHeader && (key === 'gasUsed' || key === 'blobGasUsed');
    if (UNPROVEN.has(key) && !isInHeader) return [];
    // A transaction without a type contains its chain only in its signature.
    if (key === 'chainId' && 'type' in value && value.type === '0x0') return [];
    return provenPaths(inner, [...path, Array.isArray(value) ? Number(key) : key]);
  });
}

const blockPaths = provenPaths({ ...local.block, withdrawals: [], uncles: [] });
// The recipient is proven by the transaction, not by its receipt.
const receiptPaths = provenPaths(local.receipts).filter((path) => path[1] !== 'to');

/** Changes one digit, so the value differs. */
function withChangedDigit<Value>(
  value: Value,
  path: readonly (string | number)[],
  at: number,
): Value {
  const copy = structuredClone(value);
  let holder = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) holder = holder[key] as typeof holder;
  const key = path[path.length - 1];
  const text = holder[key] as string;
  const index = 2 + (at % (text.length - 2));
  const digit = text[index] === '1' ? '2' : '1';
  holder[key] = `${text.slice(0, index)}${digit}${text.slice(index + 1)}`;
  return copy;
}

test('one changed digit in a block or its receipts is noticed', () => {
  assert.ok(blockPaths.length > 100 && receiptPaths.length > 30);
  const { block, receipts } = local;
  fc.assert(
    fc.property(fc.constantFrom(...blockPaths), fc.nat(), (path, at) => {
      const changed = withChangedDigit(block, path, at);
      assert.throws(() => verifyBlock(block.hash, changed, receipts), NodeFault);
    }),
    { numRuns: 200 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...receiptPaths), fc.nat(), (path, at) => {
      const changed = withChangedDigit(receipts, path, at);
      assert.throws(() => verifyBlock(block.hash, block, changed), NodeFault);
    }),
    { numRuns: 200 },
  );
});

test('missing, repeated and reordered transactions and receipts are noticed', () => {
  const { block, receipts } = local;
  const transactions = listIn(block.transactions);
  for (const changed of [
    transactions.slice(1),
    [...transactions, transactions[0]],
    transactions.toReversed(),
  ]) {
    assert.throws(
      () => verifyBlock(block.hash, { ...block, transactions: changed }, receipts),
      NodeFault,
    );
  }
  for (const changed of [
    receipts.slice(1),
    [...receipts, receipts[0]],
    receipts.toReversed(),
    [],
    null,
  ]) {
    assert.throws(() => verifyBlock(block.hash, block, changed), NodeFault);
  }
});

test('answers of another form are a fault of the node', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (block, receipts) => {
      assert.throws(() => verifyBlock(local.block.hash, block, receipts), NodeFault);
    }),
  );
});

test('a trace that contradicts its transaction is noticed', () => {
  const block = verifyBlock(local.block.hash, local.block, local.receipts);
  const { traces } = local;
  for (const path of [
    [0, 'result', 'value'],
    [0, 'result', 'to'],
    [0, 'result', 'from'],
  ]) {
    assert.throws(() => tracedTransfers(block, withChangedDigit(traces, path, 5)), NodeFault);
  }
  assert.throws(() => tracedTransfers(block, traces.slice(1)), NodeFault);
  const hidden = traces.with(6, { result: { ...recordIn(traces[6].result), error: undefined } });
  assert.throws(() => tracedTransfers(block, hidden), NodeFault);
});
