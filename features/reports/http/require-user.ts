// The user whom an operator names.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { findUser } from '../../accounts/index.ts';

export async function requireUser(
  statements: Statements,
  id: number,
): Promise<UserId | Refused<'user_not_found'>> {
  const user = await findUser(statements, id as UserId);
  return user?.id ?? new Refused('user_not_found');
}
