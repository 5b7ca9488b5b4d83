// Inputs shared by the deposit and withdrawal routes: list filters, and fields that an operator can
// change.

import {
  BooleanIn,
  CurrencyIn,
  FormatIn,
  field,
  Type,
  textIn,
  UserIdIn,
} from '../../../protocol/wire/index.ts';

export const NetworkIn = textIn({ minLength: 1, maxLength: 32 });

/** Filters for users' lists. */
export const transferFilters = {
  currency: Type.Optional(CurrencyIn),
  transaction_id: Type.Optional(textIn({ maxLength: 256 })),
  address: Type.Optional(textIn({ maxLength: 256 })),
  status: Type.Optional(BooleanIn),
  dismissed: Type.Optional(BooleanIn),
  rejected: Type.Optional(BooleanIn),
  processing: Type.Optional(BooleanIn),
  waiting: Type.Optional(BooleanIn),
  format: FormatIn,
};

export const ReferenceIn = textIn({ minLength: 1, maxLength: 256 });
export const DescriptionIn = textIn({ maxLength: 256 });

/** Filters for operators' lists. */
export const operatorTransferFilters = {
  id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  user_id: Type.Optional(UserIdIn),
  description: Type.Optional(DescriptionIn),
  ...transferFilters,
};

/** `updated_transactionId` is another documented name for the same field. */
export const TransactionChangeIn = Type.Object(
  {
    transaction_id: ReferenceIn,
    id: Type.Optional(
      Type.Integer({
        description: 'The request ID, if several requests have this transaction_id.',
      }),
    ),
    updated_transaction_id: field(
      Type.Optional(ReferenceIn),
      'The new transaction ID.',
      'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
    ),
    updated_transactionId: field(
      Type.Optional(ReferenceIn),
      'Same as `updated_transaction_id`.',
      'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16',
    ),
    updated_address: field(
      Type.Optional(ReferenceIn),
      'The new address.',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ),
    status: Type.Optional(Type.Boolean({ description: 'true completes the request.' })),
    dismissed: Type.Optional(Type.Boolean()),
    rejected: Type.Optional(Type.Boolean()),
    processing: Type.Optional(Type.Boolean()),
    waiting: Type.Optional(Type.Boolean()),
    email: Type.Optional(Type.Boolean({ description: 'Whether to notify the user by email.' })),
    description: Type.Optional(DescriptionIn),
  },
  { title: 'TransactionChangeIn' },
);
