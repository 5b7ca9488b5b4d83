// Access: identifies the sender of a request. Signatures, the cache of keys and sessions, replays,
// addresses and trusted proxies, over a store that its owner provides.

export {
  type Accepted,
  Access,
  type AccessRefusal,
  type CredentialRequest,
  type Identified,
  type PrecheckedCredentials,
  type Revocation,
  type SignedRequest,
  tokenHash,
} from './access.ts';
export { accessChangeFeed } from './access-changes.ts';
export { accessTelemetry } from './access-telemetry.ts';
export { AddressCounts } from './address-counts.ts';
export { addressGroup, WIDER_FACTOR, widerGroup } from './address-group.ts';
export { ADDRESSES_MAX, AddressList, isAddressEntry, isNarrowEntry } from './address-list.ts';
export {
  type BrowserApp,
  BrowserCookies,
  type SessionCookie,
  type SetCookie,
} from './browser-cookies.ts';
export { AccessFault } from './credential-cache.ts';
export type { CredentialStore, CredentialUse, KnownKey, KnownSession } from './credential-port.ts';
export { readVerifyingKey } from './signature.ts';
export { TrustedProxies } from './trusted-proxies.ts';
