// Mails about a new request: to everybody who may vote on it. With a time lock also to the
// requester, who would otherwise not learn of an act in a stolen session. Without personal values.

import type { UserId } from '../../core/money/index.ts';
import { idOf } from '../../infra/postgres/index.ts';
import { enqueueMail } from '../messages/index.ts';
import type { ActContext, ShownLine } from './act.ts';

export interface RequestToTell {
  readonly id: number;
  readonly act: string;
  readonly votePower: string;
  readonly shown: readonly ShownLine[];
  readonly needed: number;
  /** The end of a time lock. */
  readonly executesAt: Date | undefined;
  readonly expiresAt: Date;
}

/** More people than this vote through the list of requests. */
const VOTERS_MAX = 20;
/** Longer values are read in the request itself. */
const VALUE_CHARACTERS_MAX = 200;
const IN_REQUEST = '(in the request)';

export async function tellVoters(
  { connection, operator, vault }: ActContext,
  request: RequestToTell,
): Promise<void> {
  const { act, executesAt, id, votePower } = request;
  const { rows } = await connection.query(
    `select u.id, u.email, coalesce(u.settings ->> 'language', 'en') as language
     from users u join roles r on r.name = u.role
     where u.state = 'active' and $1 = any(r.powers) and (u.id <> $2 or $3)
     order by u.id limit ${VOTERS_MAX}`,
    [votePower, operator.user, executesAt !== undefined],
  );
  for (const row of rows) {
    await enqueueMail(connection, vault, {
      user: idOf<UserId>(row.id),
      to: row.email,
      language: row.language,
      kind: 'operator_message',
      values: { title: `Request ${id}: ${act}`, message: messageOf(request, operator.user) },
    });
  }
}

function shortened(value: string): string {
  if (value.length <= VALUE_CHARACTERS_MAX) return value;
  return `${value.slice(0, VALUE_CHARACTERS_MAX)}… (the request has the whole value)`;
}

function messageOf(request: RequestToTell, requester: UserId): string {
  const { executesAt, expiresAt, id, needed, shown } = request;
  const how =
    executesAt === undefined
      ? `It needs ${needed === 1 ? 'one approval' : `${needed} approvals`} of other people until ` +
        `${expiresAt.toISOString()}.`
      : `It can be executed from ${executesAt.toISOString()} on. Reject it if it is not yours.`;
  const lines = shown.map(
    ({ isPersonal, label, value }) => `${label}: ${isPersonal ? IN_REQUEST : shortened(value)}`,
  );
  return [`Operator ${requester} asks for an act (request ${id}).`, ...lines, how].join('\n');
}
