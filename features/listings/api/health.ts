// Health: name, version and whether orders are accepted. Public.

import { type Static, Type } from 'typebox';
import { field } from '../../../protocol/wire/index.ts';

export const Health = Type.Object(
  {
    name: Type.String(),
    version: Type.String(),
    host: Type.String(),
    domain: Type.String(),
    basePath: field(Type.String(), 'The start of every path.', '/v2'),
    status: Type.Boolean({ description: 'Whether the exchange accepts orders.' }),
  },
  { title: 'Health' },
);
export type Health = Static<typeof Health>;
