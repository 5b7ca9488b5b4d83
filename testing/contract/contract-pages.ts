// The pages that say what is tested of each call: its cases, and who gets which status. Made from
// the tables that the contract tests play.

import type { Route, RouteName } from '../../protocol/index.ts';
import { routes } from '../../protocol/index.ts';
import { contractCases } from './contract-cases.ts';
import { expectedStatus, PERMISSION_CASES } from './permission-cases.ts';

const MADE = 'This page is made by `npx node testing/contract/main.ts`';
const table = Object.entries<Route>(routes);

/** Paths from the root, with the text that each file must have. */
export function contractPages(): [path: string, text: string][] {
  return [
    ['docs/api/contract.md', contractPage()],
    ['docs/api/permissions.md', permissionsPage()],
  ];
}

function contractPage(): string {
  const rows = table.map(([name, { method, path }]) => {
    const cases = contractCases(name as RouteName);
    const texts = cases.map(({ status, what }) => `${what}: ${status}`);
    return `| \`${method} ${path}\` | ${texts.join('<br>')} | ${cases.length} |`;
  });
  return `# The contract, case by case

${MADE} from the table that \`testing/contract/contract.slow.test.ts\` plays on a running \
exchange, with real services. Each answer of success is also checked against its schema.

| Call | Cases and their status | Tested |
|---|---|---|
${rows.join('\n')}
`;
}

function permissionsPage(): string {
  const rows = table.map(([name, route]) => {
    const statuses = PERMISSION_CASES.map((kind) => expectedStatus(kind, name, route));
    return `| \`${route.method} ${route.path}\` | ${statuses.join(' | ')} |`;
  });
  return `# Who may call what

${MADE} from what each route declares; \`testing/contract/permissions.slow.test.ts\` plays every \
cell on a running exchange. A wrong scope is a key that is valid and lacks the permission; \
another's id names something that belongs to somebody else; a blocked address is not on the key's \
list; a session is that of an ordinary user.

| Call | ${PERMISSION_CASES.join(' | ')} |
|---|${PERMISSION_CASES.map(() => '---').join('|')}|
${rows.join('\n')}
`;
}
