// Masks shown to operators instead of personal values they are not allowed to read. A mask only
// distinguishes two people in a conversation; its length reveals nothing about the value.

/** Replaces hidden parts. */
export const HIDDEN = '•••';
const LAST_SHOWN = 2;
/** A shorter value would be shown almost completely. */
const ENDING_LENGTH_MIN = 5;

/** For example `m•••@d•••.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return maskText(email);
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot < 1 ? '' : domain.slice(dot);
  return `${first(email)}${HIDDEN}@${first(domain)}${HIDDEN}${ending}`;
}

/** Initials, for example `A. E.` */
export function maskName(name: string): string {
  const words = name.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  return words.map((word) => `${first(word)}.`).join(' ');
}

/** Last two characters, for example `•••67`. */
export function maskEnding(value: string): string {
  if (value === '') return '';
  const letters = [...value];
  return letters.length < ENDING_LENGTH_MIN
    ? HIDDEN
    : `${HIDDEN}${letters.slice(-LAST_SHOWN).join('')}`;
}

/** First character, for example `m•••`. */
export function maskText(value: string): string {
  return value === '' ? '' : `${first(value)}${HIDDEN}`;
}

/** Shows only that a value exists. */
export function hideText(value: string): string {
  return value === '' ? '' : HIDDEN;
}

function first(text: string): string {
  return [...text][0] ?? '';
}
