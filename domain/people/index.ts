// People, as operators see and find them: masks, look-ups with a budget, and the break glass.

export { type BudgetSpent, countLookUp, type LookUp } from './look-ups.ts';
export { hideText, maskEmail, maskEnding, maskName, maskText } from './masks.ts';
export { type Person, personOf, readPerson } from './person.ts';
export { type UserFilter, type UserList, type UserSearch, userList } from './user-list.ts';
