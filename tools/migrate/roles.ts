// `npm run migrate -- roles [FOLDER]`: creates each service's login role with its rights. With a
// folder, generates passwords and writes a file with each service's URL.

import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '../../infra/postgres/index.ts';
import { ToolFault } from '../command-line.ts';
import { applyGrants, type ExchangeSchemas, LOGIN_ROLES, roleName } from './grants/apply-grants.ts';

export interface RolesRequest {
  readonly schemas: ExchangeSchemas;
  /** Connection URL; those of the roles differ only in user and password. */
  readonly url: string;
  readonly folder: string | undefined;
  print(line: string): void;
}

const PASSWORD_BYTES = 24;
const VARIABLE = 'RIALTO_POSTGRES_URL';

export async function makeRoles(connection: Connection, request: RolesRequest): Promise<void> {
  const { folder, print, schemas } = request;
  await applyGrants(connection, schemas);
  print(`${LOGIN_ROLES.length} roles of ${schemas.rolePrefix} have their rights`);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const role of LOGIN_ROLES) {
    const file = join(folder, `postgres-${role}.env`);
    const password = existsSync(file) ? passwordIn(file) : newPassword();
    const name = roleName(schemas.rolePrefix, role);
    // The server sees only the verifier, even in its statement log.
    await connection.query(`alter role ${name} password '${scramVerifier(password)}'`);
    if (existsSync(file)) continue;
    writeFileSync(file, `${VARIABLE}=${urlFor(request, role, password)}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    print(`wrote ${file}`);
  }
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/** An existing file keeps its password, because services might be using it. */
function passwordIn(file: string): string {
  const [, text = ''] = readFileSync(file, 'utf8').trim().split(`${VARIABLE}=`);
  const password = URL.parse(text)?.password ?? '';
  if (password === '') throw new ToolFault(`${file} has no URL with a password. Remove the file.`);
  return password;
}

function urlFor(
  { schemas, url: text }: RolesRequest,
  role: (typeof LOGIN_ROLES)[number],
  password: string,
) {
  const url = new URL(text);
  url.username = roleName(schemas.rolePrefix, role);
  url.password = password;
  return url.href;
}

const ITERATIONS = 4_096;

/** RFC 5803: the form in which PostgreSQL stores a password. */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyOf = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
