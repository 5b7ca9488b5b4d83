// Stage of the drill: an exchange under watch-only custody, a local chain with the contracts of
// tests, a fault proxy in front of each of its two nodes, and users with derived addresses.

import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import type { UserId } from '../../../core/money/index.ts';
import {
  type CustodyCoin,
  type CustodyFile,
  createApproverKey,
  parseCustodyFile,
  signedText,
  signText,
} from '../../../infra/custody-file/index.ts';
import { DEMO_ASSETS } from '../../../tools/sandbox/demo-plan.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { SandboxService } from '../../../tools/sandbox/sandbox-service.ts';
import { EXCHANGE, REGISTRY_SCHEMA, urlAs } from '../../../tools/sandbox/sandbox-settings.ts';
import { seedExchange } from '../../../tools/sandbox/seed.ts';
import { MARKETS } from '../../../tools/sandbox/seed-plan.ts';
import { type Anvil, startAnvil } from '../../../tools/services/anvil.ts';
import { writeIdentityFiles } from '../../../tools/services/identity-files.ts';
import { type ContractName, TestChain } from '../../../tools/services/test-chain.ts';
import { type FaultProxy, startFaultProxy } from '../../chains/fault-proxy.ts';
import type { Random } from '../../flows/index.ts';

/** Two epochs: a block is final when four newer ones exist. */
const SLOTS_IN_EPOCH = 2;
export const FINAL_AFTER = 2 * SLOTS_IN_EPOCH;
const CHAIN_ID = 31_337;
const USERS = 20;
export const NETWORK = 'eth';
const HARDENED = `m/44'/60'/0'`;
/** No deposit of this drill needs a review. */
const UNLIMITED = '100000000';

export interface Owner {
  readonly user: UserId;
  /** With `0x`, in lower case. */
  readonly address: string;
}

export interface DrillStage {
  readonly sandbox: Sandbox;
  readonly chain: TestChain;
  readonly proxies: readonly [FaultProxy, FaultProxy];
  readonly watcher: SandboxService;
  /** With the custody file, without which it sends every credit to review. */
  readonly dispatcher: SandboxService;
  readonly file: CustodyFile;
  readonly coins: Readonly<Record<'native' | 'token' | 'noReturn', CustodyCoin>>;
  readonly contracts: Readonly<Record<ContractName, string>>;
  readonly owners: readonly Owner[];
  stop(): Promise<void>;
}

export async function openStage(random: Random): Promise<DrillStage> {
  const sandbox = await startSandbox({ checkAnswers: false, logLevel: 'warn' });
  const parts: { stop(): Promise<void> }[] = [sandbox];
  const stop = async () => {
    for (const part of parts.toReversed()) await part.stop();
  };
  try {
    const anvil: Anvil = await startAnvil({ folder: sandbox.folder, slotsInEpoch: SLOTS_IN_EPOCH });
    parts.push(anvil);
    const chain = await new TestChain(anvil.url).open();
    const contracts = await deployAll(chain);
    const proxies = [await proxyTo(anvil, random), await proxyTo(anvil, random)] as const;
    parts.push(...proxies);
    const plan = { assets: DEMO_ASSETS, markets: MARKETS };
    const { assets } = await seedExchange(sandbox.admin, { plan, budgets: 'wide' });
    const account = HDKey.fromMasterSeed(randomBytes(32)).derive(HARDENED);
    const from = await chain.height();
    const text = custodyFileText({
      xpub: account.publicExtendedKey,
      from: from + 1,
      assetIds: (symbol) => Number(assets.get(symbol)!.id),
      contracts,
    });
    const file = parseCustodyFile(text);
    const [native, token, noReturn] = file.coins;
    const owners = await makeOwners(sandbox, file);
    await openNetwork(sandbox, chain, from);
    const files = writeFiles(sandbox, text, proxies);
    const watcher = watcherOf(sandbox, files);
    const dispatcher = await dispatcherOf(sandbox, files);
    parts.push(watcher, dispatcher);
    const coins = { native, token, noReturn };
    await Promise.all([watcher.start(), dispatcher.start()]);
    return { sandbox, chain, proxies, watcher, dispatcher, file, coins, contracts, owners, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

function proxyTo(anvil: Anvil, random: Random): Promise<FaultProxy> {
  return startFaultProxy({ target: anvil.url, random });
}

async function deployAll(chain: TestChain): Promise<Record<ContractName, string>> {
  const names: readonly ContractName[] = [
    'StandardToken',
    'NoReturnToken',
    'FalseToken',
    'FeeToken',
    'LyingToken',
    'InnerPayer',
    'TokenPayer',
  ];
  const addresses: [string, string][] = [];
  for (const name of names) addresses.push([name, await chain.deploy(name)]);
  return Object.fromEntries(addresses) as Record<ContractName, string>;
}

interface FileFields {
  readonly xpub: string;
  readonly from: number;
  readonly assetIds: (symbol: string) => number;
  readonly contracts: Readonly<Record<ContractName, string>>;
}

function custodyFileText({ assetIds, contracts, from, xpub }: FileFields): string {
  const approver = createApproverKey();
  const coin = (symbol: string, scale: number, digits: number, min: string, contract?: string) => ({
    asset: assetIds(symbol),
    symbol,
    scale,
    network: NETWORK,
    digits,
    credit: { min, people: UNLIMITED, hour: UNLIMITED },
    ...(contract === undefined ? {} : { contract }),
  });
  const document = {
    exchange: 'drill',
    version: 1,
    validUntil: '2100-01-01',
    networks: {
      [NETWORK]: { family: 'evm', chainId: CHAIN_ID, final: 'finalized', from, xpub },
    },
    coins: [
      coin('eth', 8, 18, '0.01'),
      coin('usdt', 6, 6, '1', contracts.StandardToken),
      coin('rlt', 6, 18, '1', contracts.NoReturnToken),
    ],
    approvers: { a1: approver.publicKey },
    quorum: 1,
  };
  const signatures = { a1: signText(signedText(document), approver.privateKey) };
  return JSON.stringify({ document, signatures });
}

async function makeOwners(sandbox: Sandbox, file: CustodyFile): Promise<Owner[]> {
  const traders = await sandbox.createTraders({ count: USERS, funds: {} });
  const { xpub } = file.networks.get(NETWORK)!;
  return Promise.all(
    traders.map(async ({ user }) => {
      const address = Buffer.from(xpub.evmAddress(user));
      await sandbox.admin.registry.query(
        `insert into custody_addresses (family, address, user_id) values ('evm', $1, $2)`,
        [address, user],
      );
      return { user, address: `0x${address.toString('hex')}` };
    }),
  );
}

/** The cursor stands at the newest block, which the first recorded one follows. */
async function openNetwork(sandbox: Sandbox, chain: TestChain, height: number): Promise<void> {
  const block = (await chain.ask('eth_getBlockByNumber', `0x${height.toString(16)}`, false)) as {
    readonly hash: string;
  };
  await sandbox.admin.registry.query(
    `insert into custody_networks
       (network, family, from_height, height, hash, tip_height, opened_after_deposit)
     values ($1, 'evm', $2, $3, $4, $3, 0)`,
    [NETWORK, height + 1, height, Buffer.from(block.hash.slice(2), 'hex')],
  );
}

interface Files {
  readonly RIALTO_CUSTODY_FILE: string;
  readonly RIALTO_NODES_FILE: string;
}

function writeFiles(sandbox: Sandbox, custodyFile: string, proxies: readonly FaultProxy[]): Files {
  const folder = join(sandbox.folder, 'custody');
  mkdirSync(folder, { recursive: true });
  const files = { custody: join(folder, 'custody.json'), nodes: join(folder, 'nodes.json') };
  writeFileSync(files.custody, custodyFile);
  writeFileSync(files.nodes, JSON.stringify({ [NETWORK]: proxies.map(({ url }) => url) }));
  return { RIALTO_CUSTODY_FILE: files.custody, RIALTO_NODES_FILE: files.nodes };
}

/** Takes the place of the sandbox's own dispatcher, which started before the file existed. */
async function dispatcherOf(
  sandbox: Sandbox,
  { RIALTO_CUSTODY_FILE }: Files,
): Promise<SandboxService> {
  const first = sandbox.service('outbox-dispatcher');
  await first.stop();
  return first.beside('outbox-dispatcher-2', { RIALTO_CUSTODY_FILE });
}

function watcherOf(sandbox: Sandbox, files: Files): SandboxService {
  return new SandboxService({
    name: 'chain-watcher',
    service: 'chain-watcher',
    logFolder: join(sandbox.folder, 'logs'),
    // Existing keys are kept.
    identities: writeIdentityFiles({
      folder: join(sandbox.folder, 'identities'),
      exchange: EXCHANGE,
      withSandbox: true,
    }),
    settings: {
      RIALTO_MODE: 'development',
      RIALTO_LOG_LEVEL: 'info',
      RIALTO_EXCHANGE: EXCHANGE,
      RIALTO_NATS_URLS: sandbox.nats.nodes.map(({ plainUrl }) => plainUrl).join(','),
      RIALTO_POSTGRES_URL: urlAs('chain-watcher', sandbox.postgres.url),
      RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
      ...files,
      RIALTO_CHAIN_EVERY_MS: '100',
    },
  });
}
