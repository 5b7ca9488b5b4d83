// Follows a real chain into a real registry: catches up in order, announces deposits early, records
// each once, waits while the nodes disagree, and halts if a final block is replaced.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  makeUser,
  openRegistryForTest,
  type RegistryForTest,
} from '../../features/auth/registry-for-test.ts';
import { EvmChain, EvmNode } from '../../infra/chain-evm/index.ts';
import { documentForTest, signedForTest } from '../../infra/custody-file/custody-file-for-test.ts';
import { parseCustodyFile } from '../../infra/custody-file/index.ts';
import type { OwnConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { type FaultProxy, startFaultProxy } from '../../testing/chains/fault-proxy.ts';
import { Random } from '../../testing/flows/index.ts';
import { type Anvil, startAnvil } from '../../tools/services/anvil.ts';
import { callData, TestChain } from '../../tools/services/test-chain.ts';
import { NetworkWatcher } from './network-watcher.ts';

const FINAL_AFTER = 8;
const ACCOUNTS = 10;
const NOTHING_STOPPED: ReadonlySet<number> = new Set();
const ETHER = 10n ** 18n;

let folder: string;
let anvil: Anvil;
let chain: TestChain;
let proxy: FaultProxy;
let registry: RegistryForTest;
let connection: OwnConnection;
let token: string;
let address: string;
let events: string[];

/** A new process: it has no memory of the blocks before. */
function newWatcher(): NetworkWatcher {
  const document = documentForTest();
  document.coins[1].contract = token;
  const file = parseCustodyFile(signedForTest(document));
  const network = file.networks.get('eth')!;
  const nodes = [chain.url, proxy.url].map(
    (url, at) => new EvmNode({ url, name: `node ${at + 1}` }),
  );
  return new NetworkWatcher({
    file,
    network,
    chain: new EvmChain({ nodes: [nodes[0], nodes[1]], chainId: 31_337, final: 'finalized' }),
    clock: systemClock,
    events: {
      recorded: (_, { deposits }) => void (deposits > 0 && events.push(`recorded ${deposits}`)),
      halted: () => void events.push('halted'),
      nodesFailed: (_, fault) => void events.push((fault as Error).name),
      nodesRecovered: () => void events.push('recovered'),
      tracesMissing: () => void events.push('no traces'),
      addressForged: () => void events.push('forged'),
    },
  });
}

async function catchUp(watcher: NetworkWatcher): Promise<void> {
  while ((await watcher.step(connection, NOTHING_STOPPED)).hasMore);
}

async function states(): Promise<string[]> {
  const { rows } = await connection.query(
    'select state, atoms from custody_deposits order by height, id',
  );
  return rows.map(({ atoms, state }) => `${state} ${atoms}`);
}

async function cursor() {
  const { rows } = await connection.query('select * from custody_networks');
  return { height: Number(rows[0].height), halted: rows[0].halted_reason as string | null };
}

describe('a network', () => {
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-watcher-'));
    [anvil, registry] = await Promise.all([startAnvil({ folder }), openRegistryForTest()]);
    chain = await new TestChain(anvil.url).open();
    proxy = await startFaultProxy({ target: anvil.url, random: new Random(1) });
    connection = await registry.connection();
    token = await chain.deploy('StandardToken');
    // The words of the custody file are also anvil's, whose accounts belong to users 0 to 9.
    for (let account = 0; account < ACCOUNTS; account += 1) await makeUser(registry.pool);
  });
  after(async () => {
    await proxy.stop();
    await registry.close();
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    events = [];
    const user = await makeUser(registry.pool);
    const { networks } = parseCustodyFile(signedForTest(documentForTest()));
    const own = networks.get('eth')!.xpub.evmAddress(user);
    address = `0x${Buffer.from(own).toString('hex')}`;
    await connection.query(
      `insert into custody_addresses (family, address, user_id) values ('evm', $1, $2)`,
      [Buffer.from(own), user],
    );
    await connection.query('truncate custody_networks cascade');
    const height = await chain.height();
    const block = (await chain.ask('eth_getBlockByNumber', 'latest', false)) as { hash: string };
    await connection.query(
      `insert into custody_networks
         (network, family, from_height, height, hash, tip_height, opened_after_deposit)
       values ('eth', 'evm', $1::bigint + 1, $1, $2, $1, 0)`,
      [height, Buffer.from(block.hash.slice(2), 'hex')],
    );
  });

  test('a network is followed from its opening, which recorded no block', async () => {
    await connection.query("update custody_networks set hash = ''");
    await chain.send({ to: address, value: ETHER });
    await chain.mine(FINAL_AFTER + 1);
    await catchUp(newWatcher());
    assert.deepEqual([(await cursor()).halted, await states()], [null, ['credited 100000000']]);
  });

  test('deposits are announced, and recorded once when they are final', async () => {
    const watcher = newWatcher();
    await chain.send({ to: address, value: ETHER });
    await chain.mine(FINAL_AFTER - 1);
    // The cursor's block is final only after as many blocks.
    await chain.mine(2);
    await chain.send({
      to: token,
      data: callData('transfer(address,uint256)', [address, 5_000_000n]),
    });
    await chain.mine();
    await catchUp(watcher);
    assert.deepEqual(await states(), ['credited 100000000', 'pending 5000000']);
    await chain.mine(FINAL_AFTER);
    // Another process continues where the first one was.
    const other = newWatcher();
    await catchUp(other);
    await catchUp(watcher);
    assert.deepEqual(await states(), ['credited 100000000', 'credited 5000000']);
    assert.deepEqual(events, ['recorded 1', 'recorded 1']);
    assert.equal((await cursor()).height, (await chain.height()) - FINAL_AFTER);
  });

  test('a reorganization above finality drops an announced deposit', async () => {
    const watcher = newWatcher();
    await chain.mine(FINAL_AFTER);
    await chain.send({ to: address, value: ETHER });
    await chain.mine();
    await catchUp(watcher);
    assert.deepEqual(await states(), ['pending 100000000']);
    await chain.reorganize(2);
    await catchUp(watcher);
    assert.deepEqual(await states(), ['dropped 100000000']);
    await chain.mine(FINAL_AFTER);
    await catchUp(watcher);
    assert.deepEqual(await states(), ['dropped 100000000']);
    assert.equal((await cursor()).halted, null);
  });

  test('it waits while the nodes disagree, and continues automatically', async () => {
    const watcher = newWatcher();
    await chain.send({ to: address, value: ETHER });
    await chain.mine(FINAL_AFTER + 3);
    const other = await startAnvil({ folder, name: 'other' });
    const foreign = await new TestChain(other.url).open();
    await foreign.mine(await chain.height());
    proxy.redirect(other.url);
    const { height } = await cursor();
    await catchUp(watcher);
    await catchUp(watcher);
    assert.deepEqual(events, ['NodesDisagree']);
    assert.ok(watcher.state.disagreeMs > 0);
    assert.deepEqual([await states(), (await cursor()).height], [[], height]);
    proxy.redirect();
    await other.stop();
    await catchUp(watcher);
    assert.deepEqual(events, ['NodesDisagree', 'recorded 1', 'recovered']);
    assert.equal(watcher.state.disagreeMs, 0);
  });

  test('it waits while a node is unreachable', async () => {
    const watcher = newWatcher();
    await chain.send({ to: address, value: ETHER });
    await chain.mine(FINAL_AFTER + 1);
    proxy.setFaults({ 'lose call': 100 });
    await catchUp(watcher);
    assert.deepEqual([await states(), events], [[], ['NodeFault']]);
    assert.ok(watcher.state.failingMs > 0);
    proxy.setFaults({});
    await catchUp(watcher);
    assert.deepEqual(await states(), ['credited 100000000']);
  });

  test('a replaced final block halts the network, and it stays halted', async () => {
    const watcher = newWatcher();
    await chain.mine(FINAL_AFTER * 2);
    await catchUp(watcher);
    const { height } = await cursor();
    await chain.reorganize(FINAL_AFTER + 1);
    await chain.send({ to: address, value: ETHER });
    await chain.mine(FINAL_AFTER * 2);
    await catchUp(watcher);
    assert.deepEqual(events, ['halted']);
    assert.match(
      (await cursor()).halted ?? '',
      /^final block \d+ was 0x[0-9a-f]{64} and is now 0x/,
    );
    assert.ok(watcher.state.isHalted);
    await catchUp(newWatcher());
    assert.deepEqual([await states(), (await cursor()).height], [[], height]);
  });
});
