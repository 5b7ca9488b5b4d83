// The look of the kit, with the words of the console.

import { type Look, useLook as useKitLook } from '../ui/index.ts';
import { type ConsoleWord, knownWord } from './catalogue.ts';

export function useLook(): Look<ConsoleWord> {
  // The provider of the console loads both catalogues: see main.tsx.
  return useKitLook() as Look<ConsoleWord>;
}

/** The word for a name from data, or the name itself: `queue`, `mails`. */
export function useNames(): (area: string, name: string) => string {
  const { t } = useLook();
  return (area, name) => {
    const word = knownWord(`${area}.${name}`);
    return word === undefined ? name : t(word);
  };
}
