// Creates an exchange's login roles and grants each exactly the rights in grants.ts and
// row-rules.ts. Runs after every migration; running it again changes nothing.

import {
  assertPlainName,
  type Connection,
  inTransaction,
  LOCKS,
} from '../../../infra/postgres/index.ts';
import { PARTITION_FUNCTIONS } from '../../../infra/projections/index.ts';
import {
  COLUMN_GRANTS,
  DATABASE_ROLES,
  type DatabaseRole,
  FUNCTION_GRANTS,
  PROJECTION_GRANTS,
  REGISTRY_GRANTS,
  type Rights,
  ROW_ROLES,
  type TableRow,
} from './grants.ts';
import { MOVE_RULES, type MoveRule, ROW_RULES, type RowRule } from './row-rules.ts';

export interface ExchangeSchemas {
  readonly projectionSchema: string;
  readonly registrySchema: string;
  /** Prefix of role names: `rialto` produces `rialto_gateway_http`. Roles are server-wide. */
  readonly rolePrefix: string;
}

/** A role has rights that no service is allowed to have. */
export class RoleFault extends Error {
  override readonly name = 'RoleFault';
}

/** Returns the role name, such as `rialto_gateway_http` for `gateway-http`. */
export function roleName(prefix: string, role: LoginRole): string {
  assertPlainName(prefix);
  return `${prefix}_${role.replaceAll('-', '_')}`;
}

/** Gateway that hashes passwords, with the rights of the other public gateways. */
const IDENTITY_GATEWAY = 'gateway-identity';

/** Operators' stream gateway, which reads the public one's tables, including operators' rows. */
const OPERATORS_STREAM = 'gateway-ws-admin';

/** All login roles of an exchange. */
export const LOGIN_ROLES = [...DATABASE_ROLES, IDENTITY_GATEWAY, OPERATORS_STREAM] as const;
type LoginRole = (typeof LOGIN_ROLES)[number];

/** Returns the roles that log in with this role's rights. */
function loginsOf(role: DatabaseRole): readonly LoginRole[] {
  if (role === 'gateway-http') return [role, IDENTITY_GATEWAY];
  return role === 'gateway-websocket' ? [role, OPERATORS_STREAM] : [role];
}

/** Returns role names separated by commas. */
function namesOf(prefix: string, roles: readonly DatabaseRole[]): string {
  return joined(prefix, roles.flatMap(loginsOf));
}

function joined(prefix: string, roles: readonly LoginRole[]): string {
  return roles.map((role) => roleName(prefix, role)).join(', ');
}

/** Returns the logins that this role's row rules apply to. */
function boundBy(role: DatabaseRole): readonly LoginRole[] {
  return loginsOf(role).filter((login) => login !== OPERATORS_STREAM);
}

/** Returns whether the roles exist; an exchange on one machine can work without them. */
export async function hasRoles(connection: Connection, rolePrefix: string): Promise<boolean> {
  const { rows } = await connection.query('select from pg_roles where rolname = $1', [
    roleName(rolePrefix, 'gateway-http'),
  ]);
  return rows.length > 0;
}

/** Needs the database owner, who can create roles. All or nothing. */
export async function applyGrants(connection: Connection, schemas: ExchangeSchemas): Promise<void> {
  const { projectionSchema, registrySchema } = schemas;
  for (const schema of [projectionSchema, registrySchema]) assertPlainName(schema);
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await connection.query(statement);
  };
  await inTransaction(connection, async () => {
    await connection.query('select pg_advisory_xact_lock($1)', [LOCKS.grants]);
    // Conditions name tables without their schema.
    await connection.query(`set local search_path to ${registrySchema}`);
    await refuseForeignCode(connection, schemas);
    // Runs first: a role that owned a schema loses its other rights to it with the ownership.
    await run(await takeOwnership(connection, schemas));
    await run(rolesAndDatabase(schemas, await currentDatabase(connection)));
    await checkRoles(connection, schemas);
    await run(grantStatements(schemas, projectionSchema, PROJECTION_GRANTS));
    await run(grantStatements(schemas, registrySchema, REGISTRY_GRANTS));
    await run(projectorGrants(schemas));
    await run(columnAndFunctionGrants(schemas));
    await run(await rowPolicies(connection, schemas));
    await run(moveTriggers(schemas));
  });
}

const RIGHTS = { r: 'select', a: 'insert', w: 'update', d: 'delete' } as const;
const POLICY_PREFIX = 'of_role_';

async function currentDatabase(connection: Connection): Promise<string> {
  const { rows } = await connection.query('select quote_ident(current_database()) as name');
  return rows[0].name;
}

function rolesAndDatabase({ rolePrefix: prefix, ...of }: ExchangeSchemas, database: string) {
  const names = LOGIN_ROLES.map((role) => roleName(prefix, role));
  const all = names.join(', ');
  return [
    ...names.map(
      (name) => `do $$ begin create role ${name} login noinherit;
        exception when duplicate_object then null; end $$`,
    ),
    // No role can shadow a table with a temporary one.
    `revoke temporary, create on database ${database} from public, ${all}`,
    `grant connect on database ${database} to ${all}`,
    // The scheduled job queue has a separate schema, which its library creates and which no other
    // role searches.
    `grant create on database ${database} to ${roleName(prefix, 'notifier')}`,
    `revoke all on schema ${of.registrySchema} from public, ${all}`,
    `revoke all on schema ${of.projectionSchema} from public, ${all}`,
    `grant usage on schema ${of.registrySchema}, ${of.projectionSchema} to ${all}`,
  ];
}

/** Rejects an existing role that has more rights than this package grants. */
async function checkRoles(connection: Connection, { rolePrefix }: ExchangeSchemas): Promise<void> {
  const { rows } = await connection.query(
    `select r.rolname as name from pg_roles r where r.rolname = any($1)
       and (r.rolsuper or r.rolbypassrls or r.rolcreaterole or r.rolcreatedb or r.rolreplication
         or exists (select from pg_auth_members m where m.member = r.oid))`,
    [LOGIN_ROLES.map((role) => roleName(rolePrefix, role))],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new RoleFault(
    `${names}: expected a role without attributes and memberships ` +
      '(superuser, createrole, createdb, replication, bypassrls). Alter or drop it.',
  );
}

/**
 * Returns every object owned by a login role to the owner of the migrations: a table's owner can
 * attach code that runs with the rights of its readers. Older releases had such owners.
 */
async function takeOwnership(
  connection: Connection,
  { projectionSchema, registrySchema, rolePrefix }: ExchangeSchemas,
): Promise<string[]> {
  const { rows: found } = await connection.query(
    `select quote_ident(pg_get_userbyid(relowner)) as owner from pg_class
     where oid = '${registrySchema}.migrations'::regclass`,
  );
  const [{ owner }] = found;
  const schemas = [projectionSchema, registrySchema];
  const logins = LOGIN_ROLES.map((role) => roleName(rolePrefix, role));
  const { rows } = await connection.query(
    `with logins as (select oid from pg_roles where rolname = any($1))
     select relowner as owner, 'table' as kind, oid::regclass::text as name from pg_class
     where relnamespace::regnamespace::text = any($2) and relkind in ('r', 'p', 'v', 'm', 'f')
       and relowner in (select oid from logins)
     union all
     select nspowner, 'schema', quote_ident(nspname) from pg_namespace
     where nspname = any($2) and nspowner in (select oid from logins)
     order by 2, 3`,
    [logins, schemas],
  );
  const owners = [...new Set(rows.map((row) => Number(row.owner)))];
  const memberships = await Promise.all(owners.map((role) => membership(connection, role)));
  return [
    ...memberships.flat(),
    ...rows.map(({ kind, name }) => `alter ${kind} ${name} owner to ${owner}`),
  ];
}

/** Functions and policies run with other roles' rights, so all of them must be ours. */
async function refuseForeignCode(
  connection: Connection,
  { projectionSchema, registrySchema, rolePrefix }: ExchangeSchemas,
): Promise<void> {
  const { rows } = await connection.query(
    `select 'function ' || p.oid::regprocedure as name
     from pg_proc p join pg_roles r on r.oid = p.proowner
     where p.pronamespace::regnamespace::text in ($1, $2) and r.rolname = any($3)
     union all
     select 'policy ' || policyname || ' on ' || tablename from pg_policies
     where schemaname = $1 or (schemaname = $2 and not starts_with(policyname, $4))
     order by 1`,
    [
      projectionSchema,
      registrySchema,
      LOGIN_ROLES.map((role) => roleName(rolePrefix, role)),
      POLICY_PREFIX,
    ],
  );
  if (rows.length === 0) return;
  throw new RoleFault(
    `${rows.map(({ name }) => name).join(', ')}: expected no code created by a service. ` +
      'Investigate who created it, change the password of that role, and drop the code.',
  );
}

/** An owner who is not a superuser must be a member of a role to change its tables. */
async function membership(connection: Connection, role: number): Promise<string[]> {
  const { rows } = await connection.query(
    `select pg_has_role(current_user, $1::oid, 'member') as is_member,
       quote_ident(pg_get_userbyid($1::oid)) as name`,
    [role],
  );
  return rows[0].is_member ? [] : [`grant ${rows[0].name} to current_user`];
}

function grantStatements(
  { rolePrefix }: ExchangeSchemas,
  schema: string,
  tables: Readonly<Record<string, TableRow>>,
): string[] {
  const readers = namesOf(rolePrefix, ROW_ROLES);
  const revoked = `from public, ${namesOf(rolePrefix, DATABASE_ROLES)}`;
  return [
    `revoke all on all tables in schema ${schema} ${revoked}`,
    `revoke all on all sequences in schema ${schema} ${revoked}`,
    // Row IDs: a role can only skip some.
    `grant usage on all sequences in schema ${schema} to ${readers}`,
    ...Object.entries(tables).flatMap(([table, row]) =>
      row.flatMap((rights, at) => {
        const names = namesOf(rolePrefix, [ROW_ROLES[at]]);
        return rights === '' ? [] : [`grant ${wordsOf(rights)} on ${schema}.${table} to ${names}`];
      }),
    ),
  ];
}

/** Every table with its partitions, except the migrations. */
function projectorGrants({ projectionSchema: schema, rolePrefix }: ExchangeSchemas): string[] {
  const name = roleName(rolePrefix, 'projector');
  return [
    `grant select, insert, update, delete on all tables in schema ${schema} to ${name}`,
    `revoke insert, update, delete on ${schema}.migrations from ${name}`,
    `grant usage on all sequences in schema ${schema} to ${name}`,
    ...PARTITION_FUNCTIONS.flatMap((call) => [
      `revoke execute on function ${schema}.${call} from public`,
      `grant execute on function ${schema}.${call} to ${name}`,
    ]),
  ];
}

function wordsOf(rights: Rights): string {
  return [...rights].map((letter) => RIGHTS[letter as keyof typeof RIGHTS]).join(', ');
}

function columnAndFunctionGrants({ registrySchema: schema, rolePrefix }: ExchangeSchemas) {
  const all = namesOf(rolePrefix, DATABASE_ROLES);
  return [
    ...COLUMN_GRANTS.map(
      ({ columns, right, role, table }) =>
        `grant ${right} (${columns.join(', ')}) on ${schema}.${table}
         to ${namesOf(rolePrefix, [role])}`,
    ),
    ...Object.entries(FUNCTION_GRANTS).flatMap(([name, roles]) => [
      `revoke execute on function ${schema}.${name} from public, ${all}`,
      `grant execute on function ${schema}.${name}
       to ${namesOf(rolePrefix, roles)}`,
    ]),
  ];
}

/** In a table with rules, a role without a rule has access to all rows. */
async function rowPolicies(
  connection: Connection,
  { registrySchema: schema, rolePrefix }: ExchangeSchemas,
): Promise<string[]> {
  const { rows } = await connection.query(
    `select tablename as table, policyname as name from pg_policies
     where schemaname = $1 and starts_with(policyname, $2)`,
    [schema, POLICY_PREFIX],
  );
  const dropped = rows.map(({ name, table }) => `drop policy ${name} on ${schema}.${table}`);
  const tables = [...new Set(ROW_RULES.map(({ table }) => table))];
  const made = tables.flatMap((table) => {
    const rules = ROW_RULES.filter((rule) => rule.table === table);
    const bound = new Set(rules.flatMap(({ role }) => boundBy(role)));
    const others = ROW_ROLES.flatMap(loginsOf).filter((login) => !bound.has(login));
    const names = joined(rolePrefix, others);
    return [
      `alter table ${schema}.${table} enable row level security`,
      `create policy ${POLICY_PREFIX}others on ${schema}.${table} to ${names}
       using (true) with check (true)`,
      ...rules.flatMap((rule) => policiesOf(rule, schema, rolePrefix)),
    ];
  });
  return [...dropped, ...made];
}

function policiesOf(rule: RowRule, schema: string, rolePrefix: string): string[] {
  const { role, table, visible = 'true' } = rule;
  const { deleted = visible, inserted = visible, updated = visible } = rule;
  const create = (command: string, conditions: string) =>
    `create policy ${POLICY_PREFIX}${role.replaceAll('-', '_')}_${command} on ${schema}.${table}
     for ${command} to ${joined(rolePrefix, boundBy(role))} ${conditions}`;
  return [
    create('select', `using (${visible})`),
    create('insert', `with check (${inserted})`),
    // A row lock (for update) sees the rows in `using`, so a rule about changes is a check.
    create('update', `using (${visible}) with check (${updated})`),
    create('delete', `using (${deleted})`),
  ];
}

/** Uses triggers, because a policy cannot see the row before and after a change together. */
function moveTriggers({ registrySchema: schema, rolePrefix }: ExchangeSchemas): string[] {
  return [
    `create or replace function ${schema}.refuse_move() returns trigger language plpgsql as $$
     begin
       raise exception 'role % must not move a row of % from % to %', session_user, tg_table_name,
         old.state, new.state using errcode = 'insufficient_privilege';
     end $$`,
    ...MOVE_RULES.map((rule) => moveTrigger(rule, schema, rolePrefix)),
  ];
}

function moveTrigger({ moves, role, table }: MoveRule, schema: string, prefix: string): string {
  const allowed = moves.map(([from, to]) => `('${from}', '${to}')`).join(', ');
  const logins = namesOf(prefix, [role]).split(', ');
  const names = logins.map((name) => `'${name}'`).join(', ');
  return `create or replace trigger moves_of_${role.replaceAll('-', '_')}
    before update of state on ${schema}.${table} for each row when (session_user in (${names})
      and old.state is distinct from new.state and (old.state, new.state) not in (${allowed}))
    execute function ${schema}.refuse_move()`;
}
