// Switch `trading`: stops markets in the engine through its command queue. A stop makes a market
// stricter, never softer, and records the status to which the market returns.

import type { MarketStatus } from '../../../core/messages/index.ts';
import type { MarketId, TimeMs } from '../../../core/money/index.ts';
import { enqueue, readUnprojectedCommands } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { ActContext } from '../../approvals/index.ts';
import { readMarkets, requireListedMarket } from '../../listings/admin/index.ts';
import { STOP_MODES, type StopMode } from '../api/switches.ts';
import type { Stop } from './switches.ts';

/** Default: orders can be canceled, and nothing else. */
export const DEFAULT_MODE: StopMode = 'cancel-only';

/** From soft to strict. Markets with another status are not trading now. */
const HARDNESS: readonly MarketStatus[] = ['full', ...STOP_MODES];

interface WantedStop {
  readonly symbol?: string;
  readonly mode?: StopMode;
}

export interface StoppedMarket {
  readonly object: string;
  readonly mode: StopMode;
  /** Status before this stop. */
  readonly status: MarketStatus;
}

export interface MarketStops {
  readonly stopped: readonly StoppedMarket[];
  readonly commands: readonly number[];
}

/** Rejects a mode that is softer than the market's current one. */
export async function refuseSofter(context: ActContext, { mode, symbol }: WantedStop) {
  if (mode === undefined || symbol === undefined) return undefined;
  const market = await requireListedMarket(context, symbol);
  if (market instanceof Refused) return market;
  const { status } = market;
  const isTooSoft = HARDNESS.includes(status) && hardnessOf(mode) < hardnessOf(status);
  return isTooSoft ? new Refused('stop_is_softer', { symbol, status, mode }) : undefined;
}

/** Stops one market or all. `refuseSofter` must have accepted the mode. */
export async function stopMarkets(
  context: ActContext,
  { mode = DEFAULT_MODE, symbol }: WantedStop,
): Promise<MarketStops> {
  const stopped: StoppedMarket[] = [];
  const commands: number[] = [];
  for (const { market, status, symbol: object } of await readMarkets(context)) {
    if (symbol !== undefined && object !== symbol) continue;
    const harder = hardnessOf(mode) - hardnessOf(status);
    // A closed market also gets its status, because the last command in the queue decides for every
    // market.
    commands.push(await setStatus(context, market, harder > 0 ? mode : status));
    if (harder >= 0) stopped.push({ object, mode, status });
  }
  if (symbol === undefined) commands.push(...(await stopListings(context, mode)));
  return { stopped, commands };
}

/** The stopped market, and its status before the stop. */
export interface ResumedMarket {
  readonly market: MarketId;
  readonly status: MarketStatus;
}

export async function marketsOf(
  context: ActContext,
  stops: readonly Stop[],
): Promise<readonly ResumedMarket[] | Refused<'symbol_invalid'>> {
  const markets = await readMarkets(context);
  const resumed: ResumedMarket[] = [];
  for (const { object, resumesTo } of stops) {
    const market = markets.find(({ symbol }) => symbol === object);
    if (market === undefined) return new Refused('symbol_invalid', { symbol: object });
    resumed.push({ market: market.market, status: resumesTo as MarketStatus });
  }
  return resumed;
}

/** Sets these markets to their previous status, or to a softer mode. */
export async function resumeMarkets(
  context: ActContext,
  markets: readonly ResumedMarket[],
  mode: StopMode | undefined,
): Promise<number[]> {
  const commands: number[] = [];
  for (const { market, status } of markets) {
    commands.push(await setStatus(context, market, mode ?? status));
  }
  return commands;
}

/** Whether this mode is softer than the stop, and still stricter than its end. */
export function isSofter({ mode, resumesTo }: Stop, to: StopMode): boolean {
  if (mode === '' || resumesTo === '') return false;
  return hardnessOf(to) < hardnessOf(mode) && hardnessOf(to) > hardnessOf(resumesTo);
}

/**
 * Highest for a market that is not trading. An auction is as soft as trading, because it will
 * trade.
 */
function hardnessOf(status: MarketStatus): number {
  const hardness = status === 'auction' ? 0 : HARDNESS.indexOf(status);
  return hardness === -1 ? HARDNESS.length : hardness;
}

/** Markets being listed do not open. */
async function stopListings(
  { connection, exchange }: ActContext,
  mode: StopMode,
): Promise<number[]> {
  const { projectionSchema } = exchange;
  const listings = await readUnprojectedCommands(connection, {
    kinds: ['ListMarket'],
    projectionSchema,
  });
  const status = mode === 'paused' ? mode : DEFAULT_MODE;
  const auctionEndsMs = 0 as TimeMs;
  const commands: number[] = [];
  for (const { id: follows } of listings) {
    const command = {
      kind: 'SetMarketStatus',
      market: 0 as MarketId,
      status,
      auctionEndsMs,
    } as const;
    commands.push(await enqueue(connection, command, { follows }));
  }
  return commands;
}

function setStatus(
  { connection }: ActContext,
  market: MarketId,
  status: MarketStatus,
): Promise<number> {
  const auctionEndsMs = 0 as TimeMs;
  return enqueue(connection, {
    kind: 'SetMarketStatus',
    market,
    status,
    auctionEndsMs,
  });
}
