// A local EVM chain under custody for a sandbox: anvil, test tokens, a custody file made on the
// spot, and a faucet. Its keys are public and it has no consensus, so it must never hold value.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { openCustody } from '../../features/custody/index.ts';
import {
  createApproverKey,
  parseCustodyFile,
  signedText,
  signText,
} from '../../infra/custody-file/index.ts';
import { type Statements, withConnection } from '../../infra/postgres/index.ts';
import { type Anvil, anvilProgram, startAnvil } from '../services/anvil.ts';
import { callData, TestChain } from '../services/test-chain.ts';
import { waitUntil } from '../services/wait-until.ts';
import { DEMO_ASSETS } from './demo-plan.ts';
import type { SandboxAdmin, SeededAsset } from './sandbox-admin.ts';

export const CHAIN_NETWORK = 'eth';
const CHAIN_ID = 31_337;
/** Two epochs: a block is final when four newer ones exist. */
const SLOTS_IN_EPOCH = 2;
export const CHAIN_FINAL_AFTER = 2 * SLOTS_IN_EPOCH;
const ACCOUNT = "m/44'/60'/0'";
const TICK_MS = 1_000;
const RECORDED_WITHIN_MS = 3_000;

/** The coins of a demo that the chain has. */
const COINS = [
  { symbol: 'eth', digits: 18, credit: { min: '0.01', people: '50', hour: '200' } },
  { symbol: 'usdt', digits: 6, credit: { min: '1', people: '50000', hour: '200000' } },
  { symbol: 'rlt', digits: 18, credit: { min: '1', people: '50000', hour: '200000' } },
] as const;
const TOKENS = { usdt: 'StandardToken', rlt: 'NoReturnToken' } as const;

/** Addresses for a faucet, in a file that another process reads. */
export interface ChainFacts {
  readonly url: string;
  readonly coins: Readonly<Record<string, { readonly digits: number; readonly contract?: string }>>;
}

export class LocalChain {
  readonly #anvil: Anvil;
  readonly #chain: TestChain;
  readonly #folder: string;
  #ticking: NodeJS.Timeout | undefined;
  #blocksLeft = 0;
  #isBusy = false;

  private constructor(anvil: Anvil, chain: TestChain, folder: string) {
    this.#anvil = anvil;
    this.#chain = chain;
    this.#folder = folder;
  }

  /** Starts the chain of the folder, or a new one. */
  static async start(sandboxFolder: string): Promise<LocalChain> {
    const folder = chainFolder(sandboxFolder);
    mkdirSync(folder, { recursive: true });
    const isNew = !existsSync(join(folder, 'custody.json'));
    const stateFile = join(folder, 'state.json');
    const anvil = await startAnvil({ folder, stateFile, slotsInEpoch: SLOTS_IN_EPOCH });
    try {
      const local = new LocalChain(anvil, await new TestChain(anvil.url).open(), folder);
      if (isNew) await local.#create();
      local.#writeNodes();
      local.#ticking = setInterval(() => void local.#tick(), TICK_MS).unref();
      return local;
    } catch (fault) {
      await anvil.stop();
      throw fault;
    }
  }

  get url(): string {
    return this.#anvil.url;
  }

  /** Settings of the services that use custody. */
  get settings(): Readonly<Record<'RIALTO_CUSTODY_FILE' | 'RIALTO_NODES_FILE', string>> {
    return {
      RIALTO_CUSTODY_FILE: join(this.#folder, 'custody.json'),
      RIALTO_NODES_FILE: join(this.#folder, 'nodes.json'),
    };
  }

  /** Opens custody of the network, once its coins are listed. */
  async open(admin: SandboxAdmin, assets: ReadonlyMap<string, SeededAsset>): Promise<void> {
    const file = parseCustodyFile(readFileSync(this.settings.RIALTO_CUSTODY_FILE, 'utf8'));
    for (const { asset, symbol } of file.coins) {
      if (assets.get(symbol)?.id === asset) continue;
      throw new Error(`${symbol} is not listed as asset ${asset}, as the custody file says`);
    }
    await withConnection(admin.registry, (one) => openCustody(one, file, CHAIN_NETWORK));
  }

  /** Returns whether the chain still has the last recorded block; a kill can lose seconds of it. */
  async hasRecorded(statements: Statements): Promise<boolean> {
    const { rows } = await statements.query(
      "select height, encode(hash, 'hex') as hash from custody_networks where network = $1",
      [CHAIN_NETWORK],
    );
    const [cursor] = rows;
    if (cursor === undefined || cursor.hash === '') return true;
    const height = `0x${Number(cursor.height).toString(16)}`;
    const block = (await this.#chain.ask('eth_getBlockByNumber', height, false)) as {
      readonly hash: string;
    } | null;
    return block?.hash === `0x${cursor.hash}`;
  }

  /** Sends test coins. Returns the hash of the transaction; blocks follow until it is final. */
  send(symbol: string, amount: string, address: string): Promise<string> {
    return sendTestCoins(this.#facts(), { symbol, amount, address });
  }

  /** Mines blocks now instead of one per second. */
  async mine(blocks = 1): Promise<void> {
    await this.#chain.mine(blocks);
  }

  /** Makes everything final, and gives the watcher time to record it: nodes forget old traces. */
  async settle(statements: Statements): Promise<void> {
    clearInterval(this.#ticking);
    if (this.#blocksLeft > 0) await this.#chain.mine(this.#blocksLeft);
    const final = (await this.#chain.height()) - CHAIN_FINAL_AFTER;
    await waitUntil({
      what: `block ${final} is recorded`,
      timeoutMs: RECORDED_WITHIN_MS,
      question: async () => {
        const text = 'select height, halted_reason from custody_networks where network = $1';
        const [row] = (await statements.query(text, [CHAIN_NETWORK])).rows;
        return row === undefined || row.halted_reason !== null || Number(row.height) >= final;
      },
    }).catch(() => {});
  }

  async stop(): Promise<void> {
    clearInterval(this.#ticking);
    await this.#anvil.stop();
  }

  /** Mines until every transaction is final. An idle chain has no new blocks. */
  async #tick(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      const { pending } = (await this.#chain.ask('txpool_status')) as { readonly pending: string };
      if (Number(pending) > 0) this.#blocksLeft = CHAIN_FINAL_AFTER + 1;
      if (this.#blocksLeft > 0) {
        await this.#chain.mine();
        this.#blocksLeft -= 1;
      }
    } catch {
      // It is stopping, or was killed by a test.
    } finally {
      this.#isBusy = false;
    }
  }

  async #create(): Promise<void> {
    const contracts: Record<string, string> = {};
    for (const [symbol, name] of Object.entries(TOKENS)) {
      contracts[symbol] = await this.#chain.deploy(name);
    }
    // The first block that counts follows a final one.
    await this.#chain.mine(CHAIN_FINAL_AFTER);
    const final = (await this.#chain.height()) - CHAIN_FINAL_AFTER;
    const words = generateMnemonic(wordlist, 256);
    const xpub = HDKey.fromMasterSeed(mnemonicToSeedSync(words)).derive(ACCOUNT).publicExtendedKey;
    const approver = createApproverKey();
    const document = {
      exchange: 'sandbox',
      version: 1,
      validUntil: '2100-01-01',
      networks: {
        [CHAIN_NETWORK]: {
          family: 'evm',
          chainId: CHAIN_ID,
          final: 'finalized',
          from: final + 1,
          xpub,
        },
      },
      coins: COINS.map(({ symbol, ...coin }) => ({
        asset: DEMO_ASSETS.findIndex(({ description }) => description.symbol === symbol) + 1,
        symbol,
        scale: DEMO_ASSETS.find(({ description }) => description.symbol === symbol)!.scale,
        network: CHAIN_NETWORK,
        ...coin,
        ...(symbol in contracts ? { contract: contracts[symbol] } : {}),
      })),
      approvers: { sandbox: approver.publicKey },
      quorum: 1,
    };
    const signatures = { sandbox: signText(signedText(document), approver.privateKey) };
    this.#write('words.txt', `${words}\n`);
    this.#write('custody.json', JSON.stringify({ document, signatures }, undefined, 2));
  }

  /** The port changes with every start. */
  #writeNodes(): void {
    const { url } = this.#anvil;
    this.#write('nodes.json', JSON.stringify({ [CHAIN_NETWORK]: [url, url] }));
    this.#write('chain.json', JSON.stringify(this.#facts()));
  }

  #facts(): ChainFacts {
    const { document } = JSON.parse(readFileSync(join(this.#folder, 'custody.json'), 'utf8')) as {
      document: { coins: { symbol: string; digits: number; contract?: string }[] };
    };
    const coins = document.coins.map(({ contract, digits, symbol }) => [
      symbol,
      { digits, ...(contract === undefined ? {} : { contract }) },
    ]);
    return { url: this.#anvil.url, coins: Object.fromEntries(coins) };
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#folder, name), text, { mode: 0o600 });
  }
}

/** Whether anvil can run here. */
export function hasAnvil(): boolean {
  try {
    return existsSync(anvilProgram());
  } catch {
    return false;
  }
}

export function chainFolder(sandboxFolder: string): string {
  return join(sandboxFolder, 'chain');
}

export function readChainFacts(sandboxFolder: string): ChainFacts | undefined {
  const file = join(chainFolder(sandboxFolder), 'chain.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as ChainFacts) : undefined;
}

export interface TestCoins {
  readonly symbol: string;
  /** A decimal. */
  readonly amount: string;
  readonly address: string;
}

/** Throws if the coin is unknown or the amount has too many decimals. */
export async function sendTestCoins(
  { coins, url }: ChainFacts,
  { address, amount, symbol }: TestCoins,
): Promise<string> {
  const coin = coins[symbol];
  if (coin === undefined) {
    throw new Error(`Expected one of ${Object.keys(coins).join(', ')}, received ${symbol}.`);
  }
  const units = unitsOf(amount, coin.digits);
  if (units === undefined) {
    const expected = `an amount above 0 with ${coin.digits} decimals at most`;
    throw new Error(`Expected ${expected}, received ${amount}.`);
  }
  if (!/^0x[0-9a-f]{40}$/i.test(address)) {
    throw new Error(`Expected an address such as 0x5290…9EE7, received ${address}.`);
  }
  const chain = await new TestChain(url).open();
  if (coin.contract === undefined) return chain.send({ to: address, value: units });
  const data = callData('transfer(address,uint256)', [address, units]);
  return chain.send({ to: coin.contract, data });
}

/** Undefined for anything but an amount above 0 that is a whole number of units. */
function unitsOf(amount: string, digits: number): bigint | undefined {
  const [, whole, fraction = ''] = /^(\d{1,20})(?:\.(\d{1,18}))?$/.exec(amount) ?? [];
  if (whole === undefined || fraction.length > digits) return undefined;
  const units = BigInt(whole + fraction.padEnd(digits, '0'));
  return units > 0n ? units : undefined;
}
