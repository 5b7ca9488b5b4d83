// The port between agents and an exchange: submit, cancel, hear. Agents are state machines that
// never wait, so every driver runs the same code: in memory, or over the public API.

import type { AgentMarket, Side } from './agent-market.ts';

/** post-only rests or is refused; ioc trades immediately and never rests; stop is triggered. */
export type OrderKind = 'post-only' | 'limit' | 'ioc' | 'stop';

export interface AgentOrder {
  readonly agent: Agent;
  readonly account: Account;
  readonly market: AgentMarket;
  readonly side: Side;
  readonly kind: OrderKind;
  /** The limit; for a stop the price that triggers it. */
  readonly ticks: number;
  readonly lots: number;
}

/** The best prices of a book; 0 for an empty side. */
export interface Top {
  readonly bidTicks: number;
  readonly bidLots: number;
  readonly askTicks: number;
  readonly askLots: number;
}

export interface Trading {
  top(market: AgentMarket): Top;
  /** Returns the number that cancel and the agent's callbacks name. */
  submit(order: AgentOrder): number;
  cancel(order: number): void;
}

export interface Fill {
  readonly side: Side;
  readonly ticks: number;
  readonly lots: number;
}

export interface Agent {
  readonly name: string;
  /** Acts, and returns the time of its next wake, which is later. */
  wake(nowMs: number): number;
  /** The order is filled, canceled or refused. */
  onClosed?(order: number): void;
}

/** One user of the exchange, with what its fills have made of its funds, in units. */
export class Account {
  readonly name: string;
  /** Amounts by asset: those it began with, and those of now. */
  readonly start: Readonly<Record<string, number>>;
  readonly amounts: Record<string, number>;

  constructor(name: string, funds: Readonly<Record<string, number>>) {
    this.name = name;
    this.start = funds;
    this.amounts = { ...funds };
  }

  trade(market: AgentMarket, { lots, side, ticks }: Fill): void {
    const size = (side === 'buy' ? lots : -lots) * market.lot;
    this.amounts[market.base] += size;
    this.amounts[market.quote] -= size * ticks * market.tick;
  }

  /** The share of the base asset in its value. */
  baseShare({ base, quote }: AgentMarket, price: number): number {
    const worth = this.amounts[base] * price;
    return worth / (worth + this.amounts[quote]);
  }
}
