// The wakes of a population, earliest first. Every driver asks it for the next agent; only the
// clocks differ.

import { MinHeap } from './min-heap.ts';
import type { Population } from './population.ts';
import { RandomStream } from './random-stream.ts';
import type { Agent } from './trading.ts';

/** The first wakes are spread over this time. */
const SPREAD_MS = 2_000;

export class WakeSchedule {
  readonly #wakes = new MinHeap<Agent>();
  #population: Population | undefined;

  /** Activates this population instead of an earlier one. */
  begin(population: Population, startMs: number): void {
    this.#population = population;
    while (this.#wakes.size > 0) this.#wakes.pop();
    const { seed } = population.world;
    for (const agent of population.agents) {
      const random = new RandomStream(seed, agent.name, 'first wake');
      this.#wakes.push(startMs + random.uniform() * SPREAD_MS, agent);
    }
  }

  /** Infinite without agents. */
  get nextMs(): number {
    return this.#wakes.nextMs;
  }

  /** Wakes the next agent at this time, which is its own in virtual time. */
  wakeNext(nowMs: number): void {
    this.#population!.world.fair.advanceTo(nowMs);
    const agent = this.#wakes.pop()!;
    this.#wakes.push(agent.wake(nowMs), agent);
  }
}
