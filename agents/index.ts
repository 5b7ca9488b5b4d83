// Agents: traders that make a market live, as state machines behind a port, with a seeded fair
// value. They know nothing of the exchange except what a client sees.

export type { AgentMarket } from './agent-market.ts';
export { type AssetPrices, FairValue } from './fair-value/fair-value.ts';
export { MODES, type Mode, pathOf } from './modes.ts';
export {
  accountsFor,
  createPopulation,
  DEMO_MARKETS,
  type Population,
  paceOf,
} from './population.ts';
export { Account, type AgentOrder, type Top, type Trading } from './trading.ts';
export { WakeSchedule } from './wake-schedule.ts';
export type { Pace } from './world.ts';
