// The answer of a call that did what was asked, in the form of an error: clients translate it by
// its code.

import { type Static, Type } from 'typebox';

export const Notice = Type.Object(
  {
    message: Type.String(),
    lang: Type.String({ description: 'The language of the message.' }),
    code: Type.Integer({ description: 'Never changes its meaning.' }),
  },
  { title: 'Notice' },
);
export type Notice = Static<typeof Notice>;
