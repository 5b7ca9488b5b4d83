// Reads one EVM network from two nodes. They must agree on the height and the hash of final blocks;
// everything else comes from one node and is verified against that hash, or must be equal on both.
// It has no state, so it can be asked for any block again.

import {
  addressIn,
  bytesIn,
  hashIn,
  hexOf,
  listIn,
  numberIn,
  quantityIn,
  quantityText,
  recordIn,
} from './bytes.ts';
import type { Call, EvmNode } from './evm-node.ts';
import { NodeFault, NodesDisagree } from './faults.ts';
import { provenBalance } from './proven-balance.ts';
import { outerTransfers, type Transfer, tokenTransfers, tracedTransfers } from './transfers.ts';
import {
  type VerifiedBlock,
  type VerifiedHeader,
  verifyBlock,
  verifyHeader,
} from './verify-block.ts';

export interface EvmChainOptions {
  /** Two nodes of different operators. */
  readonly nodes: readonly [EvmNode, EvmNode];
  readonly chainId: number;
  /** `finalized`, or the number of blocks after which a block is final. */
  readonly final: 'finalized' | number;
}

export interface Tip {
  /** Newest block that both nodes call final, with the same hash. */
  readonly final: { readonly height: number; readonly hash: string };
  /** Newest block of either node. */
  readonly height: number;
}

export interface FinalBlock extends VerifiedHeader {
  readonly transfers: readonly Transfer[];
  /** Network fees, by the address that paid them. */
  readonly fees: readonly { readonly from: string; readonly units: bigint }[];
  /** False if no node traces: native transfers between contracts are missing. */
  readonly hasTraces: boolean;
}

export interface UnitsQuery {
  readonly address: string;
  /** Undefined for native units. */
  readonly contract: string | undefined;
}

export type BlockAt = Pick<VerifiedHeader, 'height' | 'hash'>;

const BALANCE_OF = '0x70a08231';
const CALLS_AT_ONCE = 100;

export class EvmChain {
  readonly #options: EvmChainOptions;
  #isChecked = false;

  constructor(options: EvmChainOptions) {
    this.#options = options;
  }

  async tip(): Promise<Tip> {
    const { nodes } = this.#options;
    await this.#checkChainId();
    const finals = await Promise.all(nodes.map((node) => this.#finalHeight(node)));
    const height = Math.min(...finals.map(({ final }) => final));
    const hash = await this.hashAt(height);
    return { final: { height, hash }, height: Math.max(...finals.map(({ newest }) => newest)) };
  }

  /** Throws NodesDisagree if the nodes have different blocks at this height. */
  async hashAt(height: number): Promise<string> {
    const hashes = await Promise.all(this.#options.nodes.map((node) => hashOn(node, height)));
    if (hashes.some((hash) => hash !== hashes[0])) throw new NodesDisagree(height, hashes);
    return hashes[0];
  }

  /** Reads and verifies a final block. The content comes from the first node that proves it. */
  async readFinal(height: number): Promise<FinalBlock> {
    return this.#read(height, await this.hashAt(height));
  }

  /** Hash of a block that might still be replaced; the nodes need not agree. */
  unfinalHash(height: number): Promise<string> {
    return this.#fromFirst((node) => hashOn(node, height));
  }

  readUnfinal(height: number, hash: string): Promise<FinalBlock> {
    return this.#read(height, hash);
  }

  async #read(height: number, hash: string): Promise<FinalBlock> {
    const block = await this.#fromFirst((node) => contentOf(node, hash));
    if (block.height !== height)
      throw new NodeFault(`block ${hash} has the height ${block.height}`);
    const native = await this.#nativeTransfers(block);
    const { parent, stateRoot, timeMs, transactions } = block;
    return {
      height,
      hash,
      parent,
      stateRoot,
      timeMs,
      transfers: [...(native ?? outerTransfers(block)), ...tokenTransfers(block)],
      fees: transactions.map(({ feeUnits, sender }) => ({ from: sender, units: feeUnits })),
      hasTraces: native !== undefined,
    };
  }

  /** Units at the end of a block, in the order of the queries. */
  async unitsAt(block: BlockAt & { readonly stateRoot: string }, queries: readonly UnitsQuery[]) {
    const units: bigint[] = [];
    for (let at = 0; at < queries.length; at += CALLS_AT_ONCE) {
      units.push(...(await this.#unitsOf(block, queries.slice(at, at + CALLS_AT_ONCE))));
    }
    return units;
  }

  async #unitsOf(
    block: BlockAt & { readonly stateRoot: string },
    queries: readonly UnitsQuery[],
  ): Promise<bigint[]> {
    const native = queries.filter(({ contract }) => contract === undefined);
    const tokens = queries.filter(({ contract }) => contract !== undefined);
    const proven = await this.#fromFirst((node) => provenUnits(node, block, native));
    const [one, other] = await Promise.all(
      this.#options.nodes.map((node) => tokenUnits(node, block, tokens)),
    );
    const different = one.findIndex((units, at) => units !== other[at]);
    if (different !== -1) {
      const { address, contract } = tokens[different];
      const answers = [one, other].map(
        (units) => `${units[different]} of ${contract} at ${address}`,
      );
      throw new NodesDisagree(block.height, answers);
    }
    return queries.map((query) =>
      query.contract === undefined ? proven[native.indexOf(query)] : one[tokens.indexOf(query)],
    );
  }

  /**
   * Nothing proves a trace, so two nodes that trace must show the same transfers. Undefined if no
   * node traces.
   */
  async #nativeTransfers(block: VerifiedBlock): Promise<Transfer[] | undefined> {
    const found = await Promise.all(
      this.#options.nodes.map((node) => tracesOf(node, block).catch(missingAsUndefined)),
    );
    const traced = found.filter((transfers) => transfers !== undefined);
    const [one, other] = traced;
    if (other !== undefined && textOf(one) !== textOf(other)) {
      throw new NodesDisagree(block.height, [differenceOf(one, other), differenceOf(other, one)]);
    }
    return one;
  }

  /** A node that is down, or whose answer fails its check, is replaced by the other one. */
  async #fromFirst<Value>(read: (node: EvmNode) => Promise<Value>): Promise<Value> {
    const [first, second] = this.#options.nodes;
    try {
      return await read(first);
    } catch (fault) {
      if (!(fault instanceof NodeFault)) throw fault;
      return await read(second);
    }
  }

  async #finalHeight(node: EvmNode): Promise<{ final: number; newest: number }> {
    const { final } = this.#options;
    const newest = numberIn(await node.ask('eth_blockNumber'));
    if (final !== 'finalized') return { final: Math.max(0, newest - final), newest };
    const block = await node.ask('eth_getBlockByNumber', 'finalized', false);
    if (block === null) throw new NodeFault(`${node.name} has no final block`);
    return { final: numberIn(recordIn(block).number), newest };
  }

  async #checkChainId(): Promise<void> {
    if (this.#isChecked) return;
    const { chainId, nodes } = this.#options;
    for (const node of nodes) {
      const found = numberIn(await node.ask('eth_chainId'));
      if (found !== chainId) {
        throw new NodeFault(`${node.name} serves chain ${found}, expected ${chainId}`);
      }
    }
    this.#isChecked = true;
  }
}

/** A node must not call a block by another hash or height than its own. */
async function hashOn(node: EvmNode, height: number): Promise<string> {
  const found = await node.ask('eth_getBlockByNumber', quantityText(height), false);
  if (found === null) throw new NodeFault(`${node.name} has no block ${height}`);
  const header = verifyHeader(hashIn(recordIn(found).hash), found);
  if (header.height !== height) throw new NodeFault(`${node.name} answers another block`);
  return header.hash;
}

async function contentOf(node: EvmNode, hash: string): Promise<VerifiedBlock> {
  const [block, receipts] = await Promise.all([
    node.ask('eth_getBlockByHash', hash, true),
    node.ask('eth_getBlockReceipts', hash),
  ]);
  if (block === null || receipts === null) throw new NodeFault(`${node.name} has no block ${hash}`);
  return verifyBlock(hash, block, receipts);
}

async function tracesOf(node: EvmNode, block: VerifiedBlock): Promise<Transfer[]> {
  if (block.transactions.length === 0) return [];
  const traces = await node.ask('debug_traceBlockByHash', block.hash, { tracer: 'callTracer' });
  return tracedTransfers(block, traces);
}

function missingAsUndefined(fault: unknown): undefined {
  if (!(fault instanceof NodeFault && fault.isMethodMissing)) throw fault;
}

async function provenUnits(
  node: EvmNode,
  block: BlockAt & { readonly stateRoot: string },
  queries: readonly UnitsQuery[],
): Promise<bigint[]> {
  const proofs = await node.askAll(
    queries.map(({ address }) => ({
      method: 'eth_getProof',
      params: [address, [], quantityText(block.height)],
    })),
  );
  return proofs.map((proof, at) => {
    const { accountProof } = recordIn(proof);
    const nodes = listIn(accountProof).map((item) => bytesIn(item));
    return provenBalance(bytesIn(block.stateRoot), queries[at].address, nodes);
  });
}

async function tokenUnits(
  node: EvmNode,
  { hash }: BlockAt,
  queries: readonly UnitsQuery[],
): Promise<bigint[]> {
  const answers = await node.askAll(
    queries.map(({ address, contract }) => balanceOf(contract, address, hash)),
  );
  return answers.map((answer) => quantityIn(hexOf(bytesIn(answer, 32))));
}

/** Units as a single node answers them, at the end of a block; nothing proves them. */
export async function unitsOnNode(
  node: EvmNode,
  hash: string,
  queries: readonly UnitsQuery[],
): Promise<bigint[]> {
  const units: bigint[] = [];
  for (let at = 0; at < queries.length; at += CALLS_AT_ONCE) {
    const some = queries.slice(at, at + CALLS_AT_ONCE);
    const answers = await node.askAll(
      some.map(({ address, contract }) =>
        contract === undefined
          ? { method: 'eth_getBalance', params: [addressIn(address), { blockHash: hash }] }
          : balanceOf(contract, address, hash),
      ),
    );
    for (const [number, answer] of answers.entries()) {
      const isNative = some[number].contract === undefined;
      units.push(quantityIn(isNative ? answer : hexOf(bytesIn(answer, 32))));
    }
  }
  return units;
}

function balanceOf(contract: string | undefined, address: string, hash: string): Call {
  const data = `${BALANCE_OF}${'0'.repeat(24)}${addressIn(address).slice(2)}`;
  return { method: 'eth_call', params: [{ to: contract, data }, { blockHash: hash }] };
}

function textOf(transfers: readonly Transfer[]): string {
  return transfers.map(lineOf).join('\n');
}

function lineOf({ from, output, to, transaction, units }: Transfer): string {
  return `${transaction} ${output} ${from} ${to} ${units}`;
}

/** The first transfer that only one node shows. */
function differenceOf(one: readonly Transfer[], other: readonly Transfer[]): string {
  const known = new Set(other.map(lineOf));
  const missing = one.map(lineOf).find((line) => !known.has(line));
  return missing ?? `${one.length} native transfers`;
}
