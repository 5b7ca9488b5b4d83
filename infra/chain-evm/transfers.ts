// The transfers of a verified block: native units from its transactions and traces, tokens from its
// logs. A log is only what a contract claims; the caller compares balances before it believes one.

import { addressIn, listIn, quantityIn, recordIn } from './bytes.ts';
import { NodeFault } from './faults.ts';
import type { VerifiedBlock, VerifiedLog, VerifiedTransaction } from './verify-block.ts';

export interface Transfer {
  /** Hash of the transaction. */
  readonly transaction: string;
  /**
   * Position in the transaction. Tokens: that of the log. Native units: that of the call, in the
   * order of execution; 0 is the transaction itself.
   */
  readonly output: number;
  /** Contract of the token; undefined for native units. */
  readonly contract: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

/** keccak256("Transfer(address,address,uint256)") */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const WORD_BYTES = 32;
const ADDRESS_START = 12;
/** More nested calls than the EVM allows. */
const DEPTH_MAX = 1_025;

/** Transfers of ERC-20 tokens, of any contract. Without those of zero. */
export function tokenTransfers({ transactions }: VerifiedBlock): Transfer[] {
  return transactions.flatMap((transaction) => {
    if (!transaction.hasSucceeded) return [];
    return transaction.logs.flatMap((log, output) => tokenTransfer(transaction, log, output));
  });
}

function tokenTransfer(
  { hash }: VerifiedTransaction,
  { address, data, topics }: VerifiedLog,
  output: number,
): Transfer[] {
  // Three topics: with four it is a transfer of an NFT.
  if (topics[0] !== TRANSFER || topics.length !== 3 || data.length !== WORD_BYTES) return [];
  const units = BigInt(`0x${Buffer.from(data).toString('hex')}`);
  const [from, to] = topics.slice(1).map(addressInTopic);
  if (units === 0n || from === undefined || to === undefined) return [];
  return [{ transaction: hash, output, contract: address, from, to, units }];
}

/** Undefined if the topic is not an address. */
function addressInTopic(topic: string): string | undefined {
  const digits = topic.slice(2);
  const isAddress = /^0{24}/.test(digits);
  return isAddress ? `0x${digits.slice(ADDRESS_START * 2)}` : undefined;
}

/** Native transfers that transactions make themselves: all that a block proves without traces. */
export function outerTransfers({ transactions }: VerifiedBlock): Transfer[] {
  return transactions.flatMap(({ hasSucceeded, hash, sender, to, units }) =>
    hasSucceeded && to !== undefined && units > 0n
      ? [{ transaction: hash, output: 0, contract: undefined, from: sender, to, units }]
      : [],
  );
}

/**
 * Native transfers, including those between contracts, from `debug_traceBlockByHash` with
 * `callTracer`. The block proves only the outer ones: a trace that contradicts them throws.
 */
export function tracedTransfers(block: VerifiedBlock, traces: unknown): Transfer[] {
  const found = listIn(traces);
  const { transactions } = block;
  if (found.length !== transactions.length) {
    throw new NodeFault(`${found.length} traces for ${transactions.length} transactions`);
  }
  return transactions.flatMap((transaction, at) => {
    const { result } = recordIn(found[at]);
    const frame = recordIn(result);
    requireSameCall(transaction, frame);
    if (!transaction.hasSucceeded) return [];
    const walk = new FrameWalk(transaction.hash);
    walk.visit(frame, 0);
    return walk.transfers;
  });
}

type Frame = Readonly<Record<string, unknown>>;

function requireSameCall(transaction: VerifiedTransaction, frame: Frame): void {
  const { hash, hasSucceeded, sender, to, units } = transaction;
  const isSame =
    addressIn(frame.from) === sender &&
    (to === undefined || addressIn(frame.to) === to) &&
    unitsOf(frame) === units &&
    isFailed(frame) !== hasSucceeded;
  if (!isSame) throw new NodeFault(`the trace of ${hash} contradicts the transaction`);
}

class FrameWalk {
  readonly transfers: Transfer[] = [];
  readonly #transaction: string;
  #calls = 0;

  constructor(transaction: string) {
    this.#transaction = transaction;
  }

  visit(frame: Frame, depth: number): void {
    if (depth > DEPTH_MAX) throw new NodeFault('the trace is nested too deeply');
    // Some nodes omit calls of precompiled contracts, so they have no number.
    if (depth > 0 && isPrecompiled(frame)) return;
    const output = this.#calls++;
    const inner = frame.calls === undefined ? [] : listIn(frame.calls).map(recordIn);
    if (isFailed(frame)) {
      for (const call of inner) this.#count(call, depth + 1);
      return;
    }
    const units = unitsOf(frame);
    if (units > 0n && MOVING.has(String(frame.type))) {
      const [from, to] = [addressIn(frame.from), addressIn(frame.to)];
      const transaction = this.#transaction;
      this.transfers.push({ transaction, output, contract: undefined, from, to, units });
    }
    for (const call of inner) this.visit(call, depth + 1);
  }

  /** Calls within a failed one have numbers and no effect. */
  #count(frame: Frame, depth: number): void {
    if (depth > DEPTH_MAX) throw new NodeFault('the trace is nested too deeply');
    if (isPrecompiled(frame)) return;
    this.#calls++;
    for (const call of frame.calls === undefined ? [] : listIn(frame.calls)) {
      this.#count(recordIn(call), depth + 1);
    }
  }
}

/** A DELEGATECALL shows the value of its caller and moves nothing; a CALLCODE pays itself. */
const MOVING: ReadonlySet<string> = new Set(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT']);
const PRECOMPILED_MAX = 0x1ffn;

function isPrecompiled({ to }: Frame): boolean {
  return typeof to === 'string' && quantityIn(to) <= PRECOMPILED_MAX;
}

function isFailed({ error }: Frame): boolean {
  return error !== undefined && error !== null;
}

function unitsOf({ value }: Frame): bigint {
  return value === undefined || value === null ? 0n : quantityIn(value);
}
