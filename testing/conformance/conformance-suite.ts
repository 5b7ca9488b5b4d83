// The suite `interface` of `npm run clients`: checks the documented interface, parameter by
// parameter and field by field. Writes the results page.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { conformancePage } from './conformance-page.ts';
import { type Conformance, type Row, runConformance } from './run-conformance.ts';
import type { OpenedTarget } from './target.ts';

const PAGE = join(import.meta.dirname, '../../docs/api/conformance.md');

/** Returns true if there are only allowed deviations. The last printed line is for programs. */
export async function runInterfaceSuite({ target }: OpenedTarget): Promise<boolean> {
  const conformance = await runConformance(target, (line) => console.log(`interface: ${line}`));
  report(conformance);
  return conformance.failures.length === 0;
}

function report(conformance: Conformance): void {
  const { endpoints, failures, topics } = conformance;
  writeFileSync(PAGE, conformancePage(conformance));
  for (const failure of failures) console.log(`✖ ${failure}`);
  const rows = [...endpoints, ...topics];
  const isExact = ({ deviations }: Row) => deviations.length === 0;
  const isTopic = ({ name }: Row) => name.startsWith('topic ');
  console.log(
    JSON.stringify({
      endpoints: endpoints.length,
      exact: endpoints.filter(isExact).length,
      topics: topics.filter(isTopic).length,
      exactTopics: topics.filter((row) => isTopic(row) && isExact(row)).length,
      fields: rows.reduce((sum, row) => sum + row.fields, 0),
      deviations: rows.flatMap(({ deviations }) => deviations),
    }),
  );
}
