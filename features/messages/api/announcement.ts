// An announcement of the operator.

import { type Static, Type } from 'typebox';
import { field, Timestamp, TimestampOrNull } from '../../../protocol/wire/index.ts';

export const Announcement = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String({ description: 'Plain text.' }),
    message: Type.String({ description: 'HTML, made safe when it was written.' }),
    type: field(Type.String(), 'The kind of announcement.', 'market'),
    start_date: field(TimestampOrNull, 'When it is shown from; null from the start.', null),
    end_date: field(TimestampOrNull, 'When it is shown until; null without an end.', null),
    is_popup: Type.Boolean(),
    is_navbar: Type.Boolean(),
    is_dropdown: Type.Boolean(),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Announcement' },
);
export type Announcement = Static<typeof Announcement>;
