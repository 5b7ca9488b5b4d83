// A local chain with the contracts of tests: sends transactions from anvil's unlocked accounts, and
// mines and reorganizes on request. It is also the oracle: it reads balances without our code.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { postInTurn } from './node-lane.ts';

export type ContractName =
  | 'StandardToken'
  | 'NoReturnToken'
  | 'FalseToken'
  | 'FeeToken'
  | 'LyingToken'
  | 'InnerPayer'
  | 'TokenPayer';

export interface SentTransaction {
  readonly from?: string;
  readonly to?: string;
  readonly value?: bigint;
  readonly data?: string;
  readonly [field: string]: unknown;
}

export interface MinedReceipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly blockNumber: string;
  readonly transactionHash: string;
}

/** Written by testing/chains/compile-contracts.ts. */
const BYTECODE_FILE = join(import.meta.dirname, '../../testing/chains/contracts/bytecode.json');
const BYTECODE = JSON.parse(readFileSync(BYTECODE_FILE, 'utf8')) as Record<ContractName, string>;
const GAS = '0x2dc6c0';

export class TestChain {
  readonly url: string;
  /** Unlocked accounts with 10,000 ether each. */
  accounts: readonly string[] = [];

  constructor(url: string) {
    this.url = url;
  }

  async open(): Promise<this> {
    this.accounts = (await this.ask('eth_accounts')) as string[];
    return this;
  }

  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const text = await postInTurn(
      this.url,
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    );
    const answer = JSON.parse(text) as { result?: unknown; error?: { message: string } };
    if (answer.error !== undefined) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }

  /** Queues a transaction, which the next block contains. Returns its hash. */
  async send({ value = 0n, ...fields }: SentTransaction): Promise<string> {
    const [from] = this.accounts;
    const transaction = { from, gas: GAS, value: quantity(value), ...fields };
    return (await this.ask('eth_sendTransaction', transaction)) as string;
  }

  async deploy(name: ContractName): Promise<string> {
    const hash = await this.send({ data: BYTECODE[name] });
    await this.mine();
    const { contractAddress, status } = await this.receipt(hash);
    if (contractAddress === null || status !== '0x1') throw new Error(`${name} was not deployed`);
    return contractAddress;
  }

  async mine(blocks = 1): Promise<void> {
    await this.ask('anvil_mine', quantity(BigInt(blocks)));
  }

  /** Replaces the newest blocks by empty ones. Their transactions are gone. */
  async reorganize(depth: number): Promise<void> {
    await this.ask('anvil_reorg', depth, []);
  }

  async receipt(hash: string): Promise<MinedReceipt> {
    return (await this.ask('eth_getTransactionReceipt', hash)) as MinedReceipt;
  }

  async height(): Promise<number> {
    return Number(await this.ask('eth_blockNumber'));
  }

  /** Balance at a height, or now. */
  async units(address: string, contract?: string, height?: number): Promise<bigint> {
    const at = height === undefined ? 'latest' : quantity(BigInt(height));
    if (contract === undefined)
      return BigInt((await this.ask('eth_getBalance', address, at)) as string);
    const call = { to: contract, data: callData('balanceOf(address)', [address]) };
    return BigInt((await this.ask('eth_call', call, at)) as string);
  }
}

/** Encodes a call with addresses and numbers. */
export function callData(signature: string, values: readonly (string | bigint)[]): string {
  const selector = Buffer.from(keccak_256(Buffer.from(signature)))
    .toString('hex')
    .slice(0, 8);
  const words = values.map((value) => BigInt(value).toString(16).padStart(64, '0'));
  return `0x${selector}${words.join('')}`;
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`;
}
