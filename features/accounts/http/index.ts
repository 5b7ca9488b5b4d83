// Parts of the handlers of accounts that handlers of other features use.

export { findContent } from './account-content.ts';
export { readBalance } from './user-profile.ts';
