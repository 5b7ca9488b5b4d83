// Control of the exchange as acts: the end of the set-up, a single operator, the thresholds of
// approvals. A single operator is chosen at set-up; later it takes two people and 72 hours.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { describeKit } from '../../listings/index.ts';
import { type ActContext, type Assessment, defineAct, type Executed } from '../act.ts';
import {
  type ControlMode,
  changeMode,
  countAdministrators,
  type ExchangeControl,
  readControl,
  setThresholds,
} from '../control.ts';
import { changeCurrency, priceInCurrency } from '../thresholds.ts';

interface ModeChange extends JsonObject {
  readonly mode: 'normal' | 'single_operator';
}

interface NewThresholds extends JsonObject {
  readonly oneApprovalFrom: string;
  readonly twoApprovalsFrom: string;
  /** Null keeps it. */
  readonly currency: string | null;
}

const ADMINISTRATORS_NEEDED = 2;
const NOTICE_MS = 72 * 3_600_000;
/** The notice ends if it is not used in this time. */
const NOTICE_LIFE_MS = NOTICE_MS + 7 * 86_400_000;
const OBJECT = 'exchange';

/** When a single operator may be chosen, after two people agreed; null: they have not. */
export async function singleOperatorFrom(statements: Statements): Promise<Date | null> {
  const { rows } = await statements.query('select single_operator_from from exchange_control');
  return rows[0].single_operator_from;
}

export const completeSetup = defineAct({
  name: 'setup.complete',
  votePower: 'approve.config',

  async prepare({ connection }: ActContext, _: JsonObject) {
    return {
      ...assessed(0, []),
      async run() {
        await describeKit(connection, { setup_completed: true });
        const after = { setup_completed: true };
        return { result: {}, after, effects: { catalogue: true as const } };
      },
    };
  },
});

export const changeControlMode = defineAct({
  name: 'control.mode',
  votePower: 'approve.config',

  async prepare(context: ActContext, { mode }: ModeChange) {
    const { connection, nowMs } = context;
    const { mode: before } = await readControl(connection);
    const step = await requireStep(context, before, mode);
    if (step instanceof Refused) return step;
    const isNotice = step === 'notice';
    const shown = [{ label: 'Mode', value: isNotice ? `${mode}, in 72 hours` : mode }];
    return {
      ...assessed(isNotice ? 2 : 0, shown),
      objectVersion: await versionOf(connection),
      async run(): Promise<Executed<JsonObject>> {
        const from = isNotice ? new Date(nowMs + NOTICE_MS) : null;
        if (!isNotice) await changeMode(connection, mode);
        await connection.query(
          'update exchange_control set single_operator_from = $1, updated_at = now()',
          [from],
        );
        const after = from === null ? { mode } : { singleOperatorFrom: from.toISOString() };
        return { result: after, before: { mode: before }, after };
      },
    };
  },
});

export const changeThresholds = defineAct({
  name: 'control.thresholds',
  votePower: 'approve.config',

  async prepare(context: ActContext, wanted: NewThresholds) {
    const { connection } = context;
    if (isMore(wanted.oneApprovalFrom, wanted.twoApprovalsFrom)) {
      return new Refused('thresholds_reversed');
    }
    const before = await readControl(connection);
    if (before.mode === 'setup' && isAnyRaised(before, wanted)) {
      return new Refused('setup_thresholds_raised');
    }
    const currency = wanted.currency ?? before.currency;
    const isSame = currency === before.currency;
    const price = isSame ? undefined : await priceInCurrency(context, before, currency);
    if (price instanceof Refused) return price;
    const line = (label: string, from: string, to: string) => ({
      label,
      value: `${to} ${currency} (now ${from} ${before.currency})`,
    });
    const shown = [
      line('One approval from', before.oneApprovalFrom, wanted.oneApprovalFrom),
      line('Two approvals from', before.twoApprovalsFrom, wanted.twoApprovalsFrom),
      ...(isSame
        ? []
        : [{ label: 'Also in this currency', value: 'withdrawal policy, ceilings of roles' }]),
    ];
    return {
      ...assessed(2, shown),
      objectVersion: await versionOf(connection),
      async run(): Promise<Executed<JsonObject>> {
        if (price !== undefined) await changeCurrency(context, { currency, price });
        await setThresholds(connection, wanted);
        const { mode: _, ...thresholds } = before;
        const after = { ...wanted, currency };
        return { result: after, before: { ...thresholds }, after };
      },
    };
  },
});

/** change: the mode changes now. notice: two people agree, and it may be changed in 72 hours. */
async function requireStep(
  { connection, nowMs }: ActContext,
  mode: ControlMode,
  wanted: ModeChange['mode'],
) {
  if (mode === wanted) return new Refused('control_mode_unchanged', { mode });
  if (wanted === 'normal') {
    const count = await countAdministrators(connection);
    if (count < ADMINISTRATORS_NEEDED) return new Refused('administrators_too_few', { count });
    return 'change' as const;
  }
  if (mode === 'setup') return 'change' as const;
  const from = (await singleOperatorFrom(connection))?.getTime();
  if (from === undefined || nowMs > from - NOTICE_MS + NOTICE_LIFE_MS) return 'notice' as const;
  if (nowMs < from) {
    return new Refused('single_operator_not_yet', { from: new Date(from).toISOString() });
  }
  return 'change' as const;
}

/** One person alone does not raise thresholds, nor by another currency. */
function isAnyRaised(
  present: ExchangeControl,
  { currency, oneApprovalFrom, twoApprovalsFrom }: NewThresholds,
): boolean {
  return (
    isMore(oneApprovalFrom, present.oneApprovalFrom) ||
    isMore(twoApprovalsFrom, present.twoApprovalsFrom) ||
    (currency ?? present.currency) !== present.currency
  );
}

function isMore(one: string, other: string): boolean {
  return compareDecimals(parseDecimal(one), parseDecimal(other)) > 0;
}

async function versionOf(statements: Statements): Promise<string> {
  const { rows } = await statements.query('select updated_at from exchange_control');
  return rows[0].updated_at.toISOString();
}

function assessed(approvals: Assessment['approvals'], shown: Assessment['shown']): Assessment {
  return { object: OBJECT, objectVersion: '', approvals, beneficiaries: [], shown };
}
