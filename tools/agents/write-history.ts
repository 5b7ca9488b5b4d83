// Writes 30 days of history for a demo exchange: the agents trade on the real engine in virtual
// time, and their frames go to an empty log before the first sequencer starts. Ledger, trades and
// candles are derived from it like from any log.

import {
  type Account,
  accountsFor,
  createPopulation,
  FairValue,
  type Pace,
  paceOf,
} from '../../agents/index.ts';
import { DAY_MS, HOUR_MS } from '../../core/market-data/index.ts';
import type { Command, EventFrame } from '../../core/messages/index.ts';
import type { UserId } from '../../core/money/index.ts';
import type { LogStream, Snapshot } from '../../infra/journal/index.ts';
import { genesisCommands } from '../../services/sequencer/genesis.ts';
import { LogAuthor } from '../bench/cold-start/log-author.ts';
import type { CommandBody } from '../sandbox/listing-commands.ts';
import { DEMO_MARKET_IDS, fundingCommands, listingCommands } from './memory-exchange.ts';
import { VirtualMarket } from './virtual-market.ts';

/** Both logs must be empty. */
export interface HistoryLogs {
  readonly commands: LogStream;
  readonly events: LogStream;
}

export interface HistoryOptions extends HistoryLogs {
  readonly seed: number;
  readonly days?: number | undefined;
  /** End of the history, which is now. */
  readonly untilMs: number;
  /** By the names of the agents' accounts. */
  readonly users: ReadonlyMap<string, UserId>;
}

export interface WrittenHistory {
  /** Snapshot after the last frame; without it, sequencers would replay the month. */
  readonly snapshot: Snapshot;
  readonly frames: number;
  readonly commands: number;
  readonly trades: number;
}

export const HISTORY_DAYS = 30;

/** Stages from coarse to live. Filling the tables takes longer than running the market. */
const STAGES: readonly { untilAgoMs: number; frameMs: number; pace: Pace }[] = [
  {
    untilAgoMs: DAY_MS,
    frameMs: 300_000,
    pace: { makers: 0.0004, noise: 0.0001, takers: 0.005, others: 0.0005, tolerance: 6, levels: 1 },
  },
  {
    untilAgoMs: HOUR_MS / 12,
    frameMs: 30_000,
    pace: { makers: 0.002, noise: 0.001, takers: 0.03, others: 0.003, tolerance: 4, levels: 2 },
  },
  { untilAgoMs: 0, frameMs: 1_000, pace: { ...paceOf(), makers: 0.15, tolerance: 2 } },
];
/** Number of frames after which the writer waits for the log to acknowledge. */
const FRAMES_AT_ONCE = 50;
const SET_UP_SOURCE = 2;
const SET_UP_PER_FRAME = 500;

export async function writeHistory(options: HistoryOptions): Promise<WrittenHistory> {
  const { commands, days = HISTORY_DAYS, events, seed, untilMs, users } = options;
  const fromMs = Math.floor(untilMs / DAY_MS - days) * DAY_MS;
  const author = new LogAuthor({ commands, events, fromMs });
  const accounts = accountsFor();
  await setUp(author, accounts, users);
  let trades = 0;
  const market = new VirtualMarket({
    exchange: author.replica.exchange,
    users,
    markets: DEMO_MARKET_IDS,
    apply: (bodies, timeMs) => author.write(bodies, timeMs),
    watch: (frame) => {
      trades += tradesIn(frame);
    },
  });
  const named = new Map(accounts.map((account) => [account.name, account]));
  const fair = new FairValue({ seed, fromMs });
  let startMs = fromMs;
  for (const { frameMs, pace, untilAgoMs } of STAGES) {
    const world = { seed, fromMs, startMs, pace, fair, trading: market, accounts: named };
    const population = createPopulation(world);
    if (startMs > fromMs) market.cancelAll(startMs);
    market.begin(population, startMs, frameMs);
    const endMs = untilMs - untilAgoMs;
    while (startMs < endMs) {
      startMs = Math.min(startMs + FRAMES_AT_ONCE * frameMs, endMs);
      market.run(startMs);
      await author.finish();
    }
  }
  await author.finish();
  const { exchange, sequence } = author.replica;
  const snapshot = author.replica.snapshot();
  return { frames: sequence, commands: exchange.commandsApplied, trades, snapshot };
}

async function setUp(
  author: LogAuthor,
  accounts: readonly Account[],
  users: ReadonlyMap<string, UserId>,
): Promise<void> {
  await author.frame(genesisCommands(), 0);
  const bodies: CommandBody[] = [...listingCommands(), ...fundingCommands(accounts, users)];
  const all = bodies.map(
    (body, at) => ({ ...body, source: SET_UP_SOURCE, number: at + 1 }) as Command,
  );
  for (let at = 0; at < all.length; at += SET_UP_PER_FRAME) {
    await author.frame(all.slice(at, at + SET_UP_PER_FRAME), 1);
  }
}

function tradesIn({ events }: EventFrame): number {
  let count = 0;
  for (const { kind } of events) if (kind === 'TradeExecuted') count += 1;
  return count;
}
