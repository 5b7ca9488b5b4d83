// The agents' dial: orders per second and mode. A file changes it while they trade; if the file is
// missing or invalid, the last dial is kept.

import { readFileSync } from 'node:fs';
import { MODES, type Mode } from '../../agents/index.ts';

export interface Dial {
  readonly ordersPerSecond: number;
  readonly mode: Mode;
}

export const ORDERS_PER_SECOND = { min: 1, max: 10_000 };

export class DialFile {
  readonly #path: string | undefined;
  readonly #onFault: (reason: string) => void;
  #text = '';
  #dial: Dial;

  constructor(path: string | undefined, first: Dial, onFault: (reason: string) => void) {
    this.#path = path;
    this.#dial = first;
    this.#onFault = onFault;
  }

  /** Reads the file again if its text has changed. */
  read(): Dial {
    const text = this.#path === undefined ? '' : textOf(this.#path);
    if (text === this.#text) return this.#dial;
    this.#text = text;
    if (text.trim() === '') return this.#dial;
    const changed = parseDial(text, this.#dial);
    if (typeof changed === 'string') this.#onFault(changed);
    else this.#dial = changed;
    return this.#dial;
  }
}

/** Returns an error text if the dial is invalid. */
export function parseDial(text: string, present: Dial): Dial | string {
  let found: Partial<Record<keyof Dial, unknown>>;
  try {
    found = JSON.parse(text) as typeof found;
  } catch {
    return 'the dial is not JSON';
  }
  if (typeof found !== 'object' || found === null) return 'the dial is not a JSON object';
  const { mode = present.mode, ordersPerSecond = present.ordersPerSecond } = found;
  const known = MODES.find((one) => one === mode);
  if (known === undefined) return `mode is '${mode}' (expected one of ${MODES.join(', ')})`;
  const { max, min } = ORDERS_PER_SECOND;
  if (typeof ordersPerSecond !== 'number' || !(ordersPerSecond >= min && ordersPerSecond <= max)) {
    return `ordersPerSecond is '${ordersPerSecond}' (expected ${min} to ${max})`;
  }
  return { mode: known, ordersPerSecond };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
