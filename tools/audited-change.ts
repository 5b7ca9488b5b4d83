// Executes a change by a server tool, with its audit entry in the same transaction.

import type { UserId } from '../core/money/index.ts';
import { appendAudit, type JsonObject, type JsonValue } from '../features/audit/index.ts';
import {
  type Connection,
  inTransaction,
  type Pool,
  withConnection,
} from '../infra/postgres/index.ts';
import { systemClock } from '../infra/process/index.ts';
import type { Vault } from '../platform/vault/index.ts';

/** A change as recorded in the audit, and the lines to print. */
export interface Changed {
  readonly lines: readonly string[];
  /** For example `announcement 3`. */
  readonly object: string;
  /** The operator, if the command names one. */
  readonly operator?: UserId;
  readonly subject?: UserId;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** Sealed under the subject's key. */
  readonly personal?: JsonObject;
}

/** Throws whatever `change` throws. In that case nothing has changed, and there is no entry. */
export function audited(
  pool: Pool,
  vault: Vault,
  act: string,
  change: (connection: Connection) => Promise<Changed>,
): Promise<readonly string[]> {
  return withConnection(pool, (connection) =>
    inTransaction(connection, async () => {
      const { lines, ...entry } = await change(connection);
      await appendToolEntry(connection, vault, act, entry);
      return lines;
    }),
  );
}

/** Call at the end of the change's transaction. */
export async function appendToolEntry(
  connection: Connection,
  vault: Vault,
  act: string,
  { operator, ...entry }: Omit<Changed, 'lines'>,
): Promise<void> {
  const actor = { user: operator, credential: 'tool', address: '' };
  await appendAudit(connection, vault, { ...entry, actor, act, nowMs: systemClock.nowMs() });
}
