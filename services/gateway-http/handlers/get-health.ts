// That the exchange answers, which version of it, and whether it takes orders.

import type { Health, Routes } from '../../../protocol/index.ts';
import type { Call } from '../handler.ts';
import type { Parts } from '../parts.ts';

const BASE_PATH = '/v2';

export function getHealth(_call: Call<Routes['getHealth']>, parts: Parts): Health {
  const { name, publicUrl, version } = parts.exchange;
  return {
    name,
    version,
    host: hostOf(publicUrl),
    domain: publicUrl,
    basePath: BASE_PATH,
    status: parts.commands.hasLeader,
  };
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
