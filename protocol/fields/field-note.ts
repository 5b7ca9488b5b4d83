// A field of the interface, as the reference describes it: what it means, and examples of it.

export interface FieldNote {
  /** A sentence for somebody who reads the field for the first time. */
  readonly meaning: string;
  /** Of each type that the field has somewhere, none where the schema implies one. */
  readonly examples: readonly unknown[];
}

/**
 * By name of the field, since a name has one meaning; `Order.price` or `getOrders.open` where it
 * means something else in one schema or as a parameter of one call.
 */
export type FieldNotes = Readonly<Record<string, FieldNote>>;

export function field(meaning: string, ...examples: readonly unknown[]): FieldNote {
  return { meaning, examples };
}
