// A pseudo-language: every English catalog text, 40% longer and with a mark at its end.

/** Identifies a text from the catalog. */
export const MARK = '˙';
const GROWTH = 0.4;

/** Repeats letters, so words grow like those of other languages. `{placeholders}` are kept. */
export function longer(text: string): string {
  let owed = 0;
  const parts = text.split(/(\{\w+(?:\|[^}]*)?\})/).map((part, at) => {
    if (at % 2 === 1) return part;
    let grown = '';
    for (const letter of part) {
      grown += letter;
      owed += GROWTH;
      if (owed >= 1 && /\p{L}/u.test(letter)) {
        grown += letter;
        owed -= 1;
      }
    }
    return grown;
  });
  return parts.join('') + MARK;
}
