// Reads the custody file for a process of this exchange. A network without addresses of its family
// is rejected here, because only the exchange has the list of networks.

import { readFile } from 'node:fs/promises';
import { type CustodyFile, parseCustodyFile } from '../../infra/custody-file/index.ts';
import { parseDestination } from '../payments/index.ts';

const SOME_ADDRESS = `0x${'11'.repeat(20)}`;

export async function readCustodyFile(path: string): Promise<CustodyFile> {
  try {
    const file = parseCustodyFile(await readFile(path, 'utf8'));
    requireAddresses(file);
    return file;
  } catch (cause) {
    throw new Error(`custody file ${path}: ${(cause as Error).message}`, { cause });
  }
}

/** Throws if the exchange has no EVM addresses in a network of the file. */
export function requireAddresses({ networks }: CustodyFile): void {
  for (const name of networks.keys()) {
    if (parseDestination(name, SOME_ADDRESS) === undefined) {
      throw new Error(`networks.${name}: the exchange has no EVM addresses in the network ${name}`);
    }
  }
}
