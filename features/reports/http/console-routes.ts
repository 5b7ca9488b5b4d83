// Handlers for the operators' console in addition to the lists.

import { answerList, type HandlersOf, type Row } from '../../../platform/http/index.ts';
import { type ListExport, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { ADMINISTRATOR, readControl } from '../../approvals/index.ts';
import { exportList, exportOfRow } from '../../pii-access/index.ts';
import { TIMELINE_TYPES, type TimelineType, WORK_QUEUES, type WorkQueue } from '../api/console.ts';
import { parseCursor, readTimeline } from '../user-timeline.ts';
import { readWork } from '../work-queues.ts';
import { search } from './admin-search.ts';
import { datesOf, requireUser } from './answer-list.ts';

/** Entries of calls that the operator cannot make are hidden. */
const CALL_OF_TYPE: Readonly<Record<TimelineType, string>> = {
  account: '/admin/users',
  login: '/admin/logins',
  device: '/admin/logins',
  session: '/admin/user/sessions',
  security: '/admin/users',
  api_key: '/admin/users',
  bank_account: '/admin/user/payment-details',
  payment_detail: '/admin/user/payment-details',
  address_book: '/admin/withdrawals',
  deposit: '/admin/deposits',
  withdrawal: '/admin/withdrawals',
  stake: '/admin/stakes',
  operator: '/admin/audits',
  reveal: '/admin/reveals',
  mail: '/admin/users',
};

const EXPORT_SORT_COLUMNS = { id: 'e.id', started_at: 'e.started_at' };

/** Calls that decide the items of a queue, and the power that its voters also need. */
const DECIDES: Readonly<
  Record<WorkQueue, readonly [path: string, method: string, power?: string]>
> = {
  approvals: ['/admin/approval/vote', 'POST'],
  withdrawals: ['/admin/burn', 'PUT', 'approve.money'],
  deposits: ['/admin/mint', 'PUT'],
  bank_accounts: ['/admin/bank/verify', 'POST'],
  findings: ['/admin/finding', 'PUT'],
  reveals: ['/admin/reveal', 'PUT', 'approve.access'],
};

export const consoleRoutes: HandlersOf<'console'> = {
  search,

  async getWork({ caller }, { registry }) {
    const control = await readControl(registry);
    const queues = WORK_QUEUES.filter((name) => {
      const [path, method, power] = DECIDES[name];
      // In solo mode, only administrators vote.
      const isVoter = control.mode === 'team' || caller.role === ADMINISTRATOR;
      if (name === 'approvals' && !isVoter) return false;
      return caller.mayOperate(path, method) && (power === undefined || caller.powers.has(power));
    });
    const work = await readWork(registry, caller.user, { powers: [...caller.powers], queues });
    return {
      control_mode: control.mode,
      is_mode_chosen: control.mode === 'team' || control.chosenAt !== null,
      queues: work.map(({ name, oldestAt, waiting }) => ({
        name,
        waiting,
        oldest_at: oldestAt === null ? null : timeText(oldestAt.getTime()),
      })),
    };
  },

  async getTimeline({ caller, query }, { registry }) {
    const before = query.before === undefined ? undefined : parseCursor(query.before);
    if (query.before !== undefined && before === undefined) {
      return new Refused('request_invalid', {
        detail: 'before must be the `next` value of a page',
      });
    }
    const user = await requireUser(registry, query.user_id);
    if (user instanceof Refused) return user;
    const asked = new Set(query.types ?? TIMELINE_TYPES);
    const types = TIMELINE_TYPES.filter(
      (type) => asked.has(type) && caller.mayOperate(CALL_OF_TYPE[type], 'GET'),
    );
    const { limit } = query;
    // One more shows whether there is another page.
    const page = { user, types: new Set(types), before, limit: limit + 1 };
    const entries = await readTimeline(registry, page);
    const data = entries.slice(0, limit);
    return {
      data: data.map(({ at, cursor: _, ...entry }) => ({
        ...entry,
        at: timeText(at.getTime()),
        details: { ...entry.details },
      })),
      next: entries.length > limit ? data[limit - 1].cursor : null,
      types,
    };
  },

  getExports(call, { clock, exchange, registry }) {
    const { id, list, operator_id: operator, sha256, state } = call.query;
    const filter = { id, list, operator, sha256, state, ...datesOf(call.query) };
    return answerList(call, {
      ...exportList(filter),
      pool: registry,
      clock,
      sortColumns: EXPORT_SORT_COLUMNS,
      write: (row) => JSON.stringify(exportJson(row)),
      fileName: `${exchange.name}-exports`,
    });
  },
};

function exportJson(row: Row): ListExport {
  const { endedAt, operator, startedAt, ...rest } = exportOfRow(row);
  return {
    ...rest,
    operator_id: operator,
    started_at: timeText(startedAt.getTime()),
    ended_at: endedAt === null ? null : timeText(endedAt.getTime()),
  };
}
