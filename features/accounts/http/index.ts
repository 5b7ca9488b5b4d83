// Parts of the accounts handlers that other features use.

export { findContent } from './account-content.ts';
export { readBalance } from './user-profile.ts';
