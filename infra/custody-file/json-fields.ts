// Reads a JSON object field by field. An error names the path, the expected form and the received
// value. `end` rejects fields that were not read, so a misspelled limit is never ignored.

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`expected JSON: ${(cause as Error).message}`, { cause });
  }
}

export class Fields {
  readonly path: string;
  readonly value: unknown;
  readonly #left: Map<string, unknown>;

  constructor(value: unknown, path: string) {
    this.path = path;
    this.value = value;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.#left = new Map(isObject ? Object.entries(value) : []);
  }

  /** Returns a required field and marks it as read. */
  take(name: string): unknown {
    if (!this.#left.has(name)) throw new Error(`expected the field ${this.#at(name)}`);
    const value = this.#left.get(name);
    this.#left.delete(name);
    return value;
  }

  has(name: string, value: unknown): boolean {
    return this.#left.get(name) === value;
  }

  text(name: string, pattern: RegExp): string {
    const value = this.take(name);
    if (typeof value === 'string' && pattern.test(value)) return value;
    throw new Error(`${this.#at(name)}: expected a text like ${pattern}, received ${show(value)}`);
  }

  optionalText(name: string, pattern: RegExp): string | undefined {
    return this.#left.has(name) ? this.text(name, pattern) : undefined;
  }

  integer(name: string, min: number, max: number): number {
    const value = this.take(name);
    if (Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max) {
      return Number(value);
    }
    throw new Error(
      `${this.#at(name)}: expected a number from ${min} to ${max}, received ${show(value)}`,
    );
  }

  optionalInteger(name: string, min: number, max: number): number | undefined {
    return this.#left.has(name) ? this.integer(name, min, max) : undefined;
  }

  integers(name: string, min: number, max: number): number[] {
    const value = this.take(name);
    const isRight = (one: unknown) =>
      Number.isSafeInteger(one) && Number(one) >= min && Number(one) <= max;
    if (Array.isArray(value) && value.every(isRight)) return value;
    const expected = `a list of numbers from ${min} to ${max}`;
    throw new Error(`${this.#at(name)}: expected ${expected}, received ${show(value)}`);
  }

  fields(name: string): Fields {
    return objectAt(this.take(name), this.#at(name));
  }

  optionalFields(name: string): Fields | undefined {
    return this.#left.has(name) ? this.fields(name) : undefined;
  }

  /** An empty list without the field. */
  optionalTexts(name: string, pattern: RegExp): string[] {
    return this.#left.has(name) ? this.texts(name, pattern) : [];
  }

  texts(name: string, pattern: RegExp): string[] {
    const value = this.take(name);
    const isList = Array.isArray(value);
    if (isList && value.every((one) => typeof one === 'string' && pattern.test(one))) return value;
    throw new Error(
      `${this.#at(name)}: expected a list of texts like ${pattern}, received ${show(value)}`,
    );
  }

  list(name: string): Fields[] {
    const value = this.take(name);
    if (!Array.isArray(value)) {
      throw new Error(`${this.#at(name)}: expected a list, received ${show(value)}`);
    }
    return value.map((one, at) => objectAt(one, `${this.#at(name)}[${at}]`));
  }

  /** Entries of an object field. */
  entries(name: string): [string, Fields][] {
    const of = this.fields(name);
    return Object.entries(of.value as object).map(([key, value]) => [
      key,
      new Fields(value, `${this.#at(name)}.${key}`),
    ]);
  }

  /** All fields, which must be texts. */
  strings(): Map<string, string> {
    return new Map([...this.#left.keys()].map((name) => [name, this.text(name, /^\S+$/)]));
  }

  end(): void {
    const [name] = this.#left.keys();
    if (name !== undefined) throw new Error(`unknown field ${this.#at(name)}`);
  }

  #at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function objectAt(value: unknown, path: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return new Fields(value, path);
  }
  throw new Error(`${path}: expected an object, received ${show(value)}`);
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'nothing';
}
