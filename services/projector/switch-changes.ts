// A batch's changes to dead man's switches. Clients renew them every few seconds, so only the last
// state of each is written.

import { type Connection, columnArrays } from '../../infra/postgres/index.ts';

interface SwitchChange {
  readonly user: number;
  readonly key: number;
  deadlineMs: number | undefined;
  firedMs: number | undefined;
  ordersCanceled: number;
  updatedMs: number;
}

const UPSERT = `
  insert into dead_man_switches (user_id, key_id, deadline, fired_at, orders_canceled, updated_at)
  select * from unnest($1::bigint[], $2::bigint[], $3::timestamptz[], $4::timestamptz[],
    $5::bigint[], $6::timestamptz[])
  on conflict (user_id, key_id) do update set
    deadline = excluded.deadline,
    fired_at = coalesce(excluded.fired_at, dead_man_switches.fired_at),
    orders_canceled = case
      when excluded.fired_at is null then dead_man_switches.orders_canceled
      else excluded.orders_canceled
    end,
    updated_at = excluded.updated_at`;

export class SwitchChanges {
  readonly #changes = new Map<string, SwitchChange>();

  /** An undefined deadline disarms the switch. */
  set(by: { user: number; key: number }, deadlineMs: number | undefined, timeMs: number): void {
    const change = this.#touch(by, timeMs);
    change.deadlineMs = deadlineMs;
  }

  fire(by: { user: number; key: number }, ordersCanceled: number, timeMs: number): void {
    const change = this.#touch(by, timeMs);
    change.deadlineMs = undefined;
    change.firedMs = timeMs;
    change.ordersCanceled = ordersCanceled;
  }

  async write(connection: Connection): Promise<void> {
    if (this.#changes.size === 0) return;
    const columns = columnArrays(['user', 'key', 'deadline', 'fired', 'canceled', 'updated']);
    for (const change of this.#changes.values()) {
      columns.user.add(change.user);
      columns.key.add(change.key);
      columns.deadline.addTime(change.deadlineMs);
      columns.fired.addTime(change.firedMs);
      columns.canceled.add(change.ordersCanceled);
      columns.updated.addTime(change.updatedMs);
    }
    await connection.query(
      UPSERT,
      Object.values(columns).map(({ literal }) => literal),
    );
  }

  #touch({ key, user }: { user: number; key: number }, timeMs: number): SwitchChange {
    const name = `${user}:${key}`;
    let change = this.#changes.get(name);
    if (change === undefined) {
      change = {
        user,
        key,
        deadlineMs: undefined,
        firedMs: undefined,
        ordersCanceled: 0,
        updatedMs: timeMs,
      };
      this.#changes.set(name, change);
    }
    change.updatedMs = timeMs;
    return change;
  }
}
