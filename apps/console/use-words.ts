// The look from `apps/ui`, with the console's texts.

import { type Look, useLook as useKitLook } from '../ui/index.ts';
import { type ConsoleWord, knownWord } from './catalogue.ts';
import { type NameOf, plainName } from './parts/plain-name.ts';

export function useLook(): Look<ConsoleWord> {
  // The console's provider loads both catalogs: see main.tsx.
  return useKitLook() as Look<ConsoleWord>;
}

/** Returns the label of a name from data, such as `queue`, `mails`; plain words if none exists. */
export function useNames(): NameOf {
  const { t } = useLook();
  return (area, name) => {
    const word = knownWord(`${area}.${name}`);
    return word === undefined ? plainName(name) : t(word);
  };
}
