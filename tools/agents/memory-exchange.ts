// Demo exchange in memory: its listings, and the agents' accounts with funds and without fees. A
// demo exchange's history starts with the same commands.

import { type Account, accountsFor, DEMO_MARKETS } from '../../agents/index.ts';
import { applyFrame, createExchange, type Exchange } from '../../core/engine/index.ts';
import {
  type Command,
  type EventFrame,
  FRAME_HASH_BYTES,
  type Limits,
  RULES_VERSION_MAX,
} from '../../core/messages/index.ts';
import {
  type AssetId,
  atomsFromDecimal,
  type MarketId,
  ONE_MILLION_PPM,
  type Ppm,
  type TimeMs,
  type UserId,
} from '../../core/money/index.ts';
import { GENESIS_LIMITS } from '../../services/sequencer/index.ts';
import { DEMO_ASSETS, DEMO_PAIRS } from '../sandbox/demo-plan.ts';
import {
  assetListing,
  type CommandBody,
  exactly,
  marketListing,
  marketTerms,
} from '../sandbox/listing-commands.ts';

/** IDs follow the listing order. */
export const DEMO_ASSET_IDS = new Map(
  DEMO_ASSETS.map(({ description, scale }, at) => [
    description.symbol,
    { id: (at + 1) as AssetId, scale },
  ]),
);
export const DEMO_MARKET_IDS = new Map(
  DEMO_PAIRS.map(({ base, quote }, at) => [`${base}-${quote}`, (at + 1) as MarketId]),
);
/** The agents' funds come from the operator, outside the outbox channels. */
export const FUNDS_CHANNEL = 1;
const NO_HASH = new Uint8Array(FRAME_HASH_BYTES);
/** Small capacities, because a test creates many exchanges. */
const LIMITS: Limits = {
  ...GENESIS_LIMITS,
  usersMax: 4_096,
  accountsMax: 16_384,
  ordersMax: 65_536,
};

export interface MemoryExchange {
  readonly exchange: Exchange;
  readonly users: ReadonlyMap<string, UserId>;
  readonly accounts: ReadonlyMap<string, Account>;
  apply(commands: readonly Command[], timeMs: TimeMs): EventFrame;
}

export function createMemoryExchange(timeMs: number): MemoryExchange {
  const exchange = createExchange({ ...LIMITS, commandWindow: 1_024, clientOrderIdWindow: 1_024 });
  const apply = (commands: readonly Command[], atMs: TimeMs) => {
    const sequence = exchange.sequence + 1;
    return applyFrame(exchange, {
      sequence,
      epoch: 1,
      timeMs: atMs,
      previousHash: NO_HASH,
      commands,
    });
  };
  const accounts = accountsFor(DEMO_MARKETS);
  const users = new Map(accounts.map(({ name }, at) => [name, (at + 1) as UserId]));
  const rules: CommandBody = { kind: 'SetRulesVersion', version: RULES_VERSION_MAX };
  const bodies = [rules, ...listingCommands(), ...fundingCommands(accounts, users)];
  const commands = bodies.map((body, at) => ({ ...body, source: 9, number: at + 1 }) as Command);
  const { events } = apply(commands, timeMs as TimeMs);
  const refused = events.find(({ kind }) => kind === 'CommandRefused');
  if (refused !== undefined) throw new Error(`refused: ${JSON.stringify(refused)}`);
  return { exchange, users, accounts: new Map(accounts.map((one) => [one.name, one])), apply };
}

export function listingCommands(): CommandBody[] {
  return [
    ...DEMO_ASSETS.map(assetListing),
    ...DEMO_PAIRS.map((plan) => marketListing(plan, DEMO_ASSET_IDS)),
    ...DEMO_PAIRS.flatMap((plan, at) => marketTerms(plan, (at + 1) as MarketId)),
  ];
}

/** Agents pay no fees, which would drain a closed population. */
export function fundingCommands(
  accounts: readonly Account[],
  users: ReadonlyMap<string, UserId>,
): CommandBody[] {
  let channelSequence = 0;
  return accounts.flatMap(({ name, start }) => {
    const user = users.get(name)!;
    const discountPpm = ONE_MILLION_PPM as Ppm;
    const deposits = Object.entries(start).map(([symbol, amount]): CommandBody => {
      const { id: asset, scale } = DEMO_ASSET_IDS.get(symbol)!;
      channelSequence += 1;
      return {
        kind: 'MintAsset',
        user,
        asset,
        amountAtoms: exactly(atomsFromDecimal(amount.toFixed(2), scale)),
        channel: FUNDS_CHANNEL,
        channelSequence,
        reference: `demo funds of ${name}`,
      };
    });
    return [{ kind: 'SetUserFees', user, tier: 1, discountPpm } as CommandBody, ...deposits];
  });
}
