// Operator action on user groups in the engine: users in one group never trade with each other.
// House accounts are marked, and their trades are excluded from volume.

import type { UserId } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { setEngineSettings } from '../../accounts/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';

export type UserGroup = { readonly group: number; readonly is_house: boolean };
export type UserGroupChange = { readonly user: number } & Partial<UserGroup>;

export const SET_USER_GROUP = defineAct({
  name: 'user.group',
  votePower: 'approve.config',
  async prepare({ connection }: ActContext, { group, is_house, user }: UserGroupChange) {
    const now = await readGroup(connection, user);
    if (now instanceof Refused) return now;
    return {
      object: `user ${user}`,
      objectVersion: `${now.group} ${now.is_house}`,
      approvals: 1 as const,
      beneficiaries: [user as UserId],
      shown: [
        { label: 'User', value: `${user}` },
        { label: 'Group', value: `${now.group} → ${group ?? now.group}` },
        {
          label: 'House account',
          value: `${now.is_house} → ${is_house ?? now.is_house}`,
        },
      ],
      async run() {
        await setEngineSettings(connection, {
          user: user as UserId,
          ...(group !== undefined && { group }),
          ...(is_house !== undefined && { isHouse: is_house }),
        });
        const after = await readGroup(connection, user);
        if (after instanceof Refused) return after;
        return {
          result: { user, ...after },
          subject: user as UserId,
          before: now,
          after,
          effects: { dispatcher: true as const },
        };
      },
    };
  },
});

async function readGroup(
  statements: Statements,
  user: number,
): Promise<UserGroup | Refused<'user_not_found'>> {
  const { rows } = await statements.query(
    `select coalesce(s.group_id, 0) as group_id, coalesce(s.is_house, false) as is_house
     from users u left join engine_user_settings s on s.user_id = u.id where u.id = $1`,
    [user],
  );
  if (rows.length === 0) return new Refused('user_not_found');
  return { group: Number(rows[0].group_id), is_house: rows[0].is_house };
}
