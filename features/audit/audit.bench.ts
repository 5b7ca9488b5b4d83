// Measures the audit log on a real PostgreSQL: appends by four writers, each in a separate
// transaction, and full verification.

import { inTransaction } from '../../infra/postgres/index.ts';
import { makeUser, openRegistryForTest, vault } from '../auth/registry-for-test.ts';
import { appendAudit } from './audit.ts';
import { verifyAudit } from './verify-audit.ts';

const WRITERS = 4;
const ENTRIES = 20_000;
const QUICK_ENTRIES = 2_000;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const entries = quick ? QUICK_ENTRIES : ENTRIES;
  const tables = await openRegistryForTest();
  try {
    const user = await makeUser(tables.pool);
    const entry = {
      actor: { user, credential: 'session 1', address: '203.0.113.7' },
      act: 'user.freeze',
      object: `user ${user}`,
      subject: user,
      before: { frozen: false, note: 'x'.repeat(100) },
      after: { frozen: true, note: 'y'.repeat(100) },
      nowMs: Date.now(),
    };
    const writers = await Promise.all(Array.from({ length: WRITERS }, () => tables.connection()));
    const appendStart = performance.now();
    await Promise.all(
      writers.map(async (writer) => {
        for (let count = 0; count < entries / WRITERS; count++) {
          await inTransaction(writer, () => appendAudit(writer, vault, entry));
        }
      }),
    );
    const appendMs = performance.now() - appendStart;
    const verifyStart = performance.now();
    const { findingsCount, to } = await verifyAudit(writers[0], vault);
    const verifyMs = performance.now() - verifyStart;
    return {
      entries: to,
      writers: WRITERS,
      appendsPerSecond: Math.round((entries * 1_000) / appendMs),
      verifiedPerSecond: Math.round((to * 1_000) / verifyMs),
      findings: findingsCount,
    };
  } finally {
    await tables.close();
  }
}
