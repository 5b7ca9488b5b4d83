// Operator actions on control mode and approval thresholds. Team mode ends 24 hours after an
// operator approved its end; until then, any administrator can cancel that.

import { compareDecimals, parseDecimal } from '../../../core/money/index.ts';
import type { Statements } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { JsonObject } from '../../audit/index.ts';
import { describeKit } from '../../listings/index.ts';
import { type ActContext, type Assessment, defineAct, type Executed } from '../act.ts';
import { tellOperators } from '../approval-mails.ts';
import {
  type ControlMode,
  chooseSolo,
  countAdministrators,
  type ExchangeControl,
  enterTeam,
  giveNoticeOfSolo,
  readControl,
  setThresholds,
} from '../control.ts';
import { changeCurrency, priceInCurrency } from '../thresholds.ts';

interface ModeChange extends JsonObject {
  readonly mode: ControlMode;
}

interface NewThresholds extends JsonObject {
  readonly oneApprovalFrom: string;
  readonly twoApprovalsFrom: string;
  /** Null keeps the current value, converted if the currency changes. */
  readonly notifyFrom: string | null;
  /** Null keeps the current value. */
  readonly currency: string | null;
}

const ADMINISTRATORS_NEEDED = 2;
const OBJECT = 'exchange';

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
    const { connection, vault } = context;
    const before = await readControl(connection);
    const step = await requireStep(context, before, mode);
    if (step instanceof Refused) return step;
    const shown = [{ label: 'Mode', value: step === 'notice' ? 'solo, in 24 hours' : mode }];
    return {
      ...assessed(step === 'notice' ? 1 : 0, shown),
      ...(step === 'notice' && { isForAll: true as const }),
      objectVersion: await versionOf(connection),
      async run(): Promise<Executed<JsonObject>> {
        const from = step === 'notice' ? await giveNoticeOfSolo(connection) : undefined;
        if (step === 'change') await enterTeam(connection);
        if (step === 'choice') await chooseSolo(connection);
        if (from !== undefined) await tellOperators(connection, vault, noticeOf(from));
        const after = from === undefined ? { mode } : { soloFrom: from.toISOString() };
        return { result: after, before: stateOf(before), after };
      },
    };
  },
});

function noticeOf(from: Date) {
  return {
    title: 'The exchange changes to solo mode',
    message: [
      `From ${from.toISOString()}, administrators can act without approvals.`,
      'Any administrator can cancel this until then: choose team mode again.',
    ].join('\n'),
  };
}

function stateOf({ mode, soloFrom }: ExchangeControl): JsonObject {
  return { mode, ...(soloFrom !== null && { soloFrom: soloFrom.toISOString() }) };
}

export const changeThresholds = defineAct({
  name: 'control.thresholds',
  votePower: 'approve.config',

  async prepare(context: ActContext, wanted: NewThresholds) {
    const { connection } = context;
    if (isMore(wanted.oneApprovalFrom, wanted.twoApprovalsFrom)) {
      return new Refused('thresholds_reversed');
    }
    const before = await readControl(connection);
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
      ...(wanted.notifyFrom === null
        ? []
        : [line('Email to administrators from', before.notifyFrom, wanted.notifyFrom)]),
      ...(isSame
        ? []
        : [{ label: 'Also changes currency of', value: 'withdrawal policy, role thresholds' }]),
    ];
    return {
      ...assessed(2, shown),
      objectVersion: await versionOf(connection),
      async run(): Promise<Executed<JsonObject>> {
        if (price !== undefined) await changeCurrency(context, { currency, price });
        const { notifyFrom, ...amounts } = wanted;
        await setThresholds(connection, { ...amounts, notifyFrom: notifyFrom ?? undefined });
        const after = thresholdsOf(await readControl(connection));
        return { result: after, before: thresholdsOf(before), after };
      },
    };
  },
});

function thresholdsOf(control: ExchangeControl): JsonObject {
  const { currency, notifyFrom, oneApprovalFrom, twoApprovalsFrom } = control;
  return { oneApprovalFrom, twoApprovalsFrom, notifyFrom, currency };
}

/**
 * `change`: team mode starts, or its notice is canceled. `notice`: it ends in 24 hours. `choice`: a
 * new exchange keeps solo mode.
 */
async function requireStep(
  { connection, operator }: ActContext,
  { chosenAt, mode, soloFrom }: ExchangeControl,
  wanted: ControlMode,
) {
  if (mode === 'solo' && wanted === 'solo' && chosenAt === null) return 'choice' as const;
  if (mode === wanted && soloFrom === null) return new Refused('control_mode_unchanged', { mode });
  if (wanted === 'solo') {
    return soloFrom === null
      ? ('notice' as const)
      : new Refused('control_mode_noticed', { from: soloFrom.toISOString() });
  }
  if (mode === 'team') {
    const power = 'approve.config';
    return operator.powers.has(power)
      ? ('change' as const)
      : new Refused('power_missing', { power });
  }
  const count = await countAdministrators(connection);
  if (count < ADMINISTRATORS_NEEDED) return new Refused('administrators_too_few', { count });
  return 'change' as const;
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
