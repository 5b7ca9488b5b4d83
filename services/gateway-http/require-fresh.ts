// Waits until the tables are fresh, before every read of a user's rows.

import { ApiRefusal } from './api-refusal.ts';
import type { Dependencies } from './dependencies.ts';

const RETRY_AFTER_S = 1;

/** Resolves when the tables have everything acknowledged so far; refuses if they take too long. */
export async function requireFresh({ fresh }: Dependencies): Promise<void> {
  if (!(await fresh.untilFresh())) throw new ApiRefusal('tables_behind', {}, RETRY_AFTER_S);
}
