// Full lists that operators export. Each has an audit entry before its first row is sent, and
// another with rows and hash after its last. Lists with personal data need a separate permission
// and approval from other operators, for one file within an hour.

import {
  type Connection,
  idOf,
  inTransaction,
  withConnection,
} from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import {
  type ActContext,
  type ActPorts,
  defineAct,
  type Operator,
  type PerformRefusal,
  performAct,
} from '../approvals/index.ts';
import { appendAudit, type JsonObject } from '../audit/index.ts';

export interface ExportAsked {
  /** For example `orders`. */
  readonly list: string;
  readonly format: string;
  /** Without personal values. */
  readonly filters: JsonObject;
  /** Hash of the entire query in hexadecimal: an approval is for exactly this query. */
  readonly queryHash: string;
  readonly isPersonal: boolean;
}

export type ExportAnswer =
  /** `endExport` must follow. */
  | { readonly kind: 'recorded'; readonly export: number }
  | { readonly kind: 'waiting'; readonly approval: number };

/** Bytes handed to the client's connection. */
export interface ExportSent {
  /** False if the client disconnected, or the list could not be read to its end. */
  readonly isComplete: boolean;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: Buffer;
}

type ExportPayload = {
  readonly list: string;
  readonly format: string;
  readonly filters: JsonObject;
  readonly query: string;
};

const USE_WITHIN_MS = 3_600_000;
/** Files about more users need two approvals. */
const PEOPLE_FOR_ONE_APPROVAL = 1_000;
const PERSONAL_EXPORT = 'people.export';

/** Call it before the first row is sent. */
export async function recordExport(
  ports: ActPorts,
  operator: Operator,
  asked: ExportAsked,
): Promise<ExportAnswer | Refused<'power_missing' | 'export_taken' | PerformRefusal>> {
  if (!asked.isPersonal) {
    const id = await inOneTransaction(ports, (connection) =>
      record(connection, ports, operator, asked),
    );
    return { kind: 'recorded', export: id };
  }
  const missing = refusePowers(operator);
  if (missing !== undefined) return missing;
  const allowed = await takeUp(ports, operator, asked);
  if (allowed !== undefined) return { kind: 'recorded', export: allowed };
  const pending = await findPending(ports, operator, asked);
  if (pending !== undefined) return { kind: 'waiting', approval: pending };
  const { filters, format, list, queryHash: query } = asked;
  const payload = { list, format, filters, query };
  const performed = await performAct(ports, operator, EXPORT_PEOPLE, payload);
  if (performed.kind !== 'done') return performed;
  // Another call by the same operator might have been faster.
  const taken = await takeUp(ports, operator, asked);
  if (taken === undefined) return new Refused('export_taken');
  return { kind: 'recorded', export: taken };
}

/** Call it after the last byte that was or could be sent. */
export function endExport(
  ports: ActPorts,
  actor: Operator,
  { export: id, sent }: { readonly export: number; readonly sent: ExportSent },
): Promise<void> {
  return inOneTransaction(ports, async (connection) => {
    const nowMs = ports.clock.nowMs();
    const { bytes, isComplete, rows: sentRows, sha256 } = sent;
    const state = isComplete ? 'complete' : 'broken';
    const { rows } = await connection.query(
      `update exports set state = $2, rows = $3, bytes = $4, sha256 = $5, ended_at = $6
       where id = $1 and state = 'sending' returning list`,
      [id, state, sentRows, bytes, sha256, new Date(nowMs)],
    );
    if (rows.length === 0) return;
    await appendAudit(connection, ports.vault, {
      actor,
      act: 'list.exported',
      object: `list ${rows[0].list}`,
      after: { export: id, state, rows: sentRows, bytes, sha256: sha256.toString('hex') },
      nowMs,
    });
  });
}

/** Permits one file. */
export const EXPORT_PEOPLE = defineAct({
  name: PERSONAL_EXPORT,
  votePower: 'approve.access',
  async prepare({ connection, nowMs, operator }: ActContext, payload: ExportPayload) {
    const { filters, format, list, query } = payload;
    const missing = refusePowers(operator);
    if (missing !== undefined) return missing;
    return {
      object: `list ${list}`,
      objectVersion: '',
      approvals: await approvalsFor(connection, filters),
      beneficiaries: [],
      shown: [
        { label: 'List', value: list },
        { label: 'Format', value: format },
        ...Object.entries(filters).map(([label, value]) => ({ label, value: `${value}` })),
      ],
      async run() {
        await connection.query(
          `insert into personal_exports (operator_id, list, query_hash, allowed_at)
           values ($1, $2, decode($3, 'hex'), $4)`,
          [operator.user, list, query, new Date(nowMs)],
        );
        return { result: { list }, after: { list, format, filters } };
      },
    };
  },
});

function refusePowers({ powers }: Operator): Refused<'power_missing'> | undefined {
  const power = (['export', 'export.personal'] as const).find((one) => !powers.has(one));
  return power === undefined ? undefined : new Refused('power_missing', { power });
}

async function approvalsFor(connection: Connection, filters: JsonObject): Promise<1 | 2> {
  if (filters.user_id !== undefined) return 1;
  const { rows } = await connection.query(
    'select count(*) from (select from users limit $1) counted',
    [PEOPLE_FOR_ONE_APPROVAL + 1],
  );
  return Number(rows[0].count) > PEOPLE_FOR_ONE_APPROVAL ? 2 : 1;
}

/** Uses up a permission and records the export. Returns undefined if there is none. */
function takeUp(
  ports: ActPorts,
  operator: Operator,
  asked: ExportAsked,
): Promise<number | undefined> {
  return inOneTransaction(ports, async (connection) => {
    const nowMs = ports.clock.nowMs();
    const { rows } = await connection.query(
      `update personal_exports set used_at = $4 where id = (
         select id from personal_exports where operator_id = $1 and list = $2
           and query_hash = decode($3, 'hex') and used_at is null and allowed_at > $5
         order by id limit 1 for update)
       returning id`,
      [
        operator.user,
        asked.list,
        asked.queryHash,
        new Date(nowMs),
        new Date(nowMs - USE_WITHIN_MS),
      ],
    );
    return rows.length === 0 ? undefined : record(connection, ports, operator, asked);
  });
}

/** Finds a pending request for the same file by the operator. */
async function findPending(
  { clock, registry }: ActPorts,
  { user }: Operator,
  { list, queryHash }: ExportAsked,
): Promise<number | undefined> {
  const { rows } = await registry.query(
    `select id from approval_requests where state = 'pending' and act = $1 and requester_id = $2
       and payload ->> 'list' = $3 and payload ->> 'query' = $4 and expires_at > $5
     order by id limit 1`,
    [PERSONAL_EXPORT, user, list, queryHash, new Date(clock.nowMs())],
  );
  return rows.map(({ id }) => Number(id))[0];
}

/** Returns the export ID. */
async function record(
  connection: Connection,
  { clock, vault }: ActPorts,
  actor: Operator,
  { filters, format, list }: ExportAsked,
): Promise<number> {
  const nowMs = clock.nowMs();
  const { rows } = await connection.query(
    `insert into exports (operator_id, list, format, filters, started_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [actor.user, list, format, filters, new Date(nowMs)],
  );
  const id = idOf<number>(rows[0].id);
  await appendAudit(connection, vault, {
    actor,
    act: 'list.export',
    object: `list ${list}`,
    after: { export: id, format, filters },
    nowMs,
  });
  return id;
}

function inOneTransaction<Result>(
  { registry }: ActPorts,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  return withConnection(registry, (connection) =>
    inTransaction(connection, () => work(connection)),
  );
}
