// Checks a version's fee: within the policy, raised enough to replace the version before, and
// within the fees of a day. Pure.

import type { NetworkPayments } from '../../infra/custody-file/index.ts';
import type { EvmFee } from '../../infra/signer-link/index.ts';
import { refuseUnless } from './refusal.ts';
import { DAY_MS, feeUnitsOf, type SignerState, type SlotState } from './signer-state.ts';

/** Every transfer needs at least this much gas. */
const GAS_MIN = 21_000;
/** More than a transfer of any listed token needs. */
const GAS_MAX = 1_000_000;
/** Nodes accept a replacement if both fields rise by 10%. */
const RAISE_PERCENT = 110n;
/** Keeps every answer within the message limit. 100 raises are a factor of 13,000. */
const VERSIONS_MAX = 100;

export interface FeeFacts {
  readonly state: SignerState;
  readonly nowMs: number;
  readonly network: string;
  readonly payments: NetworkPayments;
  /** Undefined for the first version of a new payment. */
  readonly spent: SlotState | undefined;
}

/** Throws a Refusal. */
export function checkFee(fee: EvmFee, { network, nowMs, payments, spent, state }: FeeFacts): void {
  const [max, tip] = [BigInt(fee.maxFeePerGas), BigInt(fee.maxPriorityFeePerGas)];
  const isWithin =
    fee.gas >= GAS_MIN &&
    fee.gas <= GAS_MAX &&
    max > 0n &&
    max <= payments.maxFeePerGas &&
    tip <= max &&
    (spent?.versions.length ?? 0) < VERSIONS_MAX;
  refuseUnless(isWithin, 'fee_must_be_within_policy', `${max} per gas`);
  const last = spent?.versions.at(-1)?.fee;
  if (last !== undefined) {
    const isRaised =
      max * 100n >= BigInt(last.maxFeePerGas) * RAISE_PERCENT &&
      tip * 100n >= BigInt(last.maxPriorityFeePerGas) * RAISE_PERCENT;
    refuseUnless(isRaised, 'fee_must_be_raised', `${max} per gas after ${last.maxFeePerGas}`);
  }
  const already = spent?.feeUnits ?? 0n;
  const units = feeUnitsOf(fee);
  const more = units > already ? units - already : 0n;
  const since = Math.max(nowMs, state.timeMs) - DAY_MS;
  const ofDay = state.feesSince(network, since) + more;
  refuseUnless(ofDay <= payments.feesOfDayUnits, 'fees_of_day_must_be_within_policy', `${ofDay}`);
}
