// An act: something that an operator does to the exchange or to a user. It runs in one transaction
// with its audit entry. Acts of weight wait for the votes of other people first.

import type { UserId } from '../../core/money/index.ts';
import type { Connection } from '../../infra/postgres/index.ts';
import type { Vault } from '../../platform/vault/index.ts';
import type { Refused } from '../../protocol/wire/index.ts';
import type { JsonObject, JsonValue } from '../audit/index.ts';
import type { ApprovalPower, Power } from './powers.ts';

/** The requester of an act: the user, the credential, and the permissions of the role. */
export interface Operator {
  readonly user: UserId;
  readonly role: string;
  readonly powers: ReadonlySet<Power>;
  /** Of path and method; `*` is everything. */
  readonly permissions: ReadonlySet<string>;
  /** The permission by which the operator acts. */
  readonly call: string;
  /** `key 12` or `session 34`. */
  readonly credential: string;
  /** 0 for a key. */
  readonly session: number;
  readonly address: string;
}

export interface ActContext {
  /** Inside the transaction of the act. */
  readonly connection: Connection;
  /** The requester, also if the last voter causes the execution. */
  readonly operator: Operator;
  /** The operator is a person who proved a second factor for this act alone. */
  readonly isProven?: boolean;
  readonly vault: Vault;
  readonly nowMs: number;
  readonly exchange: ActExchange;
}

/** The exchange in which acts happen. */
export interface ActExchange {
  readonly name: string;
  /** The schema of the projected tables, in the same database. */
  readonly projectionSchema: string;
}

/** A line that voters see. */
export interface ShownLine {
  readonly label: string;
  readonly value: string;
  /** A personal value: sealed in requests, absent from mails; voters read it. */
  readonly isPersonal?: true;
}

/** An act before it is done. */
export interface Assessment {
  /** `user 17`, `market btc-usdt`. */
  readonly object: string;
  /** Changes whenever the object changes in a way that voters must know; '' if it cannot. */
  readonly objectVersion: string;
  /** Approvals that are needed whatever it is worth. */
  readonly approvals: 0 | 1 | 2;
  /** Another power than the act's own for the votes on it. */
  readonly votePower?: ApprovalPower;
  /** All operators get an email about the request, not only those who vote on it. */
  readonly isForAll?: true;
  /** For acts that move money: their sums within 24 hours may need more approvals. */
  readonly money?: MovedMoney;
  /** Users who gain. Neither they nor their families vote. */
  readonly beneficiaries: readonly UserId[];
  /** Whom its personal values concern; those who gain, unless given. */
  readonly subjects?: readonly UserId[];
  /** For voters: person, amount with unit, value, balances before and after. */
  readonly shown: readonly ShownLine[];
}

export interface MovedMoney {
  readonly currency: string;
  /** A decimal. */
  readonly amount: string;
}

/** The outcome of an act, and its audit entry. */
export interface Executed<Result extends JsonValue> {
  readonly result: Result;
  /** The user whom it concerns, if any: `personal` is sealed under that user's key. */
  readonly subject?: UserId;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  /** Personal values before and after; never in clear in the audit. */
  readonly personal?: JsonObject;
  readonly effects?: ActEffects;
}

/** Follows after the commit. */
export interface ActEffects {
  /** Users whose keys and sessions were changed or ended. */
  readonly accessOf?: readonly UserId[];
  /** Roles were changed: all access is read again. */
  readonly roles?: true;
  /** Commands for the engine were appended. */
  readonly dispatcher?: true;
  /** Switches were changed: every process reads them at once. */
  readonly switches?: true;
  /** Coins, pairs, tiers or the kit were changed. */
  readonly catalogue?: true;
}

/** An act that has been read and checked, and not yet done. */
export interface Prepared<Result extends JsonValue = JsonValue, Key extends string = string>
  extends Assessment {
  /** Changes the tables. A refusal undoes the transaction. */
  run(): Promise<Executed<Result> | Refused<Key>>;
}

export interface Act<
  Payload extends JsonObject = JsonObject,
  Result extends JsonValue = JsonValue,
  Key extends string = never,
> {
  /** Unique for ever: `user.freeze`. */
  readonly name: string;
  /** The power that a vote on it needs. */
  readonly votePower: ApprovalPower;
  /** Fields of the payload with personal values or free text: sealed in requests. */
  readonly personal?: readonly (keyof Payload & string)[];
  /**
   * Reads, locks and checks; changes nothing. Runs once for a request and, if it needed approval,
   * again in the transaction that executes it.
   */
  prepare(context: ActContext, payload: Payload): Promise<Prepared<Result, Key> | Refused<Key>>;
}

/** Keeps the types of payload, result and refusals. */
export function defineAct<
  Payload extends JsonObject,
  Result extends JsonValue,
  Key extends string = never,
>(act: Act<Payload, Result, Key>): Act<Payload, Result, Key> {
  return act;
}
