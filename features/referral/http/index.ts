// Parts of the referral handlers that other features use.

export { affiliationJson, codeJson } from './referral-json.ts';
