// Serves a list across all users, from the registry and the projected tables in one statement.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import {
  answerList,
  type Dependencies,
  type ListCall,
  type ListSource,
  momentFilter,
} from '../../../platform/http/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser } from '../../accounts/index.ts';
import type { OperatorList } from '../lists/list-statement.ts';

export interface OperatorListAnswer extends OperatorList {
  readonly write: ListSource['write'];
  readonly optionalColumns?: readonly string[];
  /** File name, without the name of the exchange. */
  readonly name: string;
}

/** Files have millions of rows. */
const LIFE_MS_MAX = 600_000;

export function answerOperatorList(
  call: ListCall,
  { clock, exchange, registry: pool }: Dependencies,
  { name, ...list }: OperatorListAnswer,
) {
  const fileName = `${exchange.name}-${name}`;
  return answerList(call, { ...list, pool, clock, fileName, lifeMsMax: LIFE_MS_MAX });
}

export function datesOf({
  end_date: end,
  start_date: start,
}: Pick<ListCall['query'], 'end_date' | 'start_date'>) {
  return { from: momentFilter(start) ?? undefined, to: momentFilter(end) ?? undefined };
}

/** Rejects users that do not exist. */
export async function requireUser(
  statements: Statements,
  id: number,
): Promise<UserId | Refused<'user_not_found'>> {
  const user = await findUser(statements, id as UserId);
  return user?.id ?? new Refused('user_not_found');
}
