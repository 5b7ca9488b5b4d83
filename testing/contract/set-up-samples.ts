// Valid requests for the routes of set-up.

import { randomUUID } from 'node:crypto';
import { addSetupToken } from '../../domain/set-up/index.ts';
import type { Pool } from '../../infra/postgres/index.ts';

interface SetUpWorld {
  readonly registry: Pool;
}

interface SetUpSample {
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

type MakeSample = (world: SetUpWorld) => Promise<SetUpSample>;

export const setUpSamples = {
  // The sandbox has an administrator, so no server printed a token.
  signUpAdministrator: async ({ registry }) => {
    const token = randomUUID();
    await addSetupToken(registry, token);
    const email = `admin-${randomUUID()}@example.com`;
    return { body: { email, password: 'lanterns over the canal', token } };
  },
} as const satisfies Readonly<Record<string, MakeSample>>;
