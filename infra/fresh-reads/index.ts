// Fresh reads: how a gateway waits until the tables contain every acknowledged write.

export { FRESH_READS_DEFAULTS, FreshReads } from './fresh-reads.ts';
export { openGatewayPools } from './gateway-pools.ts';
