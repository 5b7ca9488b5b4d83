// Guards what operators read: before the handler runs, rows about users count as lookups, and full
// lists get an audit entry or need approval. Rows and hash of a list are recorded once it has been
// sent. Applied to every handler, so none can omit it.

import { createHash } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import { type Connection, inTransaction, withConnection } from '../../../infra/postgres/index.ts';
import type { Answer, Call, Dependencies, Handler } from '../../../platform/http/index.ts';
import type { Route } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import {
  actPorts,
  type OperatorCall,
  operatorOf,
  waitingAnswer,
} from '../../approvals/http/index.ts';
import { canonicalJson, type JsonObject } from '../../audit/index.ts';
import { endExport, recordExport } from '../exports.ts';
import { admitRead, countLookUp, type LookUp } from '../look-ups.ts';
import { MASKED, type PersonalView, viewOf } from '../personal-view.ts';
import { PERSONAL_FIELDS } from './masked-user.ts';
import { sendExport } from './send-export.ts';

interface ReadQuery {
  readonly user_id?: UserId;
  readonly format?: 'csv' | 'all';
}

/** Returns the handler itself for a route with nothing to guard. */
export function guardRead(route: Route, handler: Handler<Route>): Handler<Route> {
  const isCounted = route.lookUp === true;
  const isExported = Object.hasOwn(route.query.properties, 'format');
  if (route.permission.who !== 'operator' || !(isCounted || isExported)) return handler;
  return (call, dependencies) => {
    const { format } = call.query as ReadQuery;
    const isFree = !isCounted && format === undefined;
    return isFree ? handler(call, dependencies) : guard(route, call, dependencies, handler);
  };
}

async function guard(
  route: Route,
  call: Call,
  dependencies: Dependencies,
  handler: Handler<Route>,
): Promise<Answer<Route>> {
  const { format } = call.query as ReadQuery;
  const refused = route.lookUp === true ? await admit(call, dependencies) : undefined;
  if (refused !== undefined) return refused;
  if (format === undefined) return handler(call, dependencies);
  const operator = operatorOf(call);
  const ports = actPorts(dependencies);
  const asked = { ...askedOf(route, call), format };
  const recorded = await recordExport(ports, operator, asked);
  if (recorded instanceof Refused) return recorded;
  if (recorded.kind === 'waiting') return waitingAnswer(call, recorded.approval);
  const { export: id } = recorded;
  return sendExport({
    id,
    status: route.status,
    answer: () => Promise.resolve(handler(call, dependencies)),
    end: (sent) => endExport(ports, operator, { export: id, sent }),
    onFault: (fault) => dependencies.log.error({ err: fault, export: id }, 'export not recorded'),
  });
}

/** Personal fields that rows about users can have. */
const PERSONAL_OF_ROWS = ['email', 'username', 'address', 'bank_account'] as const;

async function admit(call: Call, { clock, registry }: Dependencies) {
  const { user_id: subject } = call.query as ReadQuery;
  const operator = operatorOf(call);
  const { isClear } = await viewOf(registry, operator);
  const fields = isClear ? PERSONAL_OF_ROWS : [];
  return admitRead(registry, operator, { subject, fields, nowMs: clock.nowMs() });
}

function askedOf({ isFile, isPersonal, path }: Route, { query }: Call) {
  const queryHash = createHash('sha256')
    .update(canonicalJson(plainOf(query)))
    .digest('hex');
  return {
    list: path.slice('/v2/admin/'.length, isFile === true ? -'/csv'.length : undefined),
    filters: filtersOf(query),
    queryHash,
    isPersonal: isPersonal === true,
  };
}

/** Filters whose values are not personal data; for others an entry has only the name. */
const PLAIN_FILTERS: ReadonlySet<string> = new Set([
  'account',
  'act',
  'as_of',
  'command',
  'currency',
  'end_date',
  'frame',
  'id',
  'open',
  'side',
  'stake_id',
  'start_date',
  'status',
  'symbol',
  'type',
  'user_id',
  'verification_level',
]);
/** These do not affect which rows are sent. */
const NO_FILTERS: ReadonlySet<string> = new Set(['format', 'limit', 'order', 'order_by', 'page']);
const HIDDEN = '•••';

function filtersOf(query: Call['query']): JsonObject {
  const given = Object.entries(plainOf(query)).filter(([name]) => !NO_FILTERS.has(name));
  return Object.fromEntries(
    given.map(([name, value]) => [name, PLAIN_FILTERS.has(name) ? value : HIDDEN]),
  );
}

/** Values as texts, because canonical JSON has no fractions. */
function plainOf(query: Call['query']): Record<string, string> {
  const given = Object.entries(query as object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, `${value}`]));
}

/** Counts an operator's lookup in the reading transaction, or rejects the call. */
export function countOrRefuse(
  connection: Connection,
  call: OperatorCall,
  { clock }: Pick<Dependencies, 'clock'>,
  lookUp: Pick<LookUp, 'fields' | 'reason' | 'reveal' | 'subject'>,
): Promise<Refused<'lookup_budget_spent'> | undefined> {
  const { role, user: operator } = operatorOf(call);
  return countLookUp(connection, { ...lookUp, operator, role, nowMs: clock.nowMs() });
}

/**
 * View for the response to an action that has already happened: unmasked values are recorded as a
 * lookup, and masked if that is rejected or fails.
 */
export async function viewAfterAct(
  call: OperatorCall,
  dependencies: Pick<Dependencies, 'clock' | 'log' | 'registry'>,
  subject: UserId,
): Promise<PersonalView> {
  const { log, registry } = dependencies;
  try {
    return await withConnection(registry, (connection) =>
      inTransaction(connection, async () => {
        const view = await viewOf(connection, operatorOf(call));
        if (!view.isClear) return view;
        const lookUp = { subject, reason: 'id', fields: PERSONAL_FIELDS } as const;
        const spent = await countOrRefuse(connection, call, dependencies, lookUp);
        return spent === undefined ? view : MASKED;
      }),
    );
  } catch (err) {
    log.warn({ err, subject }, 'lookup not recorded');
    return MASKED;
  }
}
