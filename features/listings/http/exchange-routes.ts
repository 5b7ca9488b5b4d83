// Handlers that describe the exchange: health, status, coins and pairs, the kit and fee tiers.

import { type Dependencies, type HandlersOf, JsonText } from '../../../platform/http/index.ts';
import type { CatalogueNow } from '../catalogue-entries.ts';
import { constantsOf } from './constants.ts';
import { statusOf } from './status.ts';
import { tiersOf } from './tiers.ts';

const BASE_PATH = '/v2';

const constants = oncePerCatalogue((now, { exchange }) =>
  constantsOf(now, exchange.publicUrl, exchange.isDemo),
);
const status = oncePerCatalogue(statusOf);
const tiers = oncePerCatalogue(tiersOf);
const kit = oncePerCatalogue(({ kit: described }, { exchange }) => {
  const info = described.info as { readonly url?: string };
  // Some clients find the exchange by this URL.
  return { ...described, info: { ...info, url: info.url || exchange.publicUrl } };
});

export const exchangeRoutes: HandlersOf<'exchange'> = {
  getConstants: (_call, dependencies) => constants(dependencies),
  getStatus: (_call, dependencies) => status(dependencies),
  getKit: (_call, dependencies) => kit(dependencies),
  getTiers: (_call, dependencies) => tiers(dependencies),

  /** `status` is whether the exchange accepts orders. */
  getHealth(_call, { commands, exchange }) {
    const { name, publicUrl, version } = exchange;
    return {
      name,
      version,
      host: URL.parse(publicUrl)?.host ?? publicUrl,
      domain: publicUrl,
      basePath: BASE_PATH,
      status: commands.hasLeader,
    };
  },
};

/** A response that is the same for all callers is serialized once per catalog state. */
function oncePerCatalogue(
  make: (now: CatalogueNow, dependencies: Dependencies) => unknown,
): (dependencies: Dependencies) => JsonText {
  const made = new WeakMap<CatalogueNow, JsonText>();
  return (dependencies) => {
    const { now } = dependencies.catalogue;
    let text = made.get(now);
    if (text === undefined) {
      text = new JsonText(JSON.stringify(make(now, dependencies)));
      made.set(now, text);
    }
    return text;
  };
}
