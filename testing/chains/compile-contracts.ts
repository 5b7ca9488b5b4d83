// Compiles the contracts of tests with solc. `npx node testing/chains/compile-contracts.ts`
// rewrites the committed bytecode; a slow test compares it.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, 'contracts');
export const BYTECODE_FILE = join(FOLDER, 'bytecode.json');

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { evm: { bytecode: { object: string } } }>>>
  >;
}

/** Returns the creation bytecode by the name of the contract. */
export function compileContracts(): Readonly<Record<string, string>> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.sol'));
  const sources = names
    .toSorted()
    .map((name) => [name, { content: readFileSync(join(FOLDER, name), 'utf8') }]);
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      optimizer: { enabled: true },
      // Without the hash of the sources, a comment does not change the bytecode.
      metadata: { bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const faults = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (faults.length > 0) {
    throw new Error(faults.map(({ formattedMessage }) => formattedMessage).join('\n'));
  }
  const compiled = Object.values(output.contracts).flatMap((contracts) =>
    Object.entries(contracts).map(([name, { evm }]) => [name, `0x${evm.bytecode.object}`]),
  );
  return Object.fromEntries(compiled.filter(([, bytecode]) => bytecode !== '0x'));
}

if (import.meta.main) {
  writeFileSync(BYTECODE_FILE, `${JSON.stringify(compileContracts(), null, 2)}\n`);
}
