// A request's way: who → budget → permission → schema → handler → answer. Nobody without a valid
// signature reaches a schema, and a budget is charged to whoever signed. What may have happened is
// never told as a failure. One of these serves one route.

import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type Accepted,
  AccessFault,
  type Caller,
  type Identified,
} from '../../infra/access/index.ts';
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
import type { GatewayWatcher } from './events.ts';
import { type Answer, type Call, type Handler, JsonText, StreamedAnswer } from './handler.ts';
import type { Parts } from './parts.ts';
import type { Check, Checks } from './validation.ts';

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
const JSON_TYPE = 'application/json; charset=utf-8';
const NO_BODY = undefined;

/** Nothing, when it has been answered already. */
type Served = undefined | FastifyReply | Promise<FastifyReply>;

export class RouteServer {
  readonly #options: RouteServerOptions;
  readonly #checkQuery: Check;
  readonly #checkBody: Check | undefined;
  readonly #checkAnswer: Check | undefined;
  readonly #wantsCaller: boolean;

  constructor(options: RouteServerOptions) {
    this.#options = options;
    const { checkAnswers, checks, route } = options;
    this.#checkQuery = checks.input(route.query);
    this.#checkBody = route.body === undefined ? undefined : checks.input(route.body);
    this.#checkAnswer = checkAnswers ? checks.answer(route.response) : undefined;
    this.#wantsCaller = route.permission.who !== 'anyone';
  }

  // Most answers are at hand: where nothing has to be waited for, no promise is made.
  readonly serve = (request: FastifyRequest, reply: FastifyReply): Served => {
    let caller: Caller | undefined;
    // What is over the budget or not permitted uses no signature up.
    const admit = (one: Caller) => {
      caller = one;
      this.#charge(request, reply, one, this.#options.route.weight);
      this.#permit(one);
    };
    const refuse = (fault: unknown) => this.#sendFault(reply, refusalOf(fault), { fault, caller });
    try {
      const identified = this.#identify(request, admit);
      if (!(identified instanceof Promise)) return this.#answer(request, reply, identified);
      return identified.then(
        (accepted) => this.#answer(request, reply, accepted) ?? reply,
        (fault) => refuse(fault),
      );
    } catch (fault) {
      refuse(fault);
      return undefined;
    }
  };

  #answer(request: FastifyRequest, reply: FastifyReply, accepted: Accepted | undefined): Served {
    const { handler, parts, route } = this.#options;
    const caller = accepted?.caller;
    let call: Call<Route>;
    try {
      if (caller === undefined) this.#charge(request, reply, undefined, route.weight);
      call = this.#readCall(request, reply, accepted);
    } catch (fault) {
      this.#sendFault(reply, refusalOf(fault), { fault, caller });
      return undefined;
    }
    try {
      const answered = handler(call, parts);
      if (answered instanceof Promise) return this.#answerLater(reply, answered, accepted);
      this.#send(reply, answered);
    } catch (fault) {
      this.#sendFault(reply, this.#refusalOfHandler(fault), { fault, caller });
    }
    return undefined;
  }

  async #answerLater(
    reply: FastifyReply,
    answered: Promise<Answer<Route>>,
    accepted: Accepted | undefined,
  ): Promise<FastifyReply> {
    try {
      return this.#send(reply, await answered);
    } catch (fault) {
      const { caller } = accepted ?? {};
      return this.#sendFault(reply, this.#refusalOfHandler(fault), { fault, caller });
    }
  }

  #send(reply: FastifyReply, answer: Answer<Route>): FastifyReply {
    if (answer instanceof StreamedAnswer) return this.#sendStreamed(reply, answer);
    const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
    this.#verifyAnswer(text);
    return reply.code(this.#options.route.status).header('content-type', JSON_TYPE).send(text);
  }

  #identify(
    request: FastifyRequest,
    admit: (caller: Caller) => void,
  ): Accepted | undefined | Promise<Accepted> {
    const { parts, route } = this.#options;
    const { headers } = request;
    if (!this.#wantsCaller) {
      const { permission } = route;
      const mayIdentify = permission.who === 'anyone' && permission.mayIdentify === true;
      const isIdentified =
        headers['api-signature'] !== undefined || headers.authorization !== undefined;
      if (!mayIdentify || !isIdentified) return undefined;
    }
    const identified = parts.access.identify({
      method: route.method,
      target: request.raw.url ?? '',
      headers: {
        key: oneHeader(headers['api-key']),
        signature: oneHeader(headers['api-signature']),
        expires: oneHeader(headers['api-expires']),
        authorization: headers.authorization,
      },
      body: route.body === undefined ? NO_BODY : bodyText(request),
      bodyIsExpected: route.body !== undefined,
      // Cancelling twice does no harm, and must always work.
      isWrite: route.effect === 'write',
      admit,
      address: request.ip,
    });
    return identified instanceof Promise
      ? identified.then((known) => this.#accept(request, known))
      : this.#accept(request, identified);
  }

  #accept(request: FastifyRequest, identified: Identified): Accepted {
    if (!('refused' in identified)) return identified;
    const { budgets } = this.#options;
    const verdict = budgets.charge('address', budgetAddress(request.ip), FAILED_IDENTITY_WEIGHT);
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

  #charge(
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller | undefined,
    weight: number,
  ): void {
    const { budgets, route } = this.#options;
    const verdict =
      caller === undefined
        ? budgets.take('address', budgetAddress(request.ip), weight)
        : budgets.take(route.effect === 'cancel' ? 'cancel' : 'user', `${caller.user}`, weight);
    reply.header('ratelimit-limit', verdict.limit);
    reply.header('ratelimit-remaining', verdict.remaining);
    reply.header('ratelimit-reset', verdict.resetS);
    if (!verdict.isAllowed) throw tooMany(verdict);
  }

  #readCall(
    request: FastifyRequest,
    reply: FastifyReply,
    accepted: Accepted | undefined,
  ): Call<Route> {
    const { route } = this.#options;
    const raw = request.query as Record<string, string | string[]>;
    const query = coerceQuery(route.query, raw);
    if (!query.ok) throw new ApiRefusal('request_invalid', { detail: query.detail });
    this.#checkQuery(query.value);
    return {
      query: query.value as Call['query'],
      // What was signed is read, and nothing else.
      body: this.#readBody(accepted?.signedBody ?? bodyText(request)) as Call['body'],
      caller: accepted?.caller as Call['caller'],
      address: request.ip,
      signature: accepted?.signature ?? '',
      charge: (weight) => this.#charge(request, reply, accepted?.caller, weight),
    };
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

  #sendStreamed(reply: FastifyReply, { options }: StreamedAnswer): FastifyReply {
    const { chunks, fileName, status, type } = options;
    const { name, watcher } = this.#options;
    if (fileName !== undefined) {
      const plain = fileName.replaceAll(/[^\w.-]+/g, '-');
      reply.header('content-disposition', `attachment; filename="${plain}"`);
    }
    const stream = Readable.from(chunks);
    // The client is cut off, which tells him; nobody else would hear of it.
    stream.on('error', (fault) => watcher.faulted(name, reply.request.id, fault));
    return reply.code(status).header('content-type', type).send(stream);
  }

  #sendFault(
    reply: FastifyReply,
    refusal: ApiRefusal,
    { caller, fault }: { readonly fault: unknown; readonly caller?: Caller | undefined },
  ): FastifyReply {
    if (!(fault instanceof ApiRefusal)) {
      this.#options.watcher.faulted(this.#options.name, reply.request.id, fault);
    }
    if (refusal.retryAfterS !== undefined) reply.header('retry-after', refusal.retryAfterS);
    // Clients that sign match English texts; people have a language.
    const language = caller?.kind === 'session' ? caller.language : 'en';
    const { body, status } = errorAnswer(refusal.key, language, refusal.details);
    return reply.code(status).header('content-type', JSON_TYPE).send(JSON.stringify(body));
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

function bodyText(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body : '';
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
