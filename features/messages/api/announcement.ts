// An announcement of the operator.

import { type Static, Type } from 'typebox';
import { Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';

export const Announcement = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ description: 'Plain text.' }),
    message: Type.String({ description: 'HTML, made safe when it was written.' }),
    type: Type.String(),
    start_date: TimestampOrNull,
    end_date: TimestampOrNull,
    is_popup: Type.Boolean(),
    is_navbar: Type.Boolean(),
    is_dropdown: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Announcement' },
);
export type Announcement = Static<typeof Announcement>;
