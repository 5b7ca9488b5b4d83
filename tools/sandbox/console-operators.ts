// Sandbox operators who can sign in to its console: each has a password and a second factor, stored
// in a file next to the data. For development only.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserId } from '../../core/money/index.ts';
import { createUser, findUserByEmail } from '../../features/accounts/index.ts';
import { enterTeam } from '../../features/approvals/index.ts';
import {
  activateTotp,
  installPassword,
  PasswordHasher,
  requestTotp,
  totpCode,
} from '../../features/auth/index.ts';
import { withConnection } from '../../infra/postgres/index.ts';
import { systemClock } from '../../infra/process/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import type { SandboxAdmin } from './sandbox-admin.ts';

export interface ConsoleOperator {
  readonly user: UserId;
  readonly email: string;
  readonly role: string;
  readonly password: string;
  /** Secret of the authenticator app, in base 32. */
  readonly secret: string;
}

const ADMIN = { email: 'admin@example.com', role: 'admin' };
const PLANS = {
  solo: [ADMIN, { email: 'supervisor@example.com', role: 'supervisor' }],
  // Each approves the other's actions.
  team: [ADMIN, { email: 'admin2@example.com', role: 'admin' }],
} as const;
const PASSWORD = 'rialto-demo-operator';
const STEP_MS = 30_000;

/** Returns the same operators at every start, including those from earlier starts. */
export async function consoleOperators(
  admin: SandboxAdmin,
  mode: keyof typeof PLANS,
): Promise<readonly ConsoleOperator[]> {
  const operators = [...readOperators(admin.folder)];
  for (const plan of PLANS[mode]) {
    if (operators.some(({ email }) => email === plan.email)) continue;
    operators.push(await makeConsoleOperator(admin, plan));
  }
  const text = `${JSON.stringify(operators, null, 2)}\n`;
  writeFileSync(operatorsFile(admin.folder), text, { mode: 0o600 });
  return operators;
}

export function readOperators(folder: string): readonly ConsoleOperator[] {
  try {
    return JSON.parse(readFileSync(operatorsFile(folder), 'utf8')) as ConsoleOperator[];
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw fault;
  }
}

export function operatorsFile(folder: string): string {
  return join(folder, 'operators.json');
}

/** Gives a user of the sandbox a password, so a developer can sign in to the terminal. */
export async function givePassword(
  { registry, vault }: Pick<SandboxAdmin, 'registry' | 'vault'>,
  user: UserId,
  password: string,
): Promise<void> {
  const hasher = new PasswordHasher({ clock: systemClock });
  const hash = await hasher.hash(password, { isKnownDevice: true });
  await installPassword(registry, vault, user, hash);
}

/** Creates an operator with a password and a second factor, who can vote immediately. */
export async function makeConsoleOperator(
  { registry, vault }: SandboxAdmin,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<ConsoleOperator> {
  const found =
    (await findUserByEmail(registry, email)) ?? (await createUser(registry, { email, role }));
  if (typeof found === 'string') throw new Error(`no operator ${email}: ${found}`);
  const user = found.id;
  // New operators can vote after a day; in a sandbox they can vote immediately.
  await registry.query(`update users set role_since = now() - interval '2 days' where id = $1`, [
    user,
  ]);
  await givePassword({ registry, vault }, user, PASSWORD);
  const nowMs = systemClock.nowMs();
  const requested = await requestTotp(registry, vault, { user, nowMs });
  if (requested instanceof Refused) throw new Error(`no factor of ${email}: ${requested.key}`);
  const { secret } = requested;
  // Uses the previous step's code, to leave this step's for the first sign-in.
  const code = totpCode(secret, nowMs - STEP_MS);
  const activated = await activateTotp(registry, vault, { user, code, nowMs });
  if (activated instanceof Refused) throw new Error(`no factor of ${email}: ${activated.key}`);
  return { user, email, role, password: PASSWORD, secret };
}

/** Needs two administrators with second factors. Going back takes 24 hours. */
export function enterTeamMode({ registry }: SandboxAdmin): Promise<void> {
  return withConnection(registry, enterTeam);
}
