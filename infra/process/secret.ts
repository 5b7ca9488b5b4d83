// A value that must not be printed. Only `reveal` returns it, called where the value is used.
// Logging, string conversion and JSON give `[secret]` instead.

import { inspect } from 'node:util';

const SHOWN = '[secret]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
