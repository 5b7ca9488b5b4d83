// EVM chains: final blocks from two nodes, verified against their hash, with all transfers. Knows
// neither users nor tables, and sends no transactions.

export {
  EvmChain,
  type FinalBlock,
  type Tip,
  type UnitsQuery,
  unitsOnNode,
} from './evm-chain.ts';
export { EvmNode, type EvmNodeOptions } from './evm-node.ts';
export { NodeFault, NodesDisagree } from './faults.ts';
export { type NodeUrls, readNodesFile } from './nodes-file.ts';
export type { Transfer } from './transfers.ts';
