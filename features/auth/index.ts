// Auth: sign-up, login, second factors, passwords, sessions, API keys, and the credentials that
// requests carry.

export { type IdentityDependencies, openIdentity } from './open-identity.ts';
