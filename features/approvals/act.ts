// An action of an operator on the exchange or on a user. Runs in one transaction with its audit
// entry. Significant actions first need votes from other operators.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { Refused } from '../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../audit/index.ts';
import type { ApprovalPower, Power } from './powers.ts';

/** Requester of an action: the user, the credential, and the role's permissions. */
export interface Operator {
  readonly user: UserId;
  readonly role: string;
  readonly powers: ReadonlySet<Power>;
  /** Path and method; `*` is everything. */
  readonly permissions: ReadonlySet<string>;
  /** Permission by which the operator acts. */
  readonly call: string;
  /** For example `key 12` or `session 34`. */
  readonly credential: string;
  /** 0 for a key. */
  readonly session: number;
  readonly address: string;
}

export interface ActContext {
  /** In the action's transaction. */
  readonly connection: Connection;
  /** The requester, even if the last voter causes the execution. */
  readonly operator: Operator;
  /** The operator proved a second factor for this action only. */
  readonly isProven?: boolean;
  readonly vault: Vault;
  readonly nowMs: number;
  readonly exchange: ActExchange;
}

/** The exchange in which actions happen. */
export interface ActExchange {
  readonly name: string;
  /** Schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

/** A line shown to voters. */
export interface ShownLine {
  readonly label: string;
  readonly value: string;
  /** A personal value: sealed in requests, absent from emails, visible to voters. */
  readonly isPersonal?: true;
}

/** An action before it is done. */
export interface Assessment {
  /** For example `user 17` or `market btc-usdt`. */
  readonly object: string;
  /** Changes whenever the object changes in a way that voters must see; '' if it cannot. */
  readonly objectVersion: string;
  /** Approvals needed regardless of the value. */
  readonly approvals: 0 | 1 | 2;
  /** Permission for votes on it, if it differs from the action's own. */
  readonly votePower?: ApprovalPower;
  /** Notifies all operators by email, not only the voters. */
  readonly isForAll?: true;
  /** For actions that move money: 24-hour totals can require more approvals. */
  readonly money?: MovedMoney;
  /** Users who gain. Neither they nor their families can vote. */
  readonly beneficiaries: readonly UserId[];
  /** Users whose personal values it contains; defaults to the beneficiaries. */
  readonly subjects?: readonly UserId[];
  /** For voters: user, amount with unit, value, balances before and after. */
  readonly shown: readonly ShownLine[];
}

export interface MovedMoney {
  readonly currency: string;
  /** A decimal. */
  readonly amount: string;
}

/** Outcome of an action, and its audit entry. */
export interface Executed<Result extends JsonValue> {
  readonly result: Result;
  /** Affected user, if any; `personal` is sealed under that user's key. */
  readonly subject?: UserId;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** Personal values before and after; never unencrypted in the audit log. */
  readonly personal?: JsonObject;
  readonly effects?: ActEffects;
}

/** Effects after the commit. */
export interface ActEffects {
  /** Users whose keys and sessions were changed or ended. */
  readonly accessOf?: readonly UserId[];
  /** Roles were changed, so all access is read again. */
  readonly roles?: true;
  /** Commands for the engine were appended. */
  readonly dispatcher?: true;
  /** Switches were changed, so every process reads them immediately. */
  readonly switches?: true;
  /** Coins, pairs, tiers or the kit were changed. */
  readonly catalogue?: true;
}

/** An action that was read and checked, but not done yet. */
export interface Prepared<Result extends JsonValue = JsonValue, Key extends string = string>
  extends Assessment {
  /** Changes the tables. A rejection rolls back the transaction. */
  run(): Promise<Executed<Result> | Refused<Key>>;
}

export interface Act<
  Payload extends JsonObject = JsonObject,
  Result extends JsonValue = JsonValue,
  Key extends string = never,
> {
  /** Permanently unique, for example `user.freeze`. */
  readonly name: string;
  /** Permission needed to vote on it. */
  readonly votePower: ApprovalPower;
  /** Payload fields with personal values or free text: sealed in requests. */
  readonly personal?: readonly (keyof Payload & string)[];
  /**
   * Reads, locks and checks; changes nothing. Runs once for a request and, if it needed approval,
   * again in the transaction that executes it.
   */
  prepare(context: ActContext, payload: Payload): Promise<Prepared<Result, Key> | Refused<Key>>;
}

/** Preserves the types of payload, result and rejections. */
export function defineAct<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string = never,
>(act: Act<Payload, Result, Key>): Act<Payload, Result, Key> {
  return act;
}
