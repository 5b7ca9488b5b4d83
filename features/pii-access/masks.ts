// Masks: what operators see of personal values that they may not read. A mask tells two people of
// a conversation apart and nothing more; its length says nothing about the value.

/** In place of what is hidden. */
export const HIDDEN = '•••';
const LAST_SHOWN = 2;
/** A shorter value would be shown nearly whole. */
const ENDING_LENGTH_MIN = 5;

/** `m•••@d•••.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 1) return maskText(email);
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const ending = dot < 1 ? '' : domain.slice(dot);
  return `${first(email)}${HIDDEN}@${first(domain)}${HIDDEN}${ending}`;
}

/** The initials: `A. E.` */
export function maskName(name: string): string {
  const words = name.split(/[\s\p{Cc}]+/u).filter((word) => word !== '');
  return words.map((word) => `${first(word)}.`).join(' ');
}

/** The last two characters: `•••67`. */
export function maskEnding(value: string): string {
  if (value === '') return '';
  const letters = [...value];
  return letters.length < ENDING_LENGTH_MIN
    ? HIDDEN
    : `${HIDDEN}${letters.slice(-LAST_SHOWN).join('')}`;
}

/** The first character: `m•••`. */
export function maskText(value: string): string {
  return value === '' ? '' : `${first(value)}${HIDDEN}`;
}

/** Nothing of it, but that there is something. */
export function hideText(value: string): string {
  return value === '' ? '' : HIDDEN;
}

function first(text: string): string {
  return [...text][0] ?? '';
}
