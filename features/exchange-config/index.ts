// Exchange configuration: the kit of texts and settings, the fields of users' meta, and the first
// administrator.

export { issueSetupToken } from './first-administrator.ts';
