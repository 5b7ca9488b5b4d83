// API keys of the agents' accounts: one JSON object, by account name.

import { readFileSync } from 'node:fs';

export interface AgentKey {
  readonly key: string;
  readonly secret: string;
}

export type AgentKeys = ReadonlyMap<string, AgentKey>;

/** Throws a RangeError, which is an operator error, if the file is invalid. */
export function readAgentKeys(path: string): AgentKeys {
  const keys = new Map<string, AgentKey>();
  for (const [name, found] of Object.entries(readObject(path))) {
    const { key, secret } = (found ?? {}) as Partial<AgentKey>;
    if (typeof key !== 'string' || typeof secret !== 'string') {
      throw new RangeError(`${path}: '${name}' has no key and secret`);
    }
    keys.set(name, { key, secret });
  }
  return keys;
}

function readObject(path: string): object {
  try {
    const found = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    if (typeof found === 'object' && found !== null) return found;
  } catch (cause) {
    throw new RangeError(`${path} cannot be read (expected a JSON file of keys)`, { cause });
  }
  throw new RangeError(`${path} is not an object of keys by account`);
}
