// Reads coins from the second node of each network in the nodes file, for the check `coins`. The
// watcher's first node has no part in it, and no other process has a part in the answers.

import { atomsOfUnits } from '../../features/custody/index.ts';
import { type CoinSource, NodeAway } from '../../features/reconciliation/index.ts';
import { EvmNode, NodeFault, type NodeUrls, unitsOnNode } from '../../infra/chain-evm/index.ts';
import { type CustodyFile, coinsOf } from '../../infra/custody-file/index.ts';

/** A node that is slower must not delay the other checks. */
const ANSWER_MS_MAX = 3_000;

export function chainCoins(file: CustodyFile, nodeUrls: NodeUrls): CoinSource {
  const nodes = new Map(
    [...nodeUrls].map(([network, [, url]]) => [
      network,
      new EvmNode({ url, name: `second node of ${network}`, answerMsMax: ANSWER_MS_MAX }),
    ]),
  );
  return {
    atomsOf(network, asset, units) {
      const coin = coinsOf(file, network).find((one) => Number(one.asset) === asset);
      return coin === undefined ? 0n : atomsOfUnits(units, coin).atoms;
    },

    async unitsAt(network, blockHash, coins) {
      const node = nodes.get(network);
      if (node === undefined) throw new NodeAway(`the nodes file has no nodes of ${network}`);
      const listed = new Map(coinsOf(file, network).map((coin) => [Number(coin.asset), coin]));
      const known = coins.filter(({ asset }) => listed.has(asset));
      const queries = known.map(({ address, asset }) => ({
        address: `0x${Buffer.from(address).toString('hex')}`,
        contract: listed.get(asset)!.contract,
      }));
      try {
        const units = await unitsOnNode(
          node,
          `0x${Buffer.from(blockHash).toString('hex')}`,
          queries,
        );
        return coins.map((coin) => units[known.indexOf(coin)]);
      } catch (cause) {
        if (!(cause instanceof NodeFault)) throw cause;
        throw new NodeAway(cause.message, { cause });
      }
    },
  };
}
