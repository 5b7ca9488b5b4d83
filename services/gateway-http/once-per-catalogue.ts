// Answers that are the same for everybody until what is listed changes: written once for each state
// of the catalogue, and forgotten with it.

import type { CatalogueNow } from '../../domain/catalogue/index.ts';
import { JsonText } from './handler.ts';
import type { Parts } from './parts.ts';

export function oncePerCatalogue(
  make: (now: CatalogueNow, parts: Parts) => unknown,
): (parts: Parts) => JsonText {
  const made = new WeakMap<CatalogueNow, JsonText>();
  return (parts) => {
    const { now } = parts.catalogue;
    let text = made.get(now);
    if (text === undefined) {
      text = new JsonText(JSON.stringify(make(now, parts)));
      made.set(now, text);
    }
    return text;
  };
}
