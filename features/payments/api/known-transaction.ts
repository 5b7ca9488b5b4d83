// A transaction on a chain, as far as the exchange knows it.

import type { Static } from 'typebox';
import { Decimal, StringOrNull, sample, Type } from '../../../protocol/wire/index.ts';

export const KnownTransaction = Type.Object(
  {
    message: Type.String(),
    transaction: Type.Object({
      currency: Type.String(),
      network: Type.String(),
      transaction_id: Type.String(),
      address: Type.String(),
      is_watched: Type.Boolean({
        description:
          'Whether the chain watcher follows this network. If not, the exchange has only ' +
          'deposits that operators or users entered: look up the transaction in a block explorer.',
      }),
      chain_deposits: Type.Array(
        Type.Object({
          id: Type.Integer(),
          user_id: sample(
            Type.Union([Type.Integer(), Type.Null()], {
              description: 'The owner of the deposit address; null if no user owns it.',
            }),
            7,
          ),
          amount: Decimal,
          address: Type.String(),
          height: sample(
            Type.Integer({ description: 'The block with the transaction.' }),
            21_000_000,
          ),
          confirmations: sample(
            Type.Integer({ description: 'Blocks since then, with its own.' }),
            12,
          ),
          state: Type.String({
            description:
              '`pending`, `dropped`, `held`, `small`, `in_review`, `unattributed` or `credited`.',
          }),
          reason: StringOrNull,
        }),
        {
          description:
            'Payments of the transaction to deposit addresses, at most ten; empty if the watcher ' +
            'has not seen it.',
        },
      ),
      address_user_id: sample(
        Type.Union([Type.Integer(), Type.Null()], {
          description: 'The user to whom the address was assigned.',
        }),
        7,
      ),
      deposits: Type.Array(
        Type.Object({
          id: Type.Integer(),
          user_id: Type.Integer(),
          amount: Decimal,
          network: StringOrNull,
          state: Type.String(),
        }),
        { description: 'Deposits with this transaction, at most ten.' },
      ),
    }),
  },
  { title: 'KnownTransaction' },
);
export type KnownTransaction = Static<typeof KnownTransaction>;
