// A request's way: who → budget → permission → schema → handler → answer. Nobody without a valid
// signature reaches a schema, and a budget is charged to whoever signed. What may have happened is
// never told as a failure. One of these serves one route.

import type { Caller } from '../../domain/credentials/index.ts';
import { type Accepted, AccessFault, type Identified } from '../../infra/access/index.ts';
import { CommitUnknown, isPassingFault } from '../../infra/postgres/index.ts';
import {
  coerceQuery,
  errorAnswer,
  misspeltKeys,
  type Route,
  readBody,
} from '../../protocol/index.ts';
import { ApiRefusal } from './api-refusal.ts';
import { type Budgets, budgetAddress, type Verdict } from './budgets.ts';
import { type Answer, type Call, type Handler, JsonText, StreamedAnswer } from './handler.ts';
import type { Parts } from './parts.ts';
import type { GatewayWatcher } from './telemetry.ts';
import type { Check, Checks } from './validation.ts';
import { parseQuery, type Visit } from './visit.ts';

export interface RouteServerOptions {
  readonly name: string;
  readonly route: Route;
  readonly handler: Handler<Route>;
  readonly parts: Parts;
  readonly budgets: Budgets;
  readonly watcher: GatewayWatcher;
  readonly checks: Checks;
  /** Answers are checked against their schema, for tests. */
  readonly checkAnswers: boolean;
}

/** What a wrong signature costs of its address's budget. */
const FAILED_IDENTITY_WEIGHT = 5;
const RETRY_AFTER_S = 1;
const NO_BODY = undefined;
/** Queries of a route that are kept as they were read, and how long one may be. */
const QUERIES_MAX = 256;
const QUERY_CHARACTERS_MAX = 128;

export class RouteServer {
  readonly #options: RouteServerOptions;
  readonly #checkQuery: Check;
  readonly #checkBody: Check | undefined;
  readonly #checkAnswer: Check | undefined;
  readonly #wantsCaller: boolean;
  /** By their text: clients ask the same again and again. */
  readonly #queries = new Map<string, Call['query']>();

  constructor(options: RouteServerOptions) {
    this.#options = options;
    const { checkAnswers, checks, route } = options;
    this.#checkQuery = checks.input(route.query);
    this.#checkBody = route.body === undefined ? undefined : checks.input(route.body);
    this.#checkAnswer = checkAnswers ? checks.answer(route.response) : undefined;
    this.#wantsCaller = route.permission.who !== 'anyone';
  }

  // Most answers are at hand: where nothing has to be waited for, no promise is made.
  serve(visit: Visit): void {
    let caller: Caller | undefined;
    // What is over the budget or not permitted uses no signature up.
    const admit = (one: Caller) => {
      caller = one;
      this.#charge(visit, one, this.#options.route.weight);
      this.#permit(one);
    };
    const refuse = (fault: unknown) => this.#sendFault(visit, refusalOf(fault), { fault, caller });
    try {
      const identified = this.#identify(visit, admit);
      if (!(identified instanceof Promise)) this.#answer(visit, identified);
      else identified.then((accepted) => this.#answer(visit, accepted), refuse);
    } catch (fault) {
      refuse(fault);
    }
  }

  #answer(visit: Visit, accepted: Accepted<Caller> | undefined): void {
    const { handler, parts, route } = this.#options;
    const caller = accepted?.caller;
    let call: Call<Route>;
    try {
      if (caller === undefined) this.#charge(visit, undefined, route.weight);
      call = this.#readCall(visit, accepted);
    } catch (fault) {
      this.#sendFault(visit, refusalOf(fault), { fault, caller });
      return;
    }
    const refuse = (fault: unknown) =>
      this.#sendFault(visit, this.#refusalOfHandler(fault), { fault, caller });
    try {
      const answered = handler(call, parts);
      if (!(answered instanceof Promise)) this.#send(visit, answered, refuse);
      else answered.then((answer) => this.#send(visit, answer, refuse)).catch(refuse);
    } catch (fault) {
      refuse(fault);
    }
  }

  #send(visit: Visit, answer: Answer<Route>, refuse: (fault: unknown) => void): void {
    if (answer instanceof StreamedAnswer) {
      const { name, watcher } = this.#options;
      visit.stream(answer.options, (fault, isSent) => {
        if (isSent) watcher.faulted(name, visit.id, fault);
        else refuse(fault);
      });
      return;
    }
    const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
    this.#verifyAnswer(text);
    visit.answer(this.#options.route.status, text);
  }

  #identify(
    visit: Visit,
    admit: (caller: Caller) => void,
  ): Accepted<Caller> | undefined | Promise<Accepted<Caller>> {
    const { parts, route } = this.#options;
    const { headers } = visit;
    if (!this.#wantsCaller) {
      const { permission } = route;
      const mayIdentify = permission.who === 'anyone' && permission.mayIdentify === true;
      const isIdentified =
        headers['api-signature'] !== undefined || headers.authorization !== undefined;
      if (!mayIdentify || !isIdentified) return undefined;
    }
    const identified = parts.access.identify({
      method: route.method,
      target: visit.target,
      headers: {
        key: oneHeader(headers['api-key']),
        signature: oneHeader(headers['api-signature']),
        expires: oneHeader(headers['api-expires']),
        authorization: headers.authorization,
      },
      body: route.body === undefined ? NO_BODY : visit.body,
      bodyIsExpected: route.body !== undefined,
      // Cancelling twice does no harm, and must always work.
      isWrite: route.effect === 'write',
      admit,
      address: visit.address,
    });
    return identified instanceof Promise
      ? identified.then((known) => this.#accept(visit, known))
      : this.#accept(visit, identified);
  }

  #accept(visit: Visit, identified: Identified<Caller>): Accepted<Caller> {
    if (!('refused' in identified)) return identified;
    const { budgets } = this.#options;
    const verdict = budgets.charge('address', budgetAddress(visit.address), FAILED_IDENTITY_WEIGHT);
    if (!verdict.isAllowed) throw tooMany(verdict);
    throw new ApiRefusal(identified.refused);
  }

  #permit(caller: Caller): void {
    const { route } = this.#options;
    const { permission } = route;
    if (permission.who === 'anyone') return;
    if (caller.kind === 'session' && !permission.sessions) {
      throw new ApiRefusal('token_type_not_allowed');
    }
    const { scope } = permission;
    const isInScope =
      caller.kind === 'session' ||
      scope === 'any' ||
      (scope === 'can_read' && caller.canRead) ||
      (scope === 'can_trade' && caller.canTrade) ||
      (scope === 'can_withdraw' && caller.canWithdraw);
    if (!isInScope) throw new ApiRefusal('scope_missing');
    const path = route.path.slice('/v2'.length);
    if (permission.who === 'operator' && !caller.mayOperate(path, route.method)) {
      throw new ApiRefusal('role_missing');
    }
  }

  #charge(visit: Visit, caller: Caller | undefined, weight: number): void {
    const { budgets, route } = this.#options;
    const verdict =
      caller === undefined
        ? budgets.take('address', budgetAddress(visit.address), weight)
        : budgets.take(route.effect === 'cancel' ? 'cancel' : 'user', `${caller.user}`, weight);
    visit.verdict = verdict;
    if (!verdict.isAllowed) throw tooMany(verdict);
  }

  #readCall(visit: Visit, accepted: Accepted<Caller> | undefined): Call<Route> {
    return {
      query: this.#readQuery(visit.queryText),
      // What was signed is read, and nothing else.
      body: this.#readBody(accepted?.signedBody ?? visit.body) as Call['body'],
      caller: accepted?.caller as Call['caller'],
      address: visit.address,
      signature: accepted?.signature ?? '',
      charge: (weight) => this.#charge(visit, accepted?.caller, weight),
    };
  }

  #readQuery(text: string): Call['query'] {
    const known = this.#queries.get(text);
    if (known !== undefined) return known;
    const query = coerceQuery(this.#options.route.query, parseQuery(text));
    if (!query.ok) throw new ApiRefusal('request_invalid', { detail: query.detail });
    this.#checkQuery(query.value);
    const value = Object.freeze(query.value) as Call['query'];
    if (text.length <= QUERY_CHARACTERS_MAX) {
      if (this.#queries.size >= QUERIES_MAX) this.#queries.clear();
      this.#queries.set(text, value);
    }
    return value;
  }

  #readBody(text: string): unknown {
    const { route } = this.#options;
    if (route.body === undefined) return undefined;
    const body = readBody(text === '' ? '{}' : text);
    if (!body.ok) throw new ApiRefusal('body_malformed', { detail: body.detail });
    this.#checkBody?.(body.value);
    const [misspelt] = misspeltKeys(route.body, body.value);
    if (misspelt !== undefined) throw new ApiRefusal('body_key_misspelt', { ...misspelt });
    return body.value;
  }

  #verifyAnswer(text: string): void {
    if (this.#checkAnswer === undefined) return;
    this.#checkAnswer(JSON.parse(text));
  }

  /** What a handler for writes did before its fault is not known: it is never told as a failure. */
  #refusalOfHandler(fault: unknown): ApiRefusal {
    const refusal = refusalOf(fault);
    const isBug = refusal !== fault && refusal.key === 'internal_fault';
    const mayHaveHappened = isBug && this.#options.route.effect !== 'read';
    return mayHaveHappened ? new ApiRefusal('outcome_unknown') : refusal;
  }

  #sendFault(
    visit: Visit,
    refusal: ApiRefusal,
    { caller, fault }: { readonly fault: unknown; readonly caller?: Caller | undefined },
  ): void {
    if (!(fault instanceof ApiRefusal)) {
      this.#options.watcher.faulted(this.#options.name, visit.id, fault);
    }
    visit.retryAfterS = refusal.retryAfterS;
    // Clients that sign match English texts; people have a language.
    const language = caller?.kind === 'session' ? caller.language : 'en';
    const { body, status } = errorAnswer(refusal.key, language, refusal.details);
    visit.answer(status, JSON.stringify(body));
  }
}

/** What the world did to us may pass; what else there is, is our own fault. */
function refusalOf(fault: unknown): ApiRefusal {
  if (fault instanceof ApiRefusal) return fault;
  if (fault instanceof CommitUnknown) return new ApiRefusal('outcome_unknown');
  const isAway = fault instanceof AccessFault || isPassingFault(fault);
  return isAway
    ? new ApiRefusal('data_unavailable', {}, RETRY_AFTER_S)
    : new ApiRefusal('internal_fault');
}

function tooMany(verdict: Verdict): ApiRefusal {
  return new ApiRefusal('rate_limit_exceeded', {}, Math.max(1, verdict.retryAfterS));
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
