// Proofs of liabilities: publications for anyone, and the user's own proof.

import {
  defineRoute,
  field,
  pagedList,
  Type,
  WEIGHT_HEAVY,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { LiabilityProof, LiabilityPublication } from './liabilities.ts';

const FrameIn = field(
  Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  'A published frame; the newest by default.',
  4200,
);

const LimitIn = Type.Integer({ minimum: 1, maximum: 50, default: 10, clamped: true });
const PageIn = Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, clamped: true });

export const liabilityRoutes = {
  getLiabilities: defineRoute({
    method: 'GET',
    path: '/v2/liabilities',
    summary: 'Liabilities to customers, newest publication first',
    description:
      'Each publication has a signed Merkle sum root per asset and names the hash of the ' +
      'previous one. Compare the hash with other users.',
    tag: 'exchange',
    permission: { who: 'anyone' },
    effect: 'read',
    weight: WEIGHT_LIST,
    isRialtoOnly: true,
    query: Type.Object({ limit: LimitIn, page: PageIn }),
    status: 200,
    response: pagedList(LiabilityPublication),
  }),
  getLiabilityProof: defineRoute({
    method: 'GET',
    path: '/v2/user/liability-proof',
    summary: 'Proof that your balances are included in a publication',
    description:
      'Save the response as a file and verify it with `verifyLiabilityProof` of the client, ' +
      '`rialto proof verify`, or the verifier page, which works offline.',
    tag: 'user',
    permission: { who: 'user', scope: 'can_read', sessions: true },
    effect: 'read',
    weight: WEIGHT_HEAVY,
    isRialtoOnly: true,
    query: Type.Object({ frame: FrameIn }),
    status: 200,
    response: LiabilityProof,
  }),
} as const;
