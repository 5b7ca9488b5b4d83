// One kind of message on a socket, as data.

import type { TSchema } from 'typebox';

export interface StreamMessage {
  readonly schema: TSchema;
  readonly summary: string;
  readonly example?: unknown;
}
