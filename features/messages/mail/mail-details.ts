// Detail rows of an email: labels in its language, with values that are safe to show.

import type {
  Circumstances,
  CodeValues,
  FactorName,
  TransferEnd,
  TransferValues,
} from './mail-kinds.ts';
import type { CommonTexts } from './mail-texts.ts';
import { oneLine, withoutLinks } from './safe-text.ts';

export type AnyValues = Partial<
  CodeValues &
    TransferValues & {
      account: string;
      added: readonly string[];
      category: string;
      closesOn: string;
      discount: string;
      effectiveFrom: string;
      end: TransferEnd;
      factor: FactorName;
      isBookOnly: boolean;
      label: string;
      message: string;
      name: string;
      newEmail: string;
      permissions: string;
      removed: readonly string[];
      sender: string;
      sharedWith: string;
      subject: string;
      title: string;
      validUntil: string;
    }
>;

/** Maximum added, and maximum removed, addresses listed in an email. */
const ADDRESSES_MAX = 50;

type Row = [label: string, value: string | undefined];

export function detailsOf(
  values: AnyValues,
  { common, isDeposit, language }: { common: CommonTexts; isDeposit: boolean; language: string },
): { readonly label: string; readonly value: string }[] {
  const { closesOn, discount, factor, name, newEmail, permissions, validUntil } = values;
  const rows: Row[] = [
    ...transfer(values, common, isDeposit),
    ...accounts(values, common, language),
    [common.factor, factor && common[`factor_${factor}`]],
    [common.key_name, name && withoutLinks(name)],
    [common.discount, discount && oneLine(`${discount}%`)],
    [common.permissions, permissions && withoutLinks(permissions)],
    [common.new_email, newEmail && oneLine(newEmail)],
    [common.closes_on, closesOn && dayText(closesOn, language)],
    [common.valid_until, validUntil && timeText(validUntil, language)],
    ...circumstances(values, common, language),
  ];
  return rows.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [{ label, value }],
  );
}

function transfer(values: AnyValues, common: CommonTexts, isDeposit: boolean): Row[] {
  const { address, amount, currency = '', end, fee, feeCurrency = '' } = values;
  const { network, transactionId } = values;
  // An email address is the only destination that keeps its dots, because the recipient compares
  // it.
  const shown = network === 'email' ? oneLine : withoutLinks;
  return [
    [common.amount, amount && oneLine(`${amount} ${currency.toUpperCase()}`)],
    [common.fee, Number(fee) === 0 ? '' : fee && oneLine(`${fee} ${feeCurrency.toUpperCase()}`)],
    [common.network, network && withoutLinks(network)],
    [isDeposit ? common.deposit_address : common.destination, address && shown(address)],
    [common.transaction, transactionId && withoutLinks(transactionId)],
    [common.ended_why, end && common[`ended_${end}`]],
  ];
}

function accounts(values: AnyValues, common: CommonTexts, language: string): Row[] {
  const { account, added = [], category, effectiveFrom, isBookOnly, label } = values;
  const { removed = [], sender, sharedWith, subject } = values;
  return [
    [common.account_label, account ? oneLine(account) : label && withoutLinks(label)],
    [common.shared_with, sharedWith && oneLine(sharedWith)],
    ...added.slice(0, ADDRESSES_MAX).map((one): Row => [common.addresses_added, withoutLinks(one)]),
    ...removed
      .slice(0, ADDRESSES_MAX)
      .map((one): Row => [common.addresses_removed, withoutLinks(one)]),
    [common.book_only, isBookOnly === undefined ? '' : isBookOnly ? common.on : common.off],
    [common.effective_from, effectiveFrom && timeText(effectiveFrom, language)],
    [common.support_sender, sender && oneLine(sender)],
    [common.support_category, category && withoutLinks(category)],
    [common.support_subject, subject && withoutLinks(subject)],
  ];
}

function circumstances(
  { country, device, ip, time }: Partial<Circumstances>,
  common: CommonTexts,
  language: string,
): Row[] {
  return [
    [common.time, time && timeText(time, language)],
    [common.address, ip && oneLine(ip)],
    [common.country, country && countryText(country, language)],
    [common.device, device && withoutLinks(device)],
  ];
}

function timeText(iso: string, language: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' } as const;
  return dateText(iso, language, options, ' UTC');
}

function dayText(iso: string, language: string): string {
  return dateText(iso, language, { dateStyle: 'long' }, '');
}

function dateText(
  iso: string,
  language: string,
  options: Intl.DateTimeFormatOptions,
  suffix: string,
): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return oneLine(iso);
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return `${format.format(at)}${suffix}`;
}

function countryText(code: string, language: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return oneLine(code);
  return new Intl.DisplayNames(language, { type: 'region' }).of(code) ?? code;
}
