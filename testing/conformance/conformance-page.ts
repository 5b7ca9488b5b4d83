// docs/api/conformance.md: the result of the last run, endpoint by endpoint.

import type { Conformance, Row } from './run-conformance.ts';

const HEAD = `# Conformance

\`npm run clients -- --suite interface\` writes this page. The suite exercises every documented
parameter and checks every documented field, on an exchange with the defaults of production in
\`solo\` mode. Additional fields, parameters and values count as exact.
[compatibility.md](compatibility.md) explains the deviations.
`;

export function conformancePage({ endpoints, topics }: Conformance): string {
  const exact = endpoints.filter(({ deviations }) => deviations.length === 0).length;
  const fields = [...endpoints, ...topics].reduce((sum, row) => sum + row.fields, 0);
  const parameters = endpoints.reduce((sum, row) => sum + row.parameters, 0);
  return [
    HEAD,
    `${exact} of ${endpoints.length} endpoints are exact, with ${parameters} parameters and ` +
      `${fields} fields.\n`,
    '| Endpoint | Result | Parameters | Fields | Deviations |',
    '|---|---|---|---|---|',
    ...endpoints.map((row) => lineOf(row, [row.parameters, row.fields])),
    '\n## Stream\n',
    '| Topic | Result | Fields | Deviations |',
    '|---|---|---|---|',
    ...topics.map((row) => lineOf(row, [row.fields])),
    '',
  ].join('\n');
}

function lineOf({ deviations, name }: Row, counts: readonly number[]): string {
  const result = deviations.length === 0 ? 'exact' : 'deviates';
  const items = [...new Set(deviations.map(({ item, reason }) => `\`${item}\`: ${reason ?? '?'}`))];
  return `| \`${name}\` | ${result} | ${counts.join(' | ')} | ${items.join('<br>')} |`;
}
