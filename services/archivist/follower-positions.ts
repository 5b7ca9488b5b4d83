// Log followers and how far each has read, from their status beats. The log keeps what a follower
// still needs, up to an age.

import type { Bus, Subscription } from '../../infra/bus/index.ts';
import { readStatusBeat, statusSubject } from '../../infra/status/index.ts';

/** Metric in a beat: the last frame that the process no longer needs. */
const FIGURE = 'log_needed_after';

export class FollowerPositions {
  readonly #frames: Map<string, number>;
  readonly #subscriptions: Subscription[];

  /** Takes the services that follow the log. One that never reported needs everything. */
  constructor(bus: Pick<Bus, 'subscribe'>, exchange: string, services: readonly string[]) {
    this.#frames = new Map(services.map((service) => [service, 0]));
    this.#subscriptions = services.map((service) =>
      bus.subscribe(statusSubject(exchange, service), (message, subject) => {
        const beat = readStatusBeat(message, subject);
        const frame = beat?.figures[FIGURE];
        // Only the active process of a service has a position.
        if (beat?.service === service && frame !== undefined) this.#frames.set(service, frame);
      }),
    );
  }

  frames(): ReadonlyMap<string, number> {
    return this.#frames;
  }

  stop(): void {
    for (const subscription of this.#subscriptions) subscription.stop();
  }
}
