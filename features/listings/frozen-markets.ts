// Markets and outbox channels currently frozen by a poison command.

import type { Statements } from '../../infra/postgres/index.ts';

/** A market or a channel frozen by a poison command. */
export interface Freeze {
  readonly command: number;
  /** Null if only the channel is frozen. */
  readonly market: { readonly id: number; readonly symbol: string } | null;
  /** Null if no outbox channel is frozen. */
  readonly channel: number | null;
  /** Outbox rows queued behind it. */
  readonly waiting: number;
  readonly frame: number;
  readonly frozenAt: Date;
}

/** Oldest first. Only current freezes: a second failure in a frozen market freezes nothing. */
export async function readFreezes({
  connection,
  exchange,
}: {
  readonly connection: Statements;
  readonly exchange: { readonly projectionSchema: string };
}): Promise<Freeze[]> {
  const schema = exchange.projectionSchema;
  const { rows } = await connection.query(
    `select f.command, f.market_id, m.name, f.channel, f.frame, f.frozen_at, f.voided_at,
       (select count(*) from outbox o
        where o.channel = f.channel and o.state = 'waiting') as waiting
     from ${schema}.freezes f left join ${schema}.markets m on m.id = f.market_id
     order by f.frame, f.event_index`,
  );
  const held = heldBy(
    rows.map((row) => ({
      command: Number(row.command),
      market: Number(row.market_id ?? 0),
      channel: Number(row.channel ?? 0),
      frozenMs: row.frozen_at.getTime(),
      voidedMs: row.voided_at?.getTime(),
    })),
  );
  return rows.flatMap((row, index) => {
    const { channel, market } = held[index];
    if (!channel && !market) return [];
    return {
      command: Number(row.command),
      market: market ? { id: Number(row.market_id), symbol: row.name } : null,
      channel: channel ? Number(row.channel) : null,
      waiting: channel ? Number(row.waiting) : 0,
      frame: Number(row.frame),
      frozenAt: row.frozen_at,
    };
  });
}

interface Failure {
  readonly command: number;
  /** 0 for none. */
  readonly market: number;
  readonly channel: number;
  readonly frozenMs: number;
  readonly voidedMs: number | undefined;
}

/**
 * Which failures currently hold their market and their channel. As in the engine, the first does.
 */
function heldBy(failures: readonly Failure[]): { market: boolean; channel: boolean }[] {
  const holders = new Map<string, Failure>();
  const holds = (failure: Failure, of: 'market' | 'channel'): boolean => {
    if (failure[of] === 0) return false;
    const name = `${of} ${failure[of]}`;
    const holder = holders.get(name);
    const isFrozen =
      holder !== undefined && (holder.voidedMs === undefined || holder.voidedMs > failure.frozenMs);
    if (isFrozen) return false;
    holders.set(name, failure);
    return failure.voidedMs === undefined;
  };
  return failures.map((failure) => ({
    market: holds(failure, 'market'),
    channel: holds(failure, 'channel'),
  }));
}
