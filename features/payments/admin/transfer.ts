// Moves money from one user to another: a withdrawal for the sender and a deposit for the receiver
// with the same transaction ID.

import type { UserId } from '../../../core/money/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { type ActContext, defineAct } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { startTransfer } from '../deposits/requests.ts';
import { lockFamilies } from '../family.ts';
import {
  balanceLines,
  bytesOf,
  outboxRef,
  parseAmount,
  personalOf,
  type RequestRef,
  readAsset,
  requireUsers,
  textOf,
} from './money-terms.ts';

export interface TransferPayload extends JsonObject {
  readonly sender_id: number;
  readonly receiver_id: number;
  readonly currency: string;
  readonly amount: string;
  readonly description: string;
  readonly email: boolean;
  /** Hex; null without a signature. One signed request creates one transfer. */
  readonly signature_hash: string | null;
}

export const transferAct = defineAct({
  name: 'transfer.create',
  votePower: 'approve.money',
  personal: ['description'],

  async prepare(context: ActContext, payload: TransferPayload) {
    const { amount, currency, description, receiver_id, sender_id } = payload;
    if (sender_id === receiver_id) return new Refused('users_must_be_different');
    const asset = await readAsset(context, currency);
    if (asset instanceof Refused) return asset;
    const amountAtoms = parseAmount(amount, asset);
    if (amountAtoms instanceof Refused) return amountAtoms;
    const refusal = await requireUsers(context, [sender_id, receiver_id]);
    if (refusal !== undefined) return refusal;
    const of = { asset, amountAtoms };
    const [sender, receiver] = [sender_id as UserId, receiver_id as UserId];
    if (!(await lockFamilies(context.connection, [sender, receiver]))) {
      return new Refused('user_not_found');
    }
    return {
      object: `user ${sender}`,
      objectVersion: '',
      approvals: 0,
      money: { currency, amount },
      beneficiaries: [receiver],
      subjects: [sender, receiver],
      shown: [
        { label: 'Transfer', value: textOf(amountAtoms, asset) },
        { label: 'From user', value: `${sender}` },
        { label: 'To user', value: `${receiver}` },
        ...(await balanceLines(context, { ...of, user: sender, direction: 'out' })),
        ...(await balanceLines(context, { ...of, user: receiver, direction: 'in' })).slice(0, 2),
      ],

      async run() {
        const started = await startTransfer(context.connection, {
          ...of,
          sender,
          receiver,
          description,
          withMail: payload.email,
          by: 'operator',
          actor: context.operator.user,
          signatureHash: bytesOf(payload.signature_hash),
        });
        if (started instanceof Refused) return started;
        const { depositRequest: deposit, position, withdrawalRequest: withdrawal } = started;
        const result: RequestRef = { id: withdrawal, asked: outboxRef(position) };
        const { transactionId: transaction_id } = started;
        return {
          result,
          subject: sender,
          after: { withdrawal, deposit, sender, receiver, currency, amount, transaction_id },
          ...personalOf({ description }),
          effects: { dispatcher: true },
        };
      },
    };
  },
});
