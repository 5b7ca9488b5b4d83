// The body of an error response. Simple clients read only `message`.

import { type Static, Type } from 'typebox';

export const ErrorBody = Type.Object(
  {
    message: Type.String(),
    code: Type.Integer({ description: 'Never changes its meaning; see the list of errors.' }),
    lang: Type.Optional(Type.String({ description: 'The language of the message.' })),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The response of writes that return nothing else. */
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
export type Message = Static<typeof Message>;
