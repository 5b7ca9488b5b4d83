// Parts of an account that its owner can change without a proof: settings and, once, the username.

import type { UserId } from '../../core/money/index.ts';
import type { Statements } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';

export type UsernameRefusal = 'username_invalid' | 'username_fixed' | 'username_taken';

const USERNAME = /^[a-z0-9_]{3,15}$/;

/**
 * Each given group replaces the old one completely; the others stay. Gateways cache the language:
 * if it changes, the caller announces a change of the user.
 */
export async function replaceSettings(
  statements: Statements,
  user: UserId,
  groups: Readonly<Record<string, unknown>>,
): Promise<{ readonly isOtherLanguage: boolean }> {
  const { rows } = await statements.query(
    `update users u set settings = u.settings || $2::jsonb, updated_at = now()
     from (select id, settings ->> 'language' as language from users
       where id = $1 for no key update) before
     where u.id = before.id
     returning u.settings ->> 'language' is distinct from before.language as is_other`,
    [user, JSON.stringify(groups)],
  );
  return { isOtherLanguage: rows[0]?.is_other === true };
}

/** A username is chosen once; until then it is the first part of the email address. */
export async function chooseUsername(
  statements: Statements,
  user: UserId,
  username: string,
): Promise<Refused<UsernameRefusal> | undefined> {
  if (!USERNAME.test(username)) return new Refused('username_invalid');
  try {
    const { rowCount } = await statements.query(
      `update users set username = $2, has_chosen_username = true, updated_at = now(),
         settings = jsonb_set(settings, '{chat}', '{"set_username": true}')
       where id = $1 and not has_chosen_username`,
      [user, username],
    );
    return rowCount === 1 ? undefined : new Refused('username_fixed');
  } catch (fault) {
    const { constraint } = fault as { constraint?: string };
    if (constraint === 'users_by_chosen_username') return new Refused('username_taken');
    throw fault;
  }
}
