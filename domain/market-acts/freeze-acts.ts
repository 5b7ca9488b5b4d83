// A poison command froze its market or its channel. An operator reads what is frozen and decides to
// continue without the command: the market then accepts cancellations until its status is set.

import { appendEngineCommand } from '../engine-commands/index.ts';
import { type Act, type ActContext, ActRefused, defineAct } from '../operators/index.ts';

/** A market or a channel that a poison command froze. */
export interface Freeze {
  readonly command: number;
  /** Null: only the channel is frozen. */
  readonly market: { readonly id: number; readonly symbol: string } | null;
  /** Null: no channel of the outbox is frozen. */
  readonly channel: number | null;
  /** Rows of the outbox that wait behind it. */
  readonly waiting: number;
  readonly frame: number;
  readonly frozenAt: Date;
}

/** Oldest first. */
export async function readFreezes({
  connection,
  exchange,
}: {
  readonly connection: Pick<ActContext['connection'], 'query'>;
  readonly exchange: { readonly projectionSchema: string };
}): Promise<Freeze[]> {
  const schema = exchange.projectionSchema;
  const { rows } = await connection.query(
    `select f.command, f.market_id, m.name, f.channel, f.frame, f.frozen_at,
       (select count(*) from outbox o
        where o.channel = f.channel and o.state = 'waiting') as waiting
     from ${schema}.freezes f left join ${schema}.markets m on m.id = f.market_id
     where f.voided_at is null and (f.market_id is not null or f.channel is not null)
     order by f.frame, f.event_index`,
  );
  return rows.map((row) => ({
    command: Number(row.command),
    market: row.market_id === null ? null : { id: Number(row.market_id), symbol: row.name },
    channel: row.channel === null ? null : Number(row.channel),
    waiting: Number(row.waiting),
    frame: Number(row.frame),
    frozenAt: row.frozen_at,
  }));
}

export type VoidedCommand = { readonly command: number };

export const VOID_COMMAND: Act<VoidedCommand, { readonly commands: readonly number[] }> = defineAct(
  {
    name: 'engine.void-command',
    votePower: 'approve.config',
    async assess(context, { command }) {
      const freezes = await freezesOf(context, command);
      return {
        object: `command ${command}`,
        objectVersion: freezes.map(({ frame }) => frame).join(' '),
        approvals: 1,
        beneficiaries: [],
        shown: [
          { label: 'Command without effect', value: `${command}` },
          ...freezes.map(({ channel, market }) => ({
            label: 'Unfreezes',
            value: [market?.symbol, channel && `channel ${channel}`].filter(Boolean).join(', '),
          })),
        ],
      };
    },
    async execute(context, { command }) {
      const freezes = await freezesOf(context, command);
      const { connection } = context;
      const voiding = await appendEngineCommand(connection, {
        kind: 'VoidCommand',
        command: command as never,
      });
      const commands = [voiding];
      for (const { market } of freezes) {
        if (market === null) continue;
        // As the engine leaves it: with an event, so that everybody else knows too.
        const status = { market: market.id as never, status: 'cancel-only' } as const;
        commands.push(
          await appendEngineCommand(connection, { kind: 'SetMarketStatus', ...status }),
        );
      }
      const symbols = freezes.flatMap(({ market }) => (market === null ? [] : [market.symbol]));
      return { result: { commands }, after: { command, symbols }, effects: { dispatcher: true } };
    },
  },
);

async function freezesOf(context: ActContext, command: number): Promise<Freeze[]> {
  const freezes = (await readFreezes(context)).filter((one) => one.command === command);
  if (freezes.length === 0) throw new ActRefused('command_not_frozen', { command });
  return freezes;
}
