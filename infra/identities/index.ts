// Identities: the names of processes, their keys, the commands each may send, and their permissions
// on NATS. It knows no connection.

export {
  type CommandAuthority,
  commandAuthority,
  kindsOf,
  MONEY_CHANNELS,
} from './command-authority.ts';
export {
  gatewayIdentity,
  IDENTITIES,
  type IdentityName,
  isIdentity,
  SANDBOX_IDENTITY,
  type ServiceIdentity,
  type StreamAudience,
  serviceOf,
  streamIdentity,
} from './identities.ts';
export {
  claimedIdentity,
  drawKey,
  type Identity,
  isSignature,
  natsAuthenticator,
  openIdentity,
  readPublicKeys,
  signWith,
} from './identity-key.ts';
export { natsPermissions } from './nats-permissions.ts';
