// Agents: traders that make a market live, as state machines behind a port, with a seeded fair
// value. They know nothing of the exchange except what a client sees.

export type { AgentMarket, Side } from './agent-market.ts';
export { type AssetPrices, FairValue, type Regime } from './fair-value/fair-value.ts';
export { season } from './fair-value/season.ts';
export { MODES, type Mode, pathOf } from './modes.ts';
export {
  accountsFor,
  createPopulation,
  DEMO_MARKETS,
  type Population,
  paceOf,
} from './population.ts';
export { RandomStream } from './random-stream.ts';
export {
  Account,
  type Agent,
  type AgentOrder,
  type Top,
  type Trading,
} from './trading.ts';
export { WakeSchedule } from './wake-schedule.ts';
export type { Pace } from './world.ts';
