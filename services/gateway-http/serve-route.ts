// Serves one route: switches → budget of failures → credentials, before the body is read; then
// identify → rate limit → permission → schema → handler → answer. No request without a valid
// signature reaches a schema, and the rate limit is charged to the signer. A write that may have
// been applied is never reported as failed.

import { parse } from 'node:querystring';
import { type Caller, HashQueueFull } from '../../features/auth/index.ts';
import type { guardRead } from '../../features/pii-access/http/index.ts';
import {
  type Accepted,
  AccessFault,
  type AccessRefusal,
  type BrowserApp,
  type BrowserCookies,
  type CredentialRequest,
  type Identified,
  type SessionCookie,
  type SetCookie,
} from '../../infra/access/index.ts';
import { CommitUnknown, isPassingFault } from '../../infra/postgres/index.ts';
import {
  type Answer,
  ApiRefusal,
  type Call,
  ClientOfRequest,
  type Dependencies,
  endSessionCookie,
  type Handler,
  JsonAnswer,
  JsonText,
  StreamedAnswer,
} from '../../platform/http/index.ts';
import {
  coerceQuery,
  errorAnswer,
  PendingApproval,
  type Route,
  readBody,
  refusedKeys,
} from '../../protocol/index.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts';
import { appsOfRoute } from './served-routes.ts';
import type { GatewayWatcher } from './telemetry.ts';
import type { Check, Checks } from './validation.ts';

export interface RouteServerOptions {
  readonly name: string;
  readonly route: Route;
  readonly handler: Handler<Route>;
  readonly dependencies: Dependencies;
  readonly rateLimiter: RateLimiter;
  readonly watcher: Pick<GatewayWatcher, 'faulted'>;
  readonly checks: Checks;
  readonly cookies: BrowserCookies;
  /** Runs the handler; counts and records the reads of operators before that. */
  readonly guard: typeof guardRead;
  /** Answers are checked against their schema, for tests. */
  readonly checkAnswers: boolean;
}

const FAILURE_WEIGHT = 1;
const RETRY_AFTER_S = 1;
/** People resume what people stopped. */
const STOPPED_RETRY_AFTER_S = 10;
const WAITING_STATUS = 202;
const TOO_MANY_REQUESTS = 429;
/** For blocks whose end the client is not to know exactly: a blocked second factor. */
const BLOCKED_RETRY_AFTER_S = 300;
const NO_BODY = undefined;
/** Parsed queries that are cached, and the longest query that is cached. */
const QUERIES_MAX = 256;
const QUERY_CHARACTERS_MAX = 128;

export class RouteServer {
  readonly #options: RouteServerOptions;
  readonly #checkQuery: Check;
  readonly #checkBody: Check | undefined;
  readonly #checkParams: Check | undefined;
  readonly #checkAnswer: Check | undefined;
  readonly #checkWaiting: Check | undefined;
  readonly #wantsCaller: boolean;
  /** Their session cookies are accepted. */
  readonly #apps: readonly BrowserApp[];
  /** As permissions name it. The permission of a list is also that of its file. */
  readonly #operatorPath: string;
  /** Parsed queries by their text: clients repeat the same query. */
  readonly #queries = new Map<string, Call['query']>();

  constructor(options: RouteServerOptions) {
    this.#options = options;
    const { checkAnswers, checks, route } = options;
    this.#checkQuery = checks.input(route.query);
    this.#checkBody = route.body === undefined ? undefined : checks.input(route.body);
    this.#checkParams = route.params === undefined ? undefined : checks.input(route.params);
    this.#checkAnswer = checkAnswers ? checks.answer(route.response) : undefined;
    this.#checkWaiting = checkAnswers ? checks.answer(PendingApproval) : undefined;
    this.#wantsCaller = route.permission.who !== 'anyone';
    this.#apps = appsOfRoute(route);
    const end = route.isFile === true ? -'/csv'.length : undefined;
    this.#operatorPath = route.path.slice('/v2'.length, end);
  }

  /**
   * Before the body is read: answers a request that needs no body to be refused, and calls
   * `proceed` for any other. `serve` follows.
   */
  admit(exchange: HttpExchange, proceed: () => void): void {
    const refuse = (fault: unknown) => this.#sendFault(exchange, refusalOf(fault), { fault });
    const settle = (refusal: AccessRefusal | undefined) => {
      if (refusal === undefined) proceed();
      else refuse(this.#failureOf(exchange, refusal));
    };
    try {
      this.#obeyIntake();
      exchange.isAdmitted = true;
      if (!this.#isIdentified(exchange)) {
        this.#obeyReadOnly();
        this.#charge(exchange, undefined, this.#options.route.weight);
        settle(undefined);
        return;
      }
      this.#obeyFailureBudget(exchange);
      const { address } = exchange;
      const headers = this.#credentialsOf(exchange);
      const checked = this.#options.dependencies.access.precheck({ headers, address });
      if (!(checked instanceof Promise)) settle(checked);
      else checked.then(settle, refuse);
    } catch (fault) {
      refuse(fault);
    }
  }

  // Most answers are ready at once; then no promise is created.
  serve(exchange: HttpExchange): void {
    let caller: Caller | undefined;
    // A request over its limit or without permission does not consume its signature.
    const admit = (one: Caller) => {
      caller = one;
      this.#obeyReadOnly();
      this.#charge(exchange, one, this.#options.route.weight);
      this.#permit(one, exchange.address);
    };
    const refuse = (fault: unknown) =>
      this.#sendFault(exchange, refusalOf(fault), { fault, caller });
    try {
      if (!exchange.isAdmitted) this.#obeyIntake();
      const identified = this.#identify(exchange, admit);
      if (!(identified instanceof Promise)) this.#answer(exchange, identified);
      else identified.then((accepted) => this.#answer(exchange, accepted), refuse);
    } catch (fault) {
      refuse(fault);
    }
  }

  /** Routes of operators pass every switch: the way back must stay open. */
  #obeyIntake(): void {
    const { dependencies, route } = this.#options;
    const isOpen = route.permission.who === 'operator' || route.worksStopped === true;
    if (!isOpen && dependencies.switches.isIntakeStopped('gateway-http')) {
      throw new ApiRefusal('intake_stopped', {}, STOPPED_RETRY_AFTER_S);
    }
  }

  #obeyReadOnly(): void {
    const { dependencies, route } = this.#options;
    const isFree = route.permission.who === 'operator' || route.worksReadOnly === true;
    if (!isFree && route.effect === 'write' && dependencies.switches.isReadOnly) {
      throw new ApiRefusal('exchange_read_only');
    }
  }

  #answer(exchange: HttpExchange, accepted: Accepted<Caller> | undefined): void {
    const { route } = this.#options;
    const caller = accepted?.caller;
    let call: Call<Route>;
    try {
      if (caller === undefined && !exchange.isAdmitted) {
        this.#obeyReadOnly();
        this.#charge(exchange, undefined, route.weight);
      }
      call = this.#readCall(exchange, accepted);
      this.#permitFormat(call);
    } catch (fault) {
      this.#sendFault(exchange, refusalOf(fault), { fault, caller });
      return;
    }
    const refuse = (fault: unknown) =>
      this.#sendFault(exchange, this.#refusalOfHandler(fault), { fault, caller });
    try {
      const answered = this.#handle(call);
      if (!(answered instanceof Promise)) this.#send(exchange, answered, refuse);
      else answered.then((answer) => this.#send(exchange, answer, refuse)).catch(refuse);
    } catch (fault) {
      refuse(fault);
    }
  }

  #handle(call: Call<Route>): ReturnType<Handler<Route>> {
    const { dependencies, guard, handler, route } = this.#options;
    return guard(route, call, dependencies, handler);
  }

  #send(exchange: HttpExchange, answer: Answer<Route>, refuse: (fault: unknown) => void): void {
    if (answer instanceof StreamedAnswer) {
      const { name, watcher } = this.#options;
      exchange.stream(answer.options, (fault, isSent) => {
        if (isSent) watcher.faulted(name, exchange.id, fault);
        else refuse(fault);
      });
      return;
    }
    if (answer instanceof JsonAnswer) {
      const text = JSON.stringify(answer.body);
      const { mayWait } = this.#options.route;
      const isWaiting = mayWait === true && answer.status === WAITING_STATUS;
      this.#verifyAnswer(text, isWaiting ? this.#checkWaiting : this.#checkAnswer);
      exchange.ownHeaders = this.#headersOf(answer);
      exchange.answer(answer.status ?? this.#options.route.status, text);
      return;
    }
    const text = answer instanceof JsonText ? answer.text : JSON.stringify(answer);
    this.#verifyAnswer(text);
    exchange.answer(this.#options.route.status, text);
  }

  #headersOf({ cookies, location }: Pick<JsonAnswer<unknown>, 'cookies' | 'location'>): string[] {
    const all = this.#cookieHeaders(cookies);
    return location === undefined ? all : [...all, 'location', location];
  }

  #cookieHeaders(cookies: readonly SetCookie[]): string[] {
    return cookies.flatMap((cookie) => ['set-cookie', this.#options.cookies.write(cookie)]);
  }

  /** Whether the request must be identified, or asks for it where it may. */
  #isIdentified({ headers }: HttpExchange): boolean {
    if (this.#wantsCaller) return true;
    const { permission } = this.#options.route;
    if (permission.who !== 'anyone' || permission.mayIdentify !== true) return false;
    return (
      headers['api-signature'] !== undefined ||
      headers.authorization !== undefined ||
      this.#options.cookies.sessionOf(headers) !== undefined
    );
  }

  #credentialsOf({ headers }: HttpExchange): CredentialRequest['headers'] {
    return {
      key: oneHeader(headers['api-key']),
      signature: oneHeader(headers['api-signature']),
      expires: oneHeader(headers['api-expires']),
      authorization: headers.authorization,
      sessionCookie: this.#sessionCookieOf(headers),
    };
  }

  /** The cookie of the wrong app counts as one of another page. */
  #sessionCookieOf(headers: HttpExchange['headers']): SessionCookie | undefined {
    const found = this.#options.cookies.sessionOf(headers);
    if (found === undefined || this.#apps.includes(found.app)) return found;
    return { ...found, isFromOwnPage: false };
  }

  #identify(
    exchange: HttpExchange,
    admit: (caller: Caller) => void,
  ): Accepted<Caller> | undefined | Promise<Accepted<Caller>> {
    const { dependencies, route } = this.#options;
    if (!this.#isIdentified(exchange)) return undefined;
    if (!exchange.isAdmitted) this.#obeyFailureBudget(exchange);
    const identified = dependencies.access.identify({
      method: exchange.method,
      target: exchange.target,
      headers: this.#credentialsOf(exchange),
      body: route.body === undefined ? NO_BODY : exchange.body,
      bodyIsExpected: route.body !== undefined,
      // Cancelling twice does no harm, and must always work. A recorded write counts once in the
      // database: if a gateway died with it, another one must still be able to execute it.
      isWrite: route.effect === 'write' && route.isRecorded !== true,
      mayRepeat: route.mayRepeat,
      admit,
      address: exchange.address,
    });
    return identified instanceof Promise
      ? identified.then((known) => this.#accept(exchange, known))
      : this.#accept(exchange, identified);
  }

  #accept(exchange: HttpExchange, identified: Identified<Caller>): Accepted<Caller> {
    if (!('refused' in identified)) return identified;
    throw this.#failureOf(exchange, identified.refused);
  }

  /**
   * An address with too many failures is refused before its next credentials are looked at. A key
   * that exists has its own count at this address, and a token of ours is let through: nobody is
   * locked out by a neighbour behind the same address.
   */
  #obeyFailureBudget(exchange: HttpExchange): void {
    const { dependencies, rateLimiter } = this.#options;
    const who = this.#failureBucket(exchange);
    const limited = rateLimiter.refusalOf('failure', who, FAILURE_WEIGHT);
    if (limited === undefined) return;
    if (dependencies.access.hasOwnToken(this.#credentialsOf(exchange))) return;
    throw tooMany(limited);
  }

  #failureBucket({ addressGroup: group, headers }: HttpExchange): string {
    const key = oneHeader(headers['api-key']);
    const isKnown = key !== undefined && this.#options.dependencies.access.knowsKey(key);
    return isKnown ? `${group} ${key}` : group;
  }

  /** Counts the failure; the refusal says so once there are too many. */
  #failureOf(exchange: HttpExchange, refused: AccessRefusal): ApiRefusal {
    const { rateLimiter } = this.#options;
    const who = this.#failureBucket(exchange);
    const limited = rateLimiter.charge('failure', who, FAILURE_WEIGHT);
    if (!limited.isAllowed) return tooMany(limited);
    // Pages cannot delete this cookie, and it would be refused permanently.
    const isDead = refused.startsWith('session_');
    const app = isDead ? this.#options.cookies.sessionOf(exchange.headers)?.app : undefined;
    return new ApiRefusal(refused, {}, undefined, app === undefined ? [] : [endSessionCookie(app)]);
  }

  #permit(caller: Caller, address: string): void {
    const { dependencies, route } = this.#options;
    const { permission } = route;
    if (permission.who === 'anyone') return;
    if (permission.who === 'person') {
      if (caller.kind !== 'session') throw new ApiRefusal('token_type_not_allowed');
      if (permission.anySession !== true && caller.sessionKind !== 'login') {
        throw new ApiRefusal('session_of_person_needed');
      }
      return;
    }
    if (caller.kind === 'session' && !permission.sessions) {
      throw new ApiRefusal('token_type_not_allowed');
    }
    const { scope } = permission;
    const isInScope =
      scope === 'any' ||
      (scope === 'can_read' && caller.canRead) ||
      (scope === 'can_trade' && caller.canTrade) ||
      (scope === 'can_withdraw' && caller.canWithdraw);
    if (!isInScope) throw new ApiRefusal('scope_missing');
    const isClosedToGuests = permission.who === 'user' && permission.noGuests === true;
    if (isClosedToGuests && caller.sessionKind === 'shared') {
      throw new ApiRefusal('sub_account_not_allowed');
    }
    if (permission.who !== 'operator') return;
    if (permission.personOnly === true && caller.sessionKind !== 'login') {
      throw new ApiRefusal('token_type_not_allowed');
    }
    if (!caller.mayOperate(this.#operatorPath, route.method)) throw new ApiRefusal('role_missing');
    if (route.isFile === true) requireExport(caller);
    // A session may have moved since its login; a key has its own list of addresses.
    const isElsewhere =
      caller.kind === 'session' && !dependencies.identity.login.isOperatorAddress(address);
    if (isElsewhere) throw new ApiRefusal('role_missing');
  }

  /** Whole lists of operators, as files or as JSON, need a power. */
  #permitFormat({ caller, query }: Call<Route>): void {
    if (this.#options.route.permission.who !== 'operator') return;
    const { format } = query as { readonly format?: unknown };
    if (format !== undefined) requireExport(caller);
  }

  #charge(exchange: HttpExchange, caller: Caller | undefined, weight: number): void {
    const { rateLimiter, route } = this.#options;
    const limited =
      caller === undefined
        ? rateLimiter.take('address', exchange.addressGroup, weight)
        : rateLimiter.take(route.effect === 'cancel' ? 'cancel' : 'user', `${caller.user}`, weight);
    exchange.rateLimit = limited;
    if (!limited.isAllowed) throw tooMany(limited);
  }

  #readCall(exchange: HttpExchange, accepted: Accepted<Caller> | undefined): Call<Route> {
    return {
      params: this.#readParams(exchange) as Call['params'],
      query: this.#readQuery(exchange.queryText),
      // Only the signed body is read.
      body: this.#readBody(exchange, accepted?.signedBody ?? exchange.body) as Call['body'],
      caller: accepted?.caller as Call['caller'],
      client: new ClientOfRequest(exchange, this.#options.cookies),
      permission: `${this.#operatorPath}:${this.#options.route.method.toLowerCase()}`,
      address: exchange.address,
      signature: accepted?.signature ?? '',
      charge: (weight) => this.#charge(exchange, accepted?.caller, weight),
    };
  }

  #readParams(exchange: HttpExchange): unknown {
    const { params } = this.#options.route;
    if (params === undefined) return undefined;
    const read = coerceQuery(params, exchange.params);
    if (!read.ok) throw new ApiRefusal('request_invalid', { detail: read.detail });
    this.#checkParams?.(read.value);
    return read.value;
  }

  #readQuery(text: string): Call['query'] {
    const known = this.#queries.get(text);
    if (known !== undefined) return known;
    const query = coerceQuery(this.#options.route.query, parse(text));
    if (!query.ok) throw new ApiRefusal('request_invalid', { detail: query.detail });
    this.#checkQuery(query.value);
    const value = Object.freeze(query.value) as Call['query'];
    if (text.length <= QUERY_CHARACTERS_MAX) {
      if (this.#queries.size >= QUERIES_MAX) this.#queries.clear();
      this.#queries.set(text, value);
    }
    return value;
  }

  #readBody({ headers }: HttpExchange, text: string): unknown {
    const { route } = this.#options;
    if (route.body === undefined) return undefined;
    const isForm = route.isForm === true && isFormType(headers['content-type']);
    const body = isForm
      ? coerceQuery(route.body, parse(text))
      : readBody(text === '' ? '{}' : text);
    if (!body.ok) throw new ApiRefusal('body_malformed', { detail: body.detail });
    this.#checkBody?.(body.value);
    const [refused] = refusedKeys(route.body, body.value, route);
    if (refused === undefined) return body.value;
    const { known, name } = refused;
    if (known === undefined) throw new ApiRefusal('body_key_not_supported', { name });
    throw new ApiRefusal('body_key_misspelt', { name, known });
  }

  #verifyAnswer(text: string, check = this.#checkAnswer): void {
    check?.(JSON.parse(text));
  }

  /** A write that failed unexpectedly may have been applied: its outcome is unknown. */
  #refusalOfHandler(fault: unknown): ApiRefusal {
    const refusal = refusalOf(fault);
    const isBug = refusal !== fault && refusal.key === 'internal_fault';
    const mayHaveHappened = isBug && this.#options.route.effect !== 'read';
    return mayHaveHappened ? new ApiRefusal('outcome_unknown') : refusal;
  }

  #sendFault(
    exchange: HttpExchange,
    refusal: ApiRefusal,
    { caller, fault }: { readonly fault: unknown; readonly caller?: Caller | undefined },
  ): void {
    if (!(fault instanceof ApiRefusal)) {
      this.#options.watcher.faulted(this.#options.name, exchange.id, fault);
    }
    exchange.ownHeaders = this.#cookieHeaders(refusal.cookies);
    // Clients that sign match English texts; people with a session have a language.
    const language = caller?.kind === 'session' ? caller.language : 'en';
    const { body, status } = errorAnswer(refusal.key, language, refusal.details);
    exchange.retryAfterS =
      refusal.retryAfterS ?? (status === TOO_MANY_REQUESTS ? BLOCKED_RETRY_AFTER_S : undefined);
    exchange.answer(status, JSON.stringify(body));
  }
}

/** Faults of the environment may pass; any other fault is a bug. */
function requireExport(caller: Caller | undefined): void {
  if (caller?.powers.has('export') === true) return;
  throw new ApiRefusal('power_missing', { power: 'export' });
}

function refusalOf(fault: unknown): ApiRefusal {
  if (fault instanceof ApiRefusal) return fault;
  if (fault instanceof HashQueueFull) {
    return new ApiRefusal('login_queue_full', {}, fault.retryAfterS);
  }
  if (fault instanceof CommitUnknown) return new ApiRefusal('outcome_unknown');
  const isAway = fault instanceof AccessFault || isPassingFault(fault);
  return isAway
    ? new ApiRefusal('data_unavailable', {}, RETRY_AFTER_S)
    : new ApiRefusal('internal_fault');
}

function tooMany(limited: RateLimitResult): ApiRefusal {
  return new ApiRefusal('rate_limit_exceeded', {}, Math.max(1, limited.retryAfterS));
}

function isFormType(type = ''): boolean {
  return /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(type.trim());
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
