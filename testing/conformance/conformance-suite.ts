// The suite `interface` of `npm run clients`: the documented interface against a sandbox, or
// against any exchange whose keys are given.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformancePage } from './conformance-page.ts';
import { type Conformance, runConformance } from './run-conformance.ts';
import { startSandboxTarget } from './sandbox-target.ts';
import type { Target } from './target.ts';

const PAGE = join(import.meta.dirname, '../../docs/api/conformance.md');

/** True if nothing deviates but what may. The last line on the screen is for programs. */
export async function runInterfaceSuite(given?: Target): Promise<boolean> {
  console.log('interface: starting an exchange');
  const started = given === undefined ? await startSandboxTarget() : undefined;
  const target = given ?? started!.target;
  try {
    const conformance = await runConformance(target, (line) => console.log(`interface: ${line}`));
    report(conformance);
    return conformance.failures.length === 0;
  } finally {
    await started?.sandbox.stop();
  }
}

function report(conformance: Conformance): void {
  const { endpoints, failures, topics } = conformance;
  writeFileSync(PAGE, conformancePage(conformance));
  for (const failure of failures) console.log(`✖ ${failure}`);
  const rows = [...endpoints, ...topics];
  const isExact = ({ deviations }: { readonly deviations: readonly unknown[] }) =>
    deviations.length === 0;
  console.log(
    JSON.stringify({
      endpoints: endpoints.length,
      exact: endpoints.filter(isExact).length,
      topics: topics.filter(({ name }) => name !== 'stream').length,
      exactTopics: topics.filter((row) => row.name !== 'stream' && isExact(row)).length,
      fields: rows.reduce((sum, row) => sum + row.fields, 0),
      deviations: rows.flatMap(({ deviations }) => deviations),
    }),
  );
}
