// A poison command froze its market or its channel. An operator decides to continue without the
// command: the market then accepts cancellations until its status is set.

import { enqueue } from '../../../platform/outbox/index.ts';
import {
  type Act,
  type ActContext,
  ActRefused,
  defineActInTwoSteps,
} from '../../approvals/index.ts';
import { type Freeze, readFreezes } from '../frozen-markets.ts';

export type VoidedCommand = { readonly command: number };

export const VOID_COMMAND: Act<VoidedCommand, { readonly commands: readonly number[] }> =
  defineActInTwoSteps({
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
      const voiding = await enqueue(connection, {
        kind: 'VoidCommand',
        command: command as never,
      });
      const symbols = freezes.flatMap(({ market }) => (market === null ? [] : [market.symbol]));
      return {
        result: { commands: [voiding] },
        after: { command, symbols },
        effects: { dispatcher: true },
      };
    },
  });

async function freezesOf(context: ActContext, command: number): Promise<Freeze[]> {
  const freezes = (await readFreezes(context)).filter((one) => one.command === command);
  if (freezes.length === 0) throw new ActRefused('command_not_frozen', { command });
  return freezes;
}
