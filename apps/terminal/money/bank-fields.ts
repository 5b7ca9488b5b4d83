// Bank accounts: the fields that the operator has defined for a user's account, or three default
// ones, and the exchange's own account for a currency.

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

export interface ExchangeBank {
  readonly name: string;
  readonly lines: readonly { readonly label: string; readonly value: string }[];
}

/**
 * Returns the exchange's own accounts for a currency. Expects the kit's `onramp`: payment accounts
 * by currency and name, whose `data` has labels and values.
 */
export function exchangeBanks(
  onramp: Readonly<Record<string, unknown>>,
  currency: string,
): readonly ExchangeBank[] {
  return Object.entries(recordOf(onramp[currency])).flatMap(([name, account]) => {
    const { data } = recordOf(account);
    if (!Array.isArray(data)) return [];
    const lines = data.flat().flatMap((line) => {
      const { key, label = key, value } = recordOf(line);
      return typeof label === 'string' && typeof value === 'string' ? [{ label, value }] : [];
    });
    return lines.length === 0 ? [] : [{ name, lines }];
  });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Returns the page or address for questions, if the operator has set one. */
export function supportLink(links: Readonly<Record<string, unknown>>): string | undefined {
  return linkNamed(links, ['helpdesk', 'support', 'contact']);
}

export interface OperatorPage {
  readonly page: 'support' | 'terms' | 'privacy';
  readonly link: string;
}

/** Returns the pages that the operator has set. */
export function operatorPages(links: Readonly<Record<string, unknown>>): readonly OperatorPage[] {
  const pages = [
    { page: 'support', link: supportLink(links) },
    { page: 'terms', link: linkNamed(links, ['terms']) },
    { page: 'privacy', link: linkNamed(links, ['privacy']) },
  ] as const;
  return pages.flatMap(({ link, page }) => (link === undefined ? [] : [{ page, link }]));
}

/** Other schemes, such as `javascript:`, are not links. */
function linkNamed(links: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const found = names.map((name) => links[name]).find((link) => typeof link === 'string');
  return typeof found === 'string' && /^(?:https:|mailto:)/.test(found) ? found : undefined;
}

const OWN = ['id', 'status', 'message', 'type'];

/** Returns the texts of an account on one line. */
export function bankName(bank: BankAccount): string {
  const texts = Object.entries(bank).filter(
    ([name, text]) => typeof text === 'string' && text !== '' && !OWN.includes(name),
  );
  return texts.map(([, text]) => String(text)).join(' · ');
}
