// The body of an error response. Simple clients read only `message`.

import { type Static, Type } from 'typebox';
import { field, sample } from './field-note.ts';

export const ErrorBody = Type.Object(
  {
    message: field(Type.String(), 'The problem, in the language of the caller.', 'Order not found'),
    code: sample(
      Type.Integer({ description: 'Never changes its meaning; see the list of errors.' }),
      10,
    ),
    lang: Type.Optional(Type.String({ description: 'The language of the message.' })),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The response of writes that return nothing else. */
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
export type Message = Static<typeof Message>;
