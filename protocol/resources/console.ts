// Answers to the operators' console beside the lists: exports and their hashes.

import { type Static, Type } from 'typebox';
import { FreeObject, StringOrNull, Timestamp, TimestampOrNull } from '../wire-types.ts';

const IntegerOrNull = Type.Unsafe<number | null>({ type: ['integer', 'null'] });

export const EXPORT_STATES = ['sending', 'complete', 'broken'] as const;

export const ListExport = Type.Object(
  {
    id: Type.Integer({ description: 'As in the header `x-export-id` of the answer.' }),
    operator_id: Type.Integer(),
    list: Type.String({ description: '`orders`.' }),
    format: Type.String(),
    filters: FreeObject,
    state: Type.String({ description: `One of: ${EXPORT_STATES.join(', ')}.` }),
    rows: IntegerOrNull,
    bytes: IntegerOrNull,
    sha256: StringOrNull,
    started_at: Timestamp,
    ended_at: TimestampOrNull,
  },
  {
    title: 'ListExport',
    description: 'Of a broken one: what was handed to the connection; null if the gateway stopped.',
  },
);
export type ListExport = Static<typeof ListExport>;
