// Operator action on a market or channel frozen by a poison command: continues without the command.
// The market then accepts cancellations until its status is set.

import { enqueue } from '../../../platform/outbox/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import { readFreezes } from '../frozen-markets.ts';

export type VoidedCommand = { readonly command: number };

export const VOID_COMMAND = defineAct({
  name: 'engine.void-command',
  votePower: 'approve.config',
  async prepare(context: ActContext, { command }: VoidedCommand) {
    const freezes = (await readFreezes(context)).filter((one) => one.command === command);
    if (freezes.length === 0) return new Refused('command_not_frozen', { command });
    return {
      object: `command ${command}`,
      objectVersion: freezes.map(({ frame }) => frame).join(' '),
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Voided command', value: `${command}` },
        ...freezes.map(({ channel, market }) => ({
          label: 'Unfreezes',
          value: [market?.symbol, channel && `channel ${channel}`].filter(Boolean).join(', '),
        })),
      ],

      async run() {
        const voiding = await enqueue(context.connection, {
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
    };
  },
});
