// Audit log of operators: its list and its verification.

import {
  defineRoute,
  FormatIn,
  listFile,
  listQuery,
  pagedList,
  Type,
  textIn,
  UserIdIn,
  WEIGHT_FILE,
  WEIGHT_LIST,
} from '../../../protocol/wire/index.ts';
import { AuditEntry, AuditVerification } from './audit.ts';

const VERIFIED_DEFAULT = 10_000;
const VERIFIED_MAX = 100_000;

const operatorMayRead = { who: 'operator', scope: 'can_read', sessions: true } as const;

const getAudits = defineRoute({
  method: 'GET',
  path: '/v2/admin/audits',
  summary: 'Operator actions, newest first',
  description: 'Each entry contains the hash of the previous one.',
  tag: 'operator',
  permission: operatorMayRead,
  roles: ['supervisor', 'auditor'],
  effect: 'read',
  weight: WEIGHT_LIST,
  query: listQuery({
    id: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    user_id: Type.Optional(UserIdIn),
    subject: Type.Optional(
      textIn({
        minLength: 1,
        maxLength: 254,
        description: "The operator's email address or user ID.",
      }),
    ),
    act: Type.Optional(
      textIn({ minLength: 1, maxLength: 64, description: 'For example `user.freeze`.' }),
    ),
    object: Type.Optional(
      textIn({ minLength: 1, maxLength: 256, description: 'For example `user 17`.' }),
    ),
    format: FormatIn,
  }),
  status: 200,
  response: pagedList(AuditEntry),
  csv: true,
});

export const auditRoutes = {
  getAudits,
  getAuditsFile: listFile(getAudits),
  verifyAudits: defineRoute({
    method: 'GET',
    path: '/v2/admin/audits/verify',
    summary: 'Verify the newest audit entries: chain, signatures, anchors',
    description: 'Recomputes hashes, checks the signed heads and compares them with the log.',
    tag: 'operator',
    permission: operatorMayRead,
    roles: ['supervisor', 'auditor'],
    effect: 'read',
    weight: WEIGHT_FILE,
    query: Type.Object({
      limit: Type.Integer({
        minimum: 1,
        maximum: VERIFIED_MAX,
        default: VERIFIED_DEFAULT,
        clamped: true,
        description:
          'Minimum number of entries, if that many exist. A command-line tool verifies all.',
      }),
    }),
    status: 200,
    response: AuditVerification,
    isRialtoOnly: true,
  }),
} as const;
