// Operator action on key grants: another operator approves every grant that exceeds the previous
// one.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { type ActContext, defineAct } from '../act.ts';
import { readControl } from '../control.ts';
import { type KeyGrant, readKeyGrant } from '../key-grants.ts';

interface NewGrant extends JsonObject {
  readonly key: number;
  /** Without a limit and without personal data, the grant is removed. */
  readonly dailyLimit: string | null;
  readonly mayReadPersonal: boolean;
}

const NOTHING: KeyGrant = { dailyLimit: null, mayReadPersonal: false };

export const grantKey = defineAct({
  name: 'key.grant',
  votePower: 'approve.access',

  async prepare(context: ActContext, { dailyLimit, key, mayReadPersonal }: NewGrant) {
    const { connection, operator } = context;
    const { rows } = await connection.query(
      `select k.name, k.user_id from api_keys k join users u on u.id = k.user_id
       where k.id = $1 and not k.revoked and k.role = 'admin' and u.role is not null
       for update of k`,
      [key],
    );
    if (rows.length === 0) return new Refused('key_grant_key_unknown');
    const before = (await readKeyGrant(connection, `key ${key}`)) ?? NOTHING;
    const wanted = { dailyLimit, mayReadPersonal };
    const { currency } = await readControl(connection);
    const limit = dailyLimit === null ? 'none' : `${dailyLimit} ${currency}`;
    return {
      object: `key ${key}`,
      objectVersion: `${before.dailyLimit} ${before.mayReadPersonal}`,
      approvals: isMore(before, wanted) ? 1 : 0,
      beneficiaries: [],
      shown: [
        { label: 'Key', value: `${key} (${rows[0].name}) of operator ${rows[0].user_id}` },
        { label: 'Daily limit without approval', value: limit },
        { label: 'Personal data in clear text', value: mayReadPersonal ? 'yes' : 'no' },
      ],
      async run() {
        if (dailyLimit === null && !mayReadPersonal) {
          await connection.query('delete from key_grants where key_id = $1', [key]);
        } else {
          await connection.query(
            `insert into key_grants (key_id, daily_limit, may_read_personal, granted_by)
             values ($1, $2, $3, $4)
             on conflict (key_id) do update set daily_limit = excluded.daily_limit,
               may_read_personal = excluded.may_read_personal, granted_by = excluded.granted_by,
               granted_at = now()`,
            [key, dailyLimit, mayReadPersonal, operator.user],
          );
        }
        return { result: { key }, before: { ...before }, after: wanted };
      },
    };
  },
});

function isMore(before: KeyGrant, wanted: KeyGrant): boolean {
  if (wanted.mayReadPersonal && !before.mayReadPersonal) return true;
  if (wanted.dailyLimit === null) return false;
  return (
    compareDecimals(parseDecimal(wanted.dailyLimit), parseDecimal(before.dailyLimit ?? '0')) > 0
  );
}
