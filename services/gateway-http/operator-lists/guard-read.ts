// Guards what operators read: rows about users count as look-ups, and whole lists leave an audit
// entry or wait for an approval, before the handler runs. No handler can forget it.

import { createHash } from 'node:crypto';
import type { UserId } from '../../../core/money/index.ts';
import { canonicalJson, type JsonObject } from '../../../domain/audit/index.ts';
import { admitRead, recordExport } from '../../../domain/people/index.ts';
import type { PendingApproval, Route } from '../../../protocol/index.ts';
import { ApiRefusal } from '../api-refusal.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, JsonAnswer } from '../handler.ts';
import { actPorts, refusing, waitingAnswer } from '../operators/answer-act.ts';
import { operatorOf } from '../operators/operator-call.ts';

interface ReadQuery {
  readonly user_id?: number;
  readonly 'opts.user_id'?: number;
  readonly format?: 'csv' | 'all';
}

/** Undefined at once: nothing to guard. An answer: the call waits for an approval. */
export function guardRead(
  { isFile, isPersonal, lookUp, path, permission }: Route,
  call: Call,
  dependencies: Dependencies,
): Promise<JsonAnswer<PendingApproval> | undefined> | undefined {
  if (permission.who !== 'operator') return undefined;
  const { format } = call.query as ReadQuery;
  if (lookUp !== true && format === undefined) return undefined;
  const list = path.slice('/v2/admin/'.length, isFile === true ? -'/csv'.length : undefined);
  const kind = { list, isLookUp: lookUp === true, isPersonal: isPersonal === true };
  return guard(call, dependencies, kind);
}

async function guard(
  call: Call,
  dependencies: Dependencies,
  { isLookUp, isPersonal, list }: { list: string; isLookUp: boolean; isPersonal: boolean },
): Promise<JsonAnswer<PendingApproval> | undefined> {
  const operator = operatorOf(call);
  const query = call.query as ReadQuery;
  const { clock, registry } = dependencies;
  if (isLookUp) {
    const subject = (query.user_id ?? query['opts.user_id']) as UserId | undefined;
    const refused = await admitRead(registry, operator, { subject, nowMs: clock.nowMs() });
    if (refused !== undefined) {
      const retryAfterS = 'retryAfterS' in refused ? refused.retryAfterS : undefined;
      throw new ApiRefusal(refused.refusal, {}, retryAfterS);
    }
  }
  const { format } = query;
  if (format === undefined) return undefined;
  const queryHash = createHash('sha256')
    .update(canonicalJson(plainOf(call.query)))
    .digest('hex');
  const filters = filtersOf(call.query);
  const asked = { list, format, filters, queryHash, isPersonal };
  const answer = await refusing(() => recordExport(actPorts(dependencies), operator, asked));
  return answer.kind === 'waiting' ? waitingAnswer(answer.approval) : undefined;
}

/** Filters whose values are no personal data; of others an entry has only the name. */
const PLAIN_FILTERS: ReadonlySet<string> = new Set([
  'act',
  'currency',
  'end_date',
  'id',
  'open',
  'opts.currency',
  'opts.id',
  'opts.stake_id',
  'opts.user_id',
  'side',
  'stake_id',
  'start_date',
  'status',
  'symbol',
  'type',
  'user_id',
  'verification_level',
]);
/** These do not change which rows are sent. */
const NO_FILTERS: ReadonlySet<string> = new Set(['format', 'limit', 'order', 'order_by', 'page']);
const HIDDEN = '•••';

function filtersOf(query: Call['query']): JsonObject {
  const given = Object.entries(plainOf(query)).filter(([name]) => !NO_FILTERS.has(name));
  return Object.fromEntries(
    given.map(([name, value]) => [name, PLAIN_FILTERS.has(name) ? value : HIDDEN]),
  );
}

/** Values as texts: canonical JSON knows no fractions. */
function plainOf(query: Call['query']): Record<string, string> {
  const given = Object.entries(query as object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, `${value}`]));
}
