// Operator actions of this feature: an independent operator reviews a reveal, and exports of
// personal data, which the export itself starts.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { type ActContext, defineAct, findSharedMark, hasPowerForADay } from '../approvals/index.ts';
import { EXPORT_PEOPLE } from './exports.ts';
import { REVIEW_POWER, type Reveal, type RevealVerdict, revealOf } from './reveals.ts';

/** Review of a reveal by another operator. */
export const REVIEW_REVEAL = defineAct({
  name: 'people.review_reveal',
  votePower: REVIEW_POWER,
  async prepare({ connection, nowMs, operator }: ActContext, payload: RevealReview) {
    const { comment, id, verdict } = payload;
    const { rows } = await connection.query('select * from reveals where id = $1 for update', [id]);
    const [reveal] = rows.map(revealOf);
    if (reveal === undefined) return new Refused('reveal_unknown');
    if (reveal.operator === operator.user || reveal.subject === operator.user) {
      return new Refused('reveal_own');
    }
    const refused = await refuseReviewer(connection, { reviewer: operator.user, reveal, nowMs });
    if (refused !== undefined) return refused;
    if (reveal.verdict === 'justified') return new Refused('reveal_reviewed');
    return {
      object: `reveal ${id}`,
      objectVersion: reveal.verdict ?? '',
      approvals: 0,
      beneficiaries: [reveal.operator],
      shown: [{ label: 'Verdict', value: verdict }],
      async run() {
        await connection.query(
          `update reveals set reviewer_id = $2, verdict = $3, comment = $4, reviewed_at = $5
           where id = $1`,
          [id, operator.user, verdict, comment, new Date(nowMs)],
        );
        return {
          result: { id },
          subject: reveal.operator,
          before: { verdict: reveal.verdict },
          after: { verdict },
          personal: { comment },
        };
      },
    };
  },
});

type RevealReview = {
  readonly id: number;
  readonly verdict: RevealVerdict;
  readonly comment: string;
};

/** Like a voter: has the permission for a day, and is independent of both users. */
async function refuseReviewer(
  connection: Connection,
  { nowMs, reveal, reviewer }: { reviewer: UserId; reveal: Reveal; nowMs: number },
): Promise<Refused<'vote_not_allowed' | 'vote_not_independent'> | undefined> {
  if (!(await hasPowerForADay(connection, { user: reviewer, power: REVIEW_POWER, nowMs }))) {
    return new Refused('vote_not_allowed', { power: REVIEW_POWER });
  }
  const mark = await findSharedMark(connection, reviewer, [reveal.operator, reveal.subject]);
  return mark === undefined ? undefined : new Refused('vote_not_independent', { mark });
}

/** Votes find an action by its name. */
export const PII_ACCESS_ACTS = [EXPORT_PEOPLE, REVIEW_REVEAL] as const;
