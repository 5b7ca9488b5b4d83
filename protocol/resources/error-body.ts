// What is answered when something is refused. Clients that know nothing else read `message`.

import { type Static, Type } from 'typebox';

export const ErrorBody = Type.Object(
  {
    message: Type.String(),
    code: Type.Integer({ description: 'Means the same for ever; see the list of errors.' }),
    lang: Type.Optional(Type.String({ description: 'The language of the message.' })),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Of writes that only say that they were done. */
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
export type Message = Static<typeof Message>;
