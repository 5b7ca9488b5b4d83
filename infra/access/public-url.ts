// The setting of the URL at which clients reach the exchange. Its origin is that of the pages that
// may use cookies, so every gateway needs the same one.

import type { Setting } from '../process/index.ts';

export function publicUrlSetting(): Setting<string> {
  return {
    name: 'RIALTO_PUBLIC_URL',
    expected: 'an http:// or https:// URL',
    fallback: { value: 'http://127.0.0.1' },
    read(found) {
      const protocol = URL.parse(found)?.protocol;
      return protocol === 'https:' || protocol === 'http:' ? found : undefined;
    },
  };
}
