// Reads a real chain through two nodes, of which one loses, delays and falsifies answers: every
// block that is read equals the truth, or nothing is read.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startFaultProxy } from '../../testing/chains/fault-proxy.ts';
import { Random } from '../../testing/flows/index.ts';
import { startAnvil } from '../../tools/services/anvil.ts';
import { callData, TestChain } from '../../tools/services/test-chain.ts';
import { EvmChain, type FinalBlock } from './evm-chain.ts';
import { EvmNode } from './evm-node.ts';
import { NodeFault, NodesDisagree } from './faults.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce';
const CHAIN_ID = 31_337;
const METHODS = [
  'eth_blockNumber',
  'eth_getBlockByNumber',
  'eth_getBlockByHash',
  'eth_getBlockReceipts',
  'debug_traceBlockByHash',
  'eth_getProof',
  'eth_call',
];

async function startForTest(context: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-chain-'));
  const anvil = await startAnvil({ folder });
  context.after(async () => {
    await anvil.stop();
    rmSync(folder, { recursive: true });
  });
  return new TestChain(anvil.url).open();
}

function chainOf(one: string, other: string): EvmChain {
  const node = (url: string, name: string) => new EvmNode({ url, name, answerMsMax: 5_000 });
  return new EvmChain({
    nodes: [node(one, 'node 1'), node(other, 'node 2')],
    chainId: CHAIN_ID,
    final: 'finalized',
  });
}

/** A block with a native, an inner and a token payment of `units`. */
async function mineDeposits(chain: TestChain, units: bigint): Promise<void> {
  await chain.send({ to: ALICE, value: units });
  await chain.mine();
}

test('a lying node never changes what is read', async (context) => {
  const seed = Number(process.env.RIALTO_SEED ?? Date.now() % 1e6);
  context.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const chain = await startForTest(context);
  const token = await chain.deploy('StandardToken');
  const payer = await chain.deploy('InnerPayer');
  for (let round = 1n; round <= 5n; round += 1n) {
    await chain.send({ to: payer, value: round, data: callData('payTwice(address)', [ALICE]) });
    await chain.send({ to: token, data: callData('transfer(address,uint256)', [ALICE, round]) });
    await mineDeposits(chain, round);
  }
  const last = await chain.height();
  await chain.mine(10);
  const honest = chainOf(chain.url, chain.url);
  const proxy = await startFaultProxy({ target: chain.url, random });
  context.after(() => proxy.stop());
  const queries = [
    { address: ALICE, contract: undefined },
    { address: ALICE, contract: token },
  ];
  const read = async (evm: EvmChain, height: number) => {
    const block = await evm.readFinal(height);
    return { block, units: await evm.unitsAt(block, queries) };
  };
  const truth = new Map<number, { block: FinalBlock; units: bigint[] }>();
  for (let height = 3; height <= last; height += 1) truth.set(height, await read(honest, height));
  assert.deepEqual(
    truth.get(last)?.units,
    [await chain.units(ALICE), await chain.units(ALICE, token)],
    'the units are those of the chain',
  );

  let refused = 0;
  for (const order of ['liar first', 'liar second']) {
    for (const method of METHODS) {
      for (let round = 0; round < 20; round += 1) {
        const height = random.between(3, last);
        const [one, other] =
          order === 'liar first' ? [proxy.url, chain.url] : [chain.url, proxy.url];
        proxy.lieAbout(method);
        try {
          assert.deepEqual(await read(chainOf(one, other), height), truth.get(height));
        } catch (fault) {
          if (!(fault instanceof NodeFault || fault instanceof NodesDisagree)) throw fault;
          refused += 1;
        }
      }
    }
  }
  assert.ok(refused > 0, 'lies were noticed');
  proxy.lieAbout();
  assert.deepEqual(await read(chainOf(proxy.url, chain.url), last), truth.get(last));
});

test('the final height is that of the slower node, and its hash is agreed', async (context) => {
  const chain = await startForTest(context);
  const other = await startForTest(context);
  await chain.mine(30);
  // The chains differ from their first block, even if both start in the same second.
  await other.send({ to: other.accounts[1], value: 1n });
  await other.mine(20);
  await assert.rejects(() => chainOf(chain.url, other.url).tip(), NodesDisagree);
  const { final, height } = await chainOf(chain.url, chain.url).tip();
  assert.deepEqual([final.height, height], [22, 30]);
});

test('a node of another chain, a silent one and an endless answer are faults', async (context) => {
  const chain = await startForTest(context);
  await chain.mine(10);
  const node = (url: string, answerBytesMax?: number) =>
    new EvmNode({ url, name: 'node', answerMsMax: 500, ...(answerBytesMax && { answerBytesMax }) });
  const withChainId = (chainId: number) =>
    new EvmChain({ nodes: [node(chain.url), node(chain.url)], chainId, final: 2 });
  await assert.rejects(() => withChainId(1).tip(), /serves chain 31337, expected 1/);
  assert.equal((await withChainId(CHAIN_ID).tip()).final.height, 8);
  await assert.rejects(() => node('http://127.0.0.1:9').ask('eth_chainId'), NodeFault);
  await assert.rejects(
    () => node(chain.url, 100).ask('eth_getBlockByNumber', '0x1', true),
    /more than/,
  );
  const proxy = await startFaultProxy({ target: chain.url, random: new Random(1), delayMs: 2_000 });
  context.after(() => proxy.stop());
  proxy.setFaults({ delay: 100 });
  await assert.rejects(() => node(proxy.url).ask('eth_chainId'), /TimeoutError/);
});
