// Text for names from data: labels for known names, and plain words for names without a label.

/** Returns the label of a name within an area, such as `act` and `user.freeze`. */
export type NameOf = (area: string, name: string) => string;

const ABBREVIATIONS = /\b(?:api|id|ip|kyc|otp|sms|url)\b/g;

/** Returns `User ID` for `user_id` and `Fee rate` for `feeRate`: the fallback without a label. */
export function plainName(name: string): string {
  const words = name
    .replace(/^is(?=_[a-z]|[A-Z])/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Values such as `password_changed` are names; any other text is unchanged. */
export function isName(text: string): boolean {
  return /^[a-z]+(?:_[a-z0-9]+)+$/.test(text);
}

/** Targets followed by an asset or a market. */
const OF_SYMBOLS = [
  'coin',
  'deposits',
  'holding',
  'market',
  'quick trade',
  'trading',
  'withdrawals',
];

/** Returns `User 17` for `user 17`, and `Deposits · RLT` for `deposits rlt`. */
export function targetText(target: string, nameOf: NameOf): string {
  const parts = /^([a-z]+(?: (?:pool|meta|trade|details))?)(?: (.+))?$/.exec(target);
  if (parts === null) return target;
  const [, kind, rest = ''] = parts;
  const label = nameOf('object', kind);
  if (rest === 'of everything') return `${label} · ${nameOf('object', 'everything')}`;
  if (OF_SYMBOLS.includes(kind) && rest !== '') {
    return `${label} · ${rest.toUpperCase().replaceAll('-', '/')}`;
  }
  const ofAsset = /^(\d+) ([a-z0-9]+)$/.exec(rest);
  const written = ofAsset === null ? rest : `${ofAsset[1]} ${ofAsset[2].toUpperCase()}`;
  return written === '' ? label : `${label} ${written}`;
}
