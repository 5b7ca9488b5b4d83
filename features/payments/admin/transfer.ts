// An operator moves money from one user to another: a withdrawal of the sender and a deposit of the
// receiver with one transaction id.

import type { UserId } from '../../../core/money/index.ts';
import { ActRefused, defineActInTwoSteps } from '../../approvals/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { startTransfer } from '../deposits/requests.ts';
import { lockFamilies } from '../family.ts';
import {
  type AskedRequest,
  amountOf,
  askedAt,
  balanceLines,
  bytesOf,
  personalOf,
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
  /** In hex; null without a signature. One signed request is one transfer. */
  readonly signature_hash: string | null;
}

export const transferAct = defineActInTwoSteps<TransferPayload, AskedRequest>({
  name: 'transfer.create',
  votePower: 'approve.money',
  personal: ['description'],

  async assess(context, { amount, currency, receiver_id, sender_id }) {
    if (sender_id === receiver_id) throw new ActRefused('users_must_be_different');
    const asset = await readAsset(context, currency);
    const amountAtoms = amountOf(amount, asset);
    await requireUsers(context, [sender_id, receiver_id]);
    const of = { asset, amountAtoms };
    return {
      object: `user ${sender_id}`,
      objectVersion: '',
      approvals: 0,
      money: { currency, amount },
      beneficiaries: [receiver_id as UserId],
      subjects: [sender_id as UserId, receiver_id as UserId],
      shown: [
        { label: 'Transfer', value: textOf(amountAtoms, asset) },
        { label: 'From user', value: `${sender_id}` },
        { label: 'To user', value: `${receiver_id}` },
        ...(await balanceLines(context, { ...of, user: sender_id, direction: 'out' })),
        ...(await balanceLines(context, { ...of, user: receiver_id, direction: 'in' })).slice(0, 2),
      ],
    };
  },

  async execute(context, payload) {
    const { amount, currency, description, email: withMail } = payload;
    const [sender, receiver] = [payload.sender_id as UserId, payload.receiver_id as UserId];
    const asset = await readAsset(context, currency);
    const { connection, operator } = context;
    if (!(await lockFamilies(connection, [sender, receiver]))) {
      throw new ActRefused('user_not_found');
    }
    const started = await startTransfer(connection, {
      sender,
      receiver,
      asset,
      amountAtoms: amountOf(amount, asset),
      description,
      withMail,
      by: 'operator',
      actor: operator.user,
      signatureHash: bytesOf(payload.signature_hash),
    });
    if (started === undefined) throw new ActRefused('signature_replayed');
    const { depositRequest, position, transactionId, withdrawalRequest } = started;
    return {
      result: { id: withdrawalRequest, asked: askedAt(position) },
      subject: sender,
      after: {
        withdrawal: withdrawalRequest,
        deposit: depositRequest,
        sender,
        receiver,
        currency,
        amount,
        transaction_id: transactionId,
      },
      ...personalOf({ description }),
      effects: { dispatcher: true },
    };
  },
});
