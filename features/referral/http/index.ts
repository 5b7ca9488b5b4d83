// Parts of the handlers of referral that handlers of other features use.

export { affiliationJson, codeJson } from './referral-json.ts';
