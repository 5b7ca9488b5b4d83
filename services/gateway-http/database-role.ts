// Whether the role with which a gateway logs in to PostgreSQL fits the routes that it serves.

import type { Statements } from '../../infra/postgres/index.ts';
import { ConfigFault } from '../../infra/process/index.ts';
import type { GatewayModule } from './served-routes.ts';

/** Throws ConfigFault. In development a gateway may have more rights than it needs. */
export async function checkDatabaseRole(
  registry: Statements,
  { mode, modules }: { readonly mode: string; readonly modules: readonly GatewayModule[] },
): Promise<void> {
  const { rows } = await registry.query(
    `select session_user::text as name, has_table_privilege('audit_entries', 'insert') as is_admin,
       (select rolsuper from pg_roles where rolname = session_user) as is_superuser`,
  );
  const [{ is_admin: isAdmin, is_superuser: isSuperuser, name }] = rows;
  const servesOperators = modules.includes('admin');
  const expected = servesOperators ? 'gateway_admin' : 'gateway_http';
  if (servesOperators && !isAdmin) {
    throw problem(`names the role ${name}, which may not serve operators`, expected);
  }
  if (mode !== 'production') return;
  if (isSuperuser) throw problem(`names the superuser ${name}`, expected);
  if (!servesOperators && isAdmin) {
    throw problem(`names the role ${name}, which has the rights of operators`, expected);
  }
}

function problem(text: string, expected: string): ConfigFault {
  const name = 'RIALTO_POSTGRES_URL';
  return new ConfigFault([{ name, problem: `${text} (expected the role ${expected})` }]);
}
