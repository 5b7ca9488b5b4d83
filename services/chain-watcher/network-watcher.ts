// Follows one network: records its final blocks in order, one transaction each, and announces the
// deposits in unfinal blocks. Waits while nodes fail or disagree; halts the network if a final
// block is replaced or coins are missing. Credits nothing that both nodes do not agree on.

import {
  type Cursor,
  creditHeld,
  findAddressOwners,
  haltNetwork,
  type PendingTransfer,
  type FinalBlock as RecordedBlock,
  readCursor,
  recordFinalBlock,
  recordTip,
  replacePending,
} from '../../features/custody/index.ts';
import {
  type EvmChain,
  type FinalBlock,
  NodeFault,
  NodesDisagree,
  type Tip,
} from '../../infra/chain-evm/index.ts';
import {
  type CustodyCoin,
  type CustodyFile,
  type CustodyNetwork,
  coinsOf,
} from '../../infra/custody-file/index.ts';
import type { OwnConnection } from '../../infra/postgres/index.ts';
import type { Clock } from '../../infra/process/index.ts';
import { addressesIn, bytesOf, ownTransfers, type TouchedCoin } from './own-transfers.ts';

export interface NetworkWatcherOptions {
  readonly file: CustodyFile;
  readonly network: CustodyNetwork;
  readonly chain: EvmChain;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly events: NetworkEvents;
}

export interface NetworkEvents {
  recorded(network: string, block: { height: number; deposits: number }): void;
  halted(network: string, reason: string): void;
  /** The first fault after a time without one. */
  nodesFailed(network: string, fault: unknown): void;
  nodesRecovered(network: string): void;
  /** No node traces, so native payments between contracts are not seen. */
  tracesMissing(network: string): void;
  addressForged(network: string, address: string): void;
}

/** State of a network, as operators see it. */
export interface NetworkState {
  readonly isOpen: boolean;
  readonly isHalted: boolean;
  /** Last recorded, last final and newest block. */
  readonly height: number;
  readonly finalHeight: number;
  readonly tipHeight: number;
  /** How long the nodes have disagreed; 0 while they agree. */
  readonly disagreeMs: number;
  readonly failingMs: number;
}

export interface StepResult {
  /** More final blocks can be recorded now. */
  readonly hasMore: boolean;
  readonly deposits: number;
}

const BLOCKS_PER_STEP = 32;
const BLOCKS_READ_AT_ONCE = 4;
/** Nodes keep the state of about this many blocks; older balances cannot be proven. */
const STATES_KEPT = 120;
/** Deposits in blocks further from the final one are announced later. */
const UNFINAL_BLOCKS_MAX = 256;
const NOTHING: StepResult = { hasMore: false, deposits: 0 };

export class NetworkWatcher {
  readonly name: string;
  readonly #options: NetworkWatcherOptions;
  readonly #coins: readonly CustodyCoin[];
  #cursor: Cursor | undefined;
  #tip: Tip | undefined;
  #disagreeSince: number | undefined;
  #failingSince: number | undefined;
  #areTracesMissing = false;
  /** Own transfers of unfinal blocks, by hash. */
  #unfinal = new Map<string, readonly PendingTransfer[]>();
  #announced = '';

  constructor(options: NetworkWatcherOptions) {
    this.#options = options;
    this.name = options.network.name;
    this.#coins = coinsOf(options.file, this.name);
  }

  get state(): NetworkState {
    const { clock } = this.#options;
    const since = (start: number | undefined) =>
      start === undefined ? 0 : clock.elapsedMs() - start;
    return {
      isOpen: this.#cursor !== undefined,
      isHalted: this.#cursor?.haltedReason !== undefined,
      height: this.#cursor?.height ?? 0,
      finalHeight: this.#tip?.final.height ?? 0,
      tipHeight: this.#tip?.height ?? 0,
      disagreeMs: since(this.#disagreeSince),
      failingMs: since(this.#failingSince),
    };
  }

  /** Records the next final blocks. Faults of nodes end the step; the next one tries again. */
  async step(connection: OwnConnection, stopped: ReadonlySet<number>): Promise<StepResult> {
    this.#cursor = await readCursor(connection, this.name);
    const cursor = this.#cursor;
    if (cursor === undefined || cursor.haltedReason !== undefined) return NOTHING;
    try {
      const result = await this.#follow(connection, cursor, stopped);
      this.#recovered();
      return result;
    } catch (fault) {
      this.#failed(fault);
      return NOTHING;
    }
  }

  async #follow(
    connection: OwnConnection,
    cursor: Cursor,
    stopped: ReadonlySet<number>,
  ): Promise<StepResult> {
    const { chain } = this.#options;
    const tip = await chain.tip();
    this.#tip = tip;
    await recordTip(connection, this.name, tip.height);
    // Nodes that were restored can be behind the recorded blocks for a while.
    if (tip.final.height < cursor.height) return NOTHING;
    const replaced = await this.#replaced(cursor);
    if (replaced !== undefined) {
      await haltNetwork(connection, this.name, replaced);
      this.#halted(replaced);
      return NOTHING;
    }
    const context = { file: this.#options.file, network: this.#options.network };
    const held = await creditHeld(connection, { ...context, stoppedAssets: stopped });
    const deposits = await this.#recordBlocks(connection, tip, stopped);
    const { height, haltedReason } = this.#cursor ?? cursor;
    const hasMore = haltedReason === undefined && height < tip.final.height;
    if (!hasMore && haltedReason === undefined) await this.#announce(connection, tip);
    return { hasMore, deposits: held + deposits };
  }

  /** Returns the reason to halt if the last recorded block is no longer the final one. */
  async #replaced({ hash, height }: Cursor): Promise<string | undefined> {
    // Nothing is recorded before the first block.
    if (hash.length === 0) return undefined;
    const now = await this.#options.chain.hashAt(height);
    const recorded = hexOf(hash);
    if (now === recorded) return undefined;
    return `final block ${height} was ${recorded} and is now ${now}`;
  }

  async #recordBlocks(
    connection: OwnConnection,
    { final, height: tipHeight }: Tip,
    stopped: ReadonlySet<number>,
  ): Promise<number> {
    let deposits = 0;
    const first = this.#cursor!.height + 1;
    const last = Math.min(final.height, first + BLOCKS_PER_STEP - 1);
    for (let from = first; from <= last; from += BLOCKS_READ_AT_ONCE) {
      const heights = numbers(from, Math.min(last, from + BLOCKS_READ_AT_ONCE - 1));
      const blocks = await Promise.all(
        heights.map((height) => this.#options.chain.readFinal(height)),
      );
      for (const block of blocks) {
        const isOld = tipHeight - block.height > STATES_KEPT;
        const recorded = await this.#record(connection, block, { isOld, stopped });
        if (recorded === undefined) return deposits;
        deposits += recorded;
      }
    }
    return deposits;
  }

  /** Returns the number of deposits; undefined if no more blocks can be recorded now. */
  async #record(
    connection: OwnConnection,
    block: FinalBlock,
    { isOld, stopped }: { readonly isOld: boolean; readonly stopped: ReadonlySet<number> },
  ): Promise<number | undefined> {
    const { events, file, network } = this.#options;
    const { incoming, touched } = await this.#ownTransfers(connection, block);
    const units = await this.#provenUnits(block, touched, isOld);
    const record: RecordedBlock = {
      height: block.height,
      hash: bytesOf(block.hash),
      parent: bytesOf(block.parent),
      incoming,
      changed: touched.map((one, at) => ({ ...one, provenUnits: units?.[at] })),
    };
    const context = { file, network, stoppedAssets: stopped };
    const recorded = await recordFinalBlock(connection, context, record);
    if (recorded.kind === 'halted') {
      this.#halted(recorded.reason);
      return undefined;
    }
    this.#cursor = await readCursor(connection, this.name);
    if (recorded.kind === 'out_of_order') return undefined;
    events.recorded(this.name, { height: block.height, deposits: recorded.deposits });
    return recorded.deposits;
  }

  async #ownTransfers(connection: OwnConnection, block: FinalBlock) {
    const { events, network } = this.#options;
    if (!block.hasTraces && !this.#areTracesMissing) events.tracesMissing(this.name);
    this.#areTracesMissing = !block.hasTraces;
    const found = await findAddressOwners(connection, network, addressesIn(block));
    for (const { address } of found.forged) events.addressForged(this.name, address);
    return ownTransfers(block, this.#coins, found.owners);
  }

  /** Undefined if the nodes no longer have the state of an old block. */
  async #provenUnits(
    block: FinalBlock,
    touched: readonly TouchedCoin[],
    isOld: boolean,
  ): Promise<readonly bigint[] | undefined> {
    const queries = touched.map(({ address, coin }) => ({
      address: hexOf(address),
      contract: coin.contract,
    }));
    try {
      return await this.#options.chain.unitsAt(block, queries);
    } catch (fault) {
      if (isOld && fault instanceof NodeFault) return undefined;
      throw fault;
    }
  }

  /** Announces the deposits in unfinal blocks, and drops those that a reorganization removed. */
  async #announce(connection: OwnConnection, tip: Tip): Promise<void> {
    const { network } = this.#options;
    const last = Math.min(tip.height, tip.final.height + UNFINAL_BLOCKS_MAX);
    const blocks = await this.#unfinalBlocks(connection, tip.final, last);
    const hashes = [...blocks.keys()].join();
    if (hashes === this.#announced) return;
    await replacePending(connection, network, [...blocks.values()].flat());
    this.#unfinal = blocks;
    this.#announced = hashes;
  }

  async #unfinalBlocks(
    connection: OwnConnection,
    final: Tip['final'],
    last: number,
  ): Promise<Map<string, readonly PendingTransfer[]>> {
    const { chain } = this.#options;
    const blocks = new Map<string, readonly PendingTransfer[]>();
    for (const height of numbers(final.height + 1, last)) {
      const hash = await chain.unfinalHash(height);
      let transfers = this.#unfinal.get(hash);
      if (transfers === undefined) {
        const block = await chain.readUnfinal(height, hash);
        const { incoming } = await this.#ownTransfers(connection, block);
        const name = { height, hash: bytesOf(hash) };
        transfers = incoming.map((one) => ({ ...one, block: name }));
      }
      blocks.set(hash, transfers);
    }
    return blocks;
  }

  #halted(reason: string): void {
    this.#cursor = { ...this.#cursor!, haltedReason: reason };
    this.#options.events.halted(this.name, reason);
  }

  #failed(fault: unknown): void {
    if (!(fault instanceof NodeFault || fault instanceof NodesDisagree)) throw fault;
    const { clock, events } = this.#options;
    const isFirst = this.#disagreeSince === undefined && this.#failingSince === undefined;
    if (fault instanceof NodesDisagree) this.#disagreeSince ??= clock.elapsedMs();
    else this.#failingSince ??= clock.elapsedMs();
    if (isFirst) events.nodesFailed(this.name, fault);
  }

  #recovered(): void {
    if (this.#disagreeSince === undefined && this.#failingSince === undefined) return;
    this.#disagreeSince = undefined;
    this.#failingSince = undefined;
    this.#options.events.nodesRecovered(this.name);
  }
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

function hexOf(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}
