// The result of each order of a batch, in the order of the request.

import { type Static, Type } from 'typebox';
import { ErrorBody, field } from '../../../protocol/wire/index.ts';
import { KnownOrder } from './order.ts';

/** Has either `order` or `error`. */
export const OrderOutcome = Type.Object(
  {
    status: Type.Integer({ description: 'The status that a single call would have.' }),
    order: Type.Optional(KnownOrder),
    error: field(
      Type.Optional(ErrorBody),
      'Why this order was refused. The others of the batch are not affected.',
    ),
  },
  { title: 'OrderOutcome' },
);
export type OrderOutcome = Static<typeof OrderOutcome>;

export const OrderOutcomes = Type.Object(
  { data: Type.Array(OrderOutcome) },
  { title: 'OrderOutcomes' },
);
export type OrderOutcomes = Static<typeof OrderOutcomes>;
