// Counts by address, each below a limit. An IPv6 network counts in its /48 too, below a larger
// limit: providers assign up to 2^16 networks to one customer.

import { Counts } from '../limits/index.ts';
import { WIDER_FACTOR, widerGroup } from './address-group.ts';

export class AddressCounts {
  readonly #counts = new Counts();

  of(group: string): number {
    return this.#counts.of(group);
  }

  /** Whether another one of the group is within the limit. */
  hasRoom(group: string, max: number): boolean {
    const wider = widerGroup(group);
    return (
      this.#counts.of(group) < max &&
      (wider === undefined || this.#counts.of(wider) < max * WIDER_FACTOR)
    );
  }

  /** Returns false and adds nothing at a limit. */
  add(group: string, max: number): boolean {
    if (!this.hasRoom(group, max)) return false;
    for (const name of namesOf(group)) this.#counts.add(name, Number.MAX_SAFE_INTEGER);
    return true;
  }

  remove(group: string): void {
    for (const name of namesOf(group)) this.#counts.remove(name);
  }
}

function namesOf(group: string): string[] {
  const wider = widerGroup(group);
  return wider === undefined ? [group] : [group, wider];
}
