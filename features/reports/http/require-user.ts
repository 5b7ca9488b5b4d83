// The user whom an operator names.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { ApiRefusal } from '../../../platform/http/index.ts';
import { findUser } from '../../accounts/index.ts';

export async function requireUser(statements: Statements, id: number): Promise<UserId> {
  const user = await findUser(statements, id as UserId);
  if (user === undefined) throw new ApiRefusal('user_not_found');
  return user.id;
}
