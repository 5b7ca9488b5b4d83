// Verifies the content of a block against its hash: header, transactions and receipts must encode
// to the hashes that the header commits to. Nothing that fails this check is ever used.

import {
  addressIn,
  bytesIn,
  hashIn,
  hexOf,
  keccakHex,
  listIn,
  numberIn,
  quantityIn,
  recordIn,
} from './bytes.ts';
import { encodeHeader, encodeReceipt, encodeTransaction } from './encode-block.ts';
import { NodeFault } from './faults.ts';
import { orderedTrieRoot } from './trie.ts';

export interface VerifiedHeader {
  readonly height: number;
  readonly hash: string;
  readonly parent: string;
  readonly timeMs: number;
  readonly stateRoot: string;
}

export interface VerifiedBlock extends VerifiedHeader {
  readonly transactions: readonly VerifiedTransaction[];
}

export interface VerifiedTransaction {
  readonly hash: string;
  /** As the node names it: the block proves only its signature. */
  readonly sender: string;
  /** Network fee, which the sender paid. */
  readonly feeUnits: bigint;
  /** Undefined for the creation of a contract. */
  readonly to: string | undefined;
  readonly units: bigint;
  readonly hasSucceeded: boolean;
  readonly logs: readonly VerifiedLog[];
}

export interface VerifiedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: Uint8Array;
}

export function verifyHeader(hash: string, found: unknown): VerifiedHeader {
  const block = recordIn(found);
  const computed = keccakHex(encodeHeader(block));
  if (computed !== hash) throw new NodeFault(`header of ${hash} has the hash ${computed}`);
  return {
    height: numberIn(block.number),
    hash,
    parent: hashIn(block.parentHash),
    timeMs: numberIn(block.timestamp) * 1_000,
    stateRoot: hashIn(block.stateRoot),
  };
}

/** `found` is a block with complete transactions, `receipts` those of all its transactions. */
export function verifyBlock(hash: string, found: unknown, receipts: unknown): VerifiedBlock {
  const header = verifyHeader(hash, found);
  const block = recordIn(found);
  const transactions = listIn(block.transactions);
  const encoded = transactions.map(encodeTransaction);
  requireRoot('transactions', hashIn(block.transactionsRoot), encoded);
  const outcomes = listIn(receipts);
  requireRoot('receipts', hashIn(block.receiptsRoot), outcomes.map(encodeReceipt));
  if (outcomes.length !== transactions.length) {
    throw new NodeFault(`${outcomes.length} receipts for ${transactions.length} transactions`);
  }
  return {
    ...header,
    transactions: transactions.map((transaction, at) =>
      verified(keccakHex(encoded[at]), recordIn(transaction), recordIn(outcomes[at]), {
        gasBefore: at === 0 ? 0n : quantityIn(recordIn(outcomes[at - 1]).cumulativeGasUsed),
        baseFee: quantityIn(block.baseFeePerGas ?? '0x0'),
      }),
    ),
  };
}

function requireRoot(what: string, expected: string, values: readonly Uint8Array[]): void {
  const computed = hexOf(orderedTrieRoot(values));
  if (computed !== expected)
    throw new NodeFault(`${what} have the root ${computed}, not ${expected}`);
}

type Fields = Readonly<Record<string, unknown>>;

/** The price of a unit of gas, from fields that the block proves. */
function gasPriceOf(transaction: Fields, baseFee: bigint): bigint {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, type } = transaction;
  if (type === undefined || numberIn(type) < 2) return quantityIn(gasPrice);
  const offered = baseFee + quantityIn(maxPriorityFeePerGas);
  const highest = quantityIn(maxFeePerGas);
  return offered < highest ? offered : highest;
}

function verified(
  hash: string,
  transaction: Fields,
  receipt: Fields,
  { baseFee, gasBefore }: { readonly baseFee: bigint; readonly gasBefore: bigint },
): VerifiedTransaction {
  const { from, to, value } = transaction;
  const gasUsed = quantityIn(receipt.cumulativeGasUsed) - gasBefore;
  return {
    hash,
    sender: addressIn(from),
    feeUnits: gasUsed * gasPriceOf(transaction, baseFee),
    to: to === null || to === undefined ? undefined : addressIn(to),
    units: quantityIn(value),
    // Receipts before Byzantium have no status; custody starts later.
    hasSucceeded: receipt.status !== undefined && quantityIn(receipt.status) === 1n,
    logs: listIn(receipt.logs).map((found) => {
      const { address, data, topics } = recordIn(found);
      return {
        address: addressIn(address),
        topics: listIn(topics).map(hashIn),
        data: bytesIn(data),
      };
    }),
  };
}
