// Health: that the exchange answers, and which version of it. Public.

import { type Static, Type } from 'typebox';

export const Health = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    host: Type.String(),
    domain: Type.String(),
    basePath: Type.String(),
    status: Type.Boolean({ description: 'Whether orders are taken at present.' }),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;
