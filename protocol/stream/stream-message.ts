// Definition of one kind of stream message.

import type { TSchema } from 'typebox';

export interface StreamMessage {
  readonly schema: TSchema;
  readonly summary: string;
  readonly example?: unknown;
}
