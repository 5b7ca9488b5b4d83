// Resumes a network that halted. Changes neither its cursor nor a recorded block, so a cause that
// remains halts it again.

import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';

export type ResumePayload = {
  readonly network: string;
  readonly note: string;
};

/** Needs approval from another operator, because a wrong chain could credit invented deposits. */
export const RESUME_NETWORK = defineAct({
  name: 'custody.resume',
  votePower: 'approve.money',
  async prepare({ connection }: ActContext, { network, note }: ResumePayload) {
    const { rows } = await connection.query(
      `select height, halted_reason, halted_at from custody_networks
       where network = $1 and halted_reason is not null`,
      [network],
    );
    const [halt] = rows;
    if (halt === undefined) return new Refused('custody_network_not_halted', { network });
    const haltedAt = halt.halted_at.toISOString();
    return {
      object: `network ${network}`,
      objectVersion: haltedAt,
      approvals: 1,
      beneficiaries: [],
      shown: [
        { label: 'Network', value: network },
        { label: 'Last recorded block', value: `${halt.height}` },
        { label: 'Reason for the halt', value: halt.halted_reason },
        { label: 'Halted since', value: haltedAt },
        { label: 'Note', value: note },
      ],

      async run() {
        await connection.query(
          `update custody_networks set halted_reason = null, halted_at = null, updated_at = now()
           where network = $1`,
          [network],
        );
        return {
          result: { network },
          before: { halted_reason: halt.halted_reason },
          after: { halted_reason: null, note },
        };
      },
    };
  },
});
