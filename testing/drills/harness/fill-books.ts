// Fills the books of a sandbox with resting orders, directly through the engine's client, so a
// drill runs on an exchange of a known size.

import type { KeyId, Lots, OrderNumber, Ticks, TimeMs } from '../../../core/money/index.ts';
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts';

const ORDERS_PER_TRADER = 5_000;
const IN_FLIGHT = 2_000;
/** Far below the market, so no order of a drill trades with them. */
const LOWEST_TICKS = 100_000;
const PRICES = 1_000;

export async function fillBooks(sandbox: Sandbox, orders: number): Promise<void> {
  if (orders === 0) return;
  const count = Math.ceil(orders / ORDERS_PER_TRADER);
  const traders = await sandbox.createTraders({ count, funds: { usdt: '1000000000' } });
  const market = sandbox.seeded.markets.get('btc-usdt')!;
  for (let placed = 0; placed < orders; placed += IN_FLIGHT) {
    const size = Math.min(IN_FLIGHT, orders - placed);
    await Promise.all(
      Array.from({ length: size }, (_, index) =>
        sandbox.admin.apply({
          kind: 'PlaceOrder',
          user: traders[(placed + index) % count].user,
          key: 0 as KeyId,
          market,
          side: 'buy',
          type: 'limit',
          timeInForce: 'GTC',
          selfTrade: 'cancel_newest',
          postOnly: false,
          priceTicks: (LOWEST_TICKS + ((placed + index) % PRICES)) as Ticks,
          sizeLots: 1_000 as Lots,
          stopTicks: 0 as Ticks,
          clientOrderId: '',
          note: '',
          trigger: 'stop',
          linkedOrder: 0 as OrderNumber,
          expiresMs: 0 as TimeMs,
        }),
      ),
    );
  }
  console.log(`${orders} orders are open`);
}
