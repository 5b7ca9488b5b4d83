// How the operator wants clients to look and behave.

import type { Routes } from '../../../protocol/index.ts';
import type { Call, JsonText } from '../handler.ts';
import { oncePerCatalogue } from '../once-per-catalogue.ts';
import type { Parts } from '../parts.ts';

const kit = oncePerCatalogue(({ kit: described }, { exchange }) => {
  const info = described.info as { readonly url?: string };
  // Some clients find the exchange by what stands here.
  return { ...described, info: { ...info, url: info.url || exchange.publicUrl } };
});

export function getKit(_call: Call<Routes['getKit']>, parts: Parts): JsonText {
  return kit(parts);
}
