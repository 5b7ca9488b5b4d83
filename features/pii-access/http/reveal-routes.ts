// Handlers for reveals: reveal, list, review, and the accesses shown to the user.

import type { UserId } from '../../../core/money/index.ts';
import { answerList, type HandlersOf, momentFilter } from '../../../platform/http/index.ts';
import { type Reveal as RevealJson, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct, operatorOf } from '../../approvals/http/index.ts';
import { personContext } from '../../auth/http/index.ts';
import { REVIEW_REVEAL } from '../admin.ts';
import { readPerson } from '../personal-record.ts';
import { viewOf } from '../personal-view.ts';
import { listAccesses, type Reveal, readReveal, revealOf, revealPerson } from '../reveals.ts';
import { operatorUserJson } from './operator-user.ts';

type RevealRoutes = Pick<
  HandlersOf<'people'>,
  'getDataAccesses' | 'getReveals' | 'revealUser' | 'reviewReveal'
>;

/** The newest are enough, because reveals are rare. */
const ACCESSES_MAX = 100;
const MATCHES = `($1::bigint is null or r.subject_id = $1)
  and ($2::bigint is null or r.operator_id = $2)
  and ($3::boolean is null or (r.verdict is not null) = $3)
  and ($4::timestamptz is null or r.created_at >= $4)
  and ($5::timestamptz is null or r.created_at < $5)`;

export const revealRoutes: RevealRoutes = {
  async revealUser(call, dependencies) {
    const { fields, otp_code: otpCode = '', reason, ticket, user_id } = call.body;
    const subject = user_id as UserId;
    const asked = { subject, fields: [...new Set(fields)], reason, ticket, otpCode };
    const operator = operatorOf(call);
    const act = personContext(call, dependencies);
    const reveal = await revealPerson(dependencies, { operator, act }, asked);
    if (reveal instanceof Refused) return reveal;
    const person = await readPerson(dependencies.registry, dependencies.vault, subject);
    if (person === undefined) return new Refused('user_not_found');
    const { permissions, powers, user } = operator;
    const revealed = new Set<string>(fields);
    const { isClear } = await viewOf(dependencies.registry, operator);
    const sight = { isClear, isNamed: true, revealed };
    const view = { permissions, powers, user, nowMs: act.nowMs, ...sight };
    return { ...revealJson(reveal), user: operatorUserJson(person, view) };
  },

  getReveals(call, { clock, exchange, registry }) {
    const { end_date, operator_id, reviewed, start_date, user_id } = call.query;
    return answerList(call, {
      pool: registry,
      clock,
      rows: (order) => `select r.* from reveals r where ${MATCHES} ${order} limit $6 offset $7`,
      count: `select count(*) from (select from reveals r where ${MATCHES} limit $6) counted`,
      values: [
        user_id ?? null,
        operator_id ?? null,
        reviewed ?? null,
        momentFilter(start_date),
        momentFilter(end_date),
      ],
      sortColumns: { id: 'r.id', created_at: 'r.created_at' },
      defaultSort: ['r.id'],
      write: (row) => JSON.stringify(revealJson(revealOf(row))),
      fileName: `${exchange.name}-reveals`,
    });
  },

  reviewReveal(call, dependencies) {
    const { comment = '', id, verdict } = call.body;
    const payload = { id, verdict, comment };
    return answerAct(call, dependencies, REVIEW_REVEAL, payload, async (done) => {
      const reveal = await readReveal(dependencies.registry, done.id);
      if (reveal === undefined) return new Refused('reveal_unknown');
      return revealJson(reveal);
    });
  },

  async getDataAccesses({ caller }, { clock, registry }) {
    const asked = { subject: caller.user, nowMs: clock.nowMs(), limit: ACCESSES_MAX };
    const accesses = await listAccesses(registry, asked);
    const data = accesses.map(({ at, fields }) => ({
      at: timeText(at.getTime()),
      fields: [...fields],
    }));
    return { count: data.length, data };
  },
};

function revealJson(reveal: Reveal): RevealJson {
  const { reviewedAt } = reveal;
  return {
    id: reveal.id,
    operator_id: reveal.operator,
    user_id: reveal.subject,
    fields: [...reveal.fields],
    reason: reveal.reason,
    ticket: reveal.ticket,
    created_at: timeText(reveal.createdAt.getTime()),
    expires_at: timeText(reveal.expiresAt.getTime()),
    reviewer_id: reveal.reviewer,
    verdict: reveal.verdict,
    comment: reveal.comment,
    reviewed_at: reviewedAt === null ? null : timeText(reviewedAt.getTime()),
  };
}
