// Handlers for custody. The chain watcher writes the data that these calls read.

import { type Atoms, decimalFromAtoms } from '../../../core/money/index.ts';
import { awaitOutcome, type HandlersOf } from '../../../platform/http/index.ts';
import { type CustodyState, decimal, timeText } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { answerAct } from '../../approvals/http/index.ts';
import { positionOf } from '../../payments/admin/index.ts';
import { evmAddressText } from '../addresses/address-owners.ts';
import { ATTRIBUTE_DEPOSIT, RESUME_NETWORK } from '../admin/index.ts';
import { readCustodyStatus } from '../custody-status.ts';

const UNATTRIBUTED_MAX = 100;
const NO_QUEUES = { pending: 0, held: 0, small: 0, in_review: 0, unattributed: 0 };

export const custodyRoutes: HandlersOf<'custody'> = {
  async getCustody(_call, { exchange, registry }): Promise<CustodyState> {
    const networks = await readCustodyStatus(registry);
    const { rows } = await registry.query(
      `select d.*, a.symbol, a.scale from custody_deposits d
       join ${exchange.projectionSchema}.assets a on a.id = d.asset_id
       where d.state = 'unattributed' order by d.id limit ${UNATTRIBUTED_MAX}`,
    );
    return {
      networks: networks.map(({ haltedAt, haltedReason, height, network, queues, tipHeight }) => ({
        network,
        height,
        tip_height: tipHeight,
        halted_reason: haltedReason ?? null,
        halted_at: haltedAt === undefined ? null : timeText(haltedAt.getTime()),
        queues: { ...NO_QUEUES, ...queues },
      })),
      unattributed: rows.map((row) => ({
        id: Number(row.id),
        network: row.network,
        currency: row.symbol,
        amount: decimal(decimalFromAtoms(BigInt(row.atoms) as Atoms, Number(row.scale))),
        transaction_id: row.txid,
        address: evmAddressText(row.network, row.address),
        height: Number(row.height),
        reason: row.reason,
        created_at: timeText(row.created_at.getTime()),
      })),
    };
  },

  attributeCustodyDeposit(call, dependencies) {
    const { id, note, user_id } = call.body;
    const payload = { id, user_id, note };
    return answerAct(call, dependencies, ATTRIBUTE_DEPOSIT, payload, async (asked) => {
      const position = positionOf(asked);
      const outcome = position && (await awaitOutcome(dependencies, position));
      if (outcome instanceof Refused) return outcome;
      return { message: 'Success', deposit_id: asked.id };
    });
  },

  resumeCustodyNetwork(call, dependencies) {
    const { network, note } = call.body;
    return answerAct(call, dependencies, RESUME_NETWORK, { network, note }, () => ({
      message: 'Success',
    }));
  },
};
