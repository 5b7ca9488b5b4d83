// Fields of a bank account: those that the operator has defined for its type, or three default
// fields.

import type { BankAccount } from '../../../client/index.ts';

export interface BankField {
  readonly key: string;
  /** Operator's label; empty for the default fields. */
  readonly label: string;
  readonly isRequired: boolean;
}

export interface BankKind {
  /** Empty if the operator has defined none. */
  readonly type: string;
  readonly fields: readonly BankField[];
}

const USUAL: BankKind = {
  type: '',
  fields: ['bank_name', 'account_name', 'account_number'].map((key) => ({
    key,
    label: '',
    isRequired: true,
  })),
};

/** Expects the kit's `user_payments` as `payments`. */
export function bankKinds(payments: Readonly<Record<string, unknown>>): readonly BankKind[] {
  const kinds = Object.entries(payments).map(([type, kind]) => ({ type, fields: fieldsOf(kind) }));
  return kinds.length === 0 ? [USUAL] : kinds;
}

function fieldsOf(kind: unknown): readonly BankField[] {
  const { data } = (kind ?? {}) as { readonly data?: unknown };
  if (!Array.isArray(data)) return [];
  return data.flatMap((field: { key?: unknown; label?: unknown; required?: unknown } | null) =>
    typeof field?.key === 'string'
      ? [
          {
            key: field.key,
            label: typeof field.label === 'string' ? field.label : field.key,
            isRequired: field.required === true,
          },
        ]
      : [],
  );
}

const OWN = ['id', 'status', 'message', 'type'];

/** Returns the texts of an account on one line. */
export function bankName(bank: BankAccount): string {
  const texts = Object.entries(bank).filter(
    ([name, text]) => typeof text === 'string' && text !== '' && !OWN.includes(name),
  );
  return texts.map(([, text]) => String(text)).join(' · ');
}
