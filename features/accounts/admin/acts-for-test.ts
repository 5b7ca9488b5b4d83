// Runs actions on a real PostgreSQL as operators with a given role: assessed, then executed, in one
// transaction. Only tests import it.

import type { UserId } from '../../../core/money/index.ts';
import { inTransaction, type Pool, withConnection } from '../../../infra/postgres/index.ts';
import { isRefused, Refused } from '../../../protocol/wire/index.ts';
import type {
  Act,
  ActContext,
  Assessment,
  Executed,
  Operator,
  Power,
} from '../../approvals/index.ts';
import type { JsonObject, JsonValue } from '../../audit/index.ts';
import { makeUser, vault } from '../../auth/registry-for-test.ts';

export interface Done<Result extends JsonValue> {
  readonly assessment: Assessment;
  readonly executed: Executed<Result>;
}

export class OperatorForTest {
  readonly #pool: Pool;
  readonly operator: Operator;

  /** Creates a user with the role and its permissions. */
  static async make(pool: Pool, role = 'admin'): Promise<OperatorForTest> {
    const user = await makeUser(pool, { role });
    const { rows } = await pool.query('select permissions, powers from roles where name = $1', [
      role,
    ]);
    return new OperatorForTest(pool, {
      user,
      role,
      permissions: new Set<string>(rows[0].permissions),
      powers: new Set<Power>(rows[0].powers),
      call: rows[0].permissions[0],
      credential: 'session 1',
      session: 1,
      address: '192.0.2.1',
    });
  }

  constructor(pool: Pool, operator: Operator) {
    this.#pool = pool;
    this.operator = operator;
  }

  get user(): UserId {
    return this.operator.user;
  }

  /** Returns the key of the rejection, or the result. */
  async act<Payload extends JsonObject, Result extends JsonValue>(
    act: Act<Payload, Result, string>,
    payload: Payload,
    { nowMs = Date.now() }: { readonly nowMs?: number } = {},
  ): Promise<Done<Result> | string> {
    const done = await this.inAct(async (context) => {
      const prepared = await act.prepare(context, payload);
      if (prepared instanceof Refused) return prepared;
      const executed = await prepared.run();
      return executed instanceof Refused ? executed : { assessment: prepared, executed };
    }, nowMs);
    return done instanceof Refused ? done.key : done;
  }

  /** Throws if the action is rejected. */
  async mustAct<Payload extends JsonObject, Result extends JsonValue>(
    act: Act<Payload, Result, string>,
    payload: Payload,
    options: { readonly nowMs?: number } = {},
  ): Promise<Done<Result>> {
    const done = await this.act(act, payload, options);
    if (typeof done === 'string') throw new Error(`act refused: ${done}`);
    return done;
  }

  inAct<Done>(work: (context: ActContext) => Promise<Done>, nowMs = Date.now()): Promise<Done> {
    return withConnection(this.#pool, (connection) =>
      inTransaction(
        connection,
        () =>
          work({
            connection,
            operator: this.operator,
            vault,
            nowMs,
            exchange: { name: 'Rialto', projectionSchema: 'projection' },
          }),
        { rollBackIf: isRefused },
      ),
    );
  }
}
