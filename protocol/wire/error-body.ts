// Errors and notices on the wire: catalog entries and response bodies.

import type { Static } from 'typebox';
import { field, sample } from './field-note.ts';
import { Type } from './type.ts';

/** Body of an error response. Simple clients read only `message`. */
export const ErrorBody = Type.Object(
  {
    message: field(Type.String(), 'The problem, in the language of the caller.', 'Order not found'),
    code: sample(
      Type.Integer({ description: 'Never changes its meaning; see the list of errors.' }),
      10,
    ),
    lang: Type.Optional(Type.String({ description: 'The language of the message.' })),
    approval_id: Type.Optional(
      Type.Integer({ description: 'The request for approval, if the action is pending.' }),
    ),
  },
  { title: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Response of writes that return nothing else. */
export const Message = Type.Object({ message: Type.String() }, { title: 'Message' });
export type Message = Static<typeof Message>;

/**
 * Entry in the error catalog. A code never changes its meaning. Codes starting at 2000 are Rialto's
 * own; existing clients already know the smaller ones.
 */
export interface ErrorEntry {
  readonly status: number;
  readonly code: number;
  /**
   * Set if users of a web client never see this error: only `programs` or `operators` do. Such
   * texts need no translation.
   */
  readonly audience?: 'programs' | 'operators';
  /** English, which clients match. `{name}` placeholders are filled from the error's details. */
  readonly text: string;
  /** Details that the body also has as fields, for programs. */
  readonly fields?: readonly 'approval_id'[];
}

export type ErrorTable = Readonly<Record<string, ErrorEntry>>;

/** Response of a successful request in the form of an error: clients translate it by its code. */
export const Notice = Type.Object(
  {
    message: Type.String(),
    lang: Type.String({ description: 'The language of the message.' }),
    code: Type.Integer({ description: 'Never changes its meaning.' }),
  },
  { title: 'Notice' },
);
export type Notice = Static<typeof Notice>;
