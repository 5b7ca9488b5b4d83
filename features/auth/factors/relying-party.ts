// The exchange as seen by authenticators: the domain that owns the passkeys, and the origins of the
// pages that can use them.

import type { RelyingParty } from './passkeys.ts';

export interface RelyingPartySettings {
  readonly apiName: string;
  readonly publicUrl: string;
  /** Domain of the web app, if it differs from the host of the public URL. */
  readonly passkeyDomain: string | undefined;
  /** Origins of web apps; defaults to the public URL's origin. */
  readonly passkeyOrigins: readonly string[];
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]']);

export function relyingPartyOf(settings: RelyingPartySettings): RelyingParty {
  const { apiName: name, passkeyDomain, passkeyOrigins } = settings;
  const url = new URL(settings.publicUrl);
  // An IP address cannot own passkeys; browsers allow them for localhost without TLS.
  if (LOOPBACK.has(url.hostname)) url.hostname = 'localhost';
  return {
    name,
    id: passkeyDomain ?? url.hostname,
    origins: passkeyOrigins.length > 0 ? passkeyOrigins : [url.origin],
  };
}
