// Lists markets beyond the seeded ones, for tests whose cost grows with the number of markets.

import type { AssetId, Atoms, Lots, Ticks } from '../../core/money/index.ts';
import type { Sandbox } from '../../tools/sandbox/sandbox.ts';
import { StreamProbe } from './stream-probe.ts';

const CAP_ATOMS = 1_000_000_000_000n as Atoms;

/** Resolves when the exchange has `count` markets and the first stream serves their trades. */
export async function listMoreMarkets(sandbox: Sandbox, count: number): Promise<void> {
  const { admin } = sandbox;
  const quotes: AssetId[] = [];
  let listed = sandbox.seeded.markets.size;
  for (let number = 1; listed < count; number += 1) {
    const asset = { symbol: `coin${number}`, scale: 6, issuanceCapAtoms: CAP_ATOMS };
    const [event] = (await admin.apply({ kind: 'ListAsset', ...asset })).events;
    if (event.kind !== 'AssetListed') throw new Error(`${asset.symbol} is not listed`);
    for (const quote of quotes.slice(0, count - listed)) {
      await admin.apply({ ...MARKET, base: event.asset, quote });
      listed += 1;
    }
    quotes.push(event.asset);
  }
  const probe = await StreamProbe.open(sandbox.streamUrls[0]);
  probe.subscribe('trade');
  await probe.until(`${count} markets are served`, () => probe.received.length > count);
  probe.close();
}

const MARKET = {
  kind: 'ListMarket',
  lotAtoms: 1_000n as Atoms,
  tickMantissa: 1,
  tickScale: 2,
  minPriceTicks: 1 as Ticks,
  maxPriceTicks: 1_000_000 as Ticks,
  minSizeLots: 1 as Lots,
  maxSizeLots: 1_000_000 as Lots,
  referenceTicks: 0 as Ticks,
  status: 'full',
} as const;
