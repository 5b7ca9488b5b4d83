// Serves one route: switches → failure budget → credentials, before the body is read; then identify
// → rate limit → permission → schema → handler → response. A request without a valid signature must
// never reach a schema, and the rate limit is charged to the signer. A write that might have been
// applied is never reported as failed.

import { parse } from 'node:querystring';
import { type Caller, HashQueueFull } from '../../features/auth/index.ts';
import {
  type Accepted,
  AccessFault,
  type AccessRefusal,
  type BrowserApp,
  type BrowserCookies,
  type CredentialRequest,
  type Identified,
  type PrecheckedCredentials,
  type SessionCookie,
  type SetCookie,
} from '../../infra/access/index.ts';
import { CommitUnknown, isPassingFault } from '../../infra/postgres/index.ts';
import {
  type Answer,
  type Call,
  type Dependencies,
  endSessionCookie,
  type Handler,
  JsonAnswer,
  JsonText,
  RequestClient,
  StreamedAnswer,
} from '../../platform/http/index.ts';
import {
  coerceQuery,
  type ErrorKey,
  errorAnswer,
  PendingApproval,
  type Route,
  readBody,
  refusedKeys,
} from '../../protocol/index.ts';
import { columnsOf, Refused } from '../../protocol/wire/index.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { RateLimiter, RateLimitResult } from './rate-limiter.ts';
import { appsOfRoute } from './served-routes.ts';
import type { GatewayWatcher } from './telemetry.ts';
import type { AnswerCheck, Checks, InputCheck } from './validation.ts';

export interface RouteServerOptions {
  readonly name: string;
  readonly route: Route;
  readonly handler: Handler<Route>;
  readonly dependencies: Dependencies;
  readonly rateLimiter: RateLimiter;
  readonly watcher: Pick<GatewayWatcher, 'faulted'>;
  readonly checks: Checks;
  readonly cookies: BrowserCookies;
  /** Checks responses against their schema, for tests. */
  readonly checkAnswers: boolean;
}

type Refusal = Refused<ErrorKey>;
type Prechecked = PrecheckedCredentials | { readonly refused: AccessRefusal };

const FAILURE_WEIGHT = 1;
const RETRY_AFTER_S = 1;
/** Operators resume manually, so clients retry slowly. */
const STOPPED_RETRY_AFTER_S = 10;
const WAITING_STATUS = 202;
const TOO_MANY_REQUESTS = 429;
/** For blocks whose end must not be disclosed exactly, such as a blocked second factor. */
const BLOCKED_RETRY_AFTER_S = 300;
const NO_BODY = undefined;
/** For prechecked credentials, whose headers have been read. */
const NO_HEADERS: CredentialRequest['headers'] = {};
/** Limits on cached parsed queries and on the length of a cached query. */
const QUERIES_MAX = 256;
const QUERY_CHARACTERS_MAX = 128;

export class RouteServer {
  readonly #options: RouteServerOptions;
  readonly #checkQuery: InputCheck;
  readonly #checkBody: InputCheck | undefined;
  readonly #checkParams: InputCheck | undefined;
  readonly #checkAnswer: AnswerCheck | undefined;
  readonly #checkWaiting: AnswerCheck | undefined;
  readonly #wantsCaller: boolean;
  /** Apps whose session cookies are accepted. */
  readonly #apps: readonly BrowserApp[];
  /** Path as named in permissions. A list's permission also covers its file. */
  readonly #operatorPath: string;
  readonly #columns: readonly string[];
  /** Parsed queries by text, because clients repeat the same query. */
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
    this.#columns = columnsOf(route.response);
  }

  /**
   * Called before the body is read. Refuses requests that can be refused without a body, and calls
   * `proceed` for any other. `serve` follows.
   */
  admit(exchange: HttpExchange, proceed: () => void): void {
    const fail = (fault: unknown) => this.#fail(exchange, fault);
    const settle = (checked: Prechecked | undefined) => {
      if (checked !== undefined && 'refused' in checked) {
        this.#refuse(exchange, this.#failureOf(exchange, checked.refused));
        return;
      }
      exchange.prechecked = checked;
      proceed();
    };
    try {
      const checked = this.#precheck(exchange);
      if (checked instanceof Refused) this.#refuse(exchange, checked);
      else if (checked instanceof Promise) checked.then(settle, fail);
      else settle(checked);
    } catch (fault) {
      fail(fault);
    }
  }

  #precheck(exchange: HttpExchange): Refusal | Prechecked | undefined | Promise<Prechecked> {
    const stopped = this.#obeyIntake();
    if (stopped !== undefined) return stopped;
    exchange.isAdmitted = true;
    if (!this.#isIdentified(exchange)) {
      return this.#obeyReadOnly() ?? this.#charge(exchange, undefined, this.#options.route.weight);
    }
    const limited = this.#obeyFailureBudget(exchange);
    if (limited !== undefined) return limited;
    const { address } = exchange;
    const headers = this.#credentialsOf(exchange);
    return this.#options.dependencies.access.precheck({ headers, address });
  }

  // Most responses are ready immediately; then no promise is created.
  serve(exchange: HttpExchange): void {
    let caller: Caller | undefined;
    // A request over its limit or without permission does not consume its signature.
    const admit = (one: Caller) => {
      caller = one;
      return (
        this.#obeyReadOnly() ??
        this.#charge(exchange, one, this.#options.route.weight) ??
        this.#permit(one, exchange.address)
      );
    };
    const fail = (fault: unknown) => this.#fail(exchange, fault, caller);
    try {
      const identified = this.#identify(exchange, admit);
      if (!(identified instanceof Promise)) this.#answer(exchange, identified, caller);
      else identified.then((known) => this.#answer(exchange, known, caller), fail);
    } catch (fault) {
      fail(fault);
    }
  }

  /** Operator routes ignore every switch, so operators can undo it. */
  #obeyIntake(): Refusal | undefined {
    const { dependencies, route } = this.#options;
    const isOpen = route.permission.who === 'operator' || route.worksStopped === true;
    if (isOpen || !dependencies.switches.isIntakeStopped('gateway-http')) return undefined;
    return new Refused('intake_stopped', {}, STOPPED_RETRY_AFTER_S);
  }

  #obeyReadOnly(): Refusal | undefined {
    const { dependencies, route } = this.#options;
    const isFree = route.permission.who === 'operator' || route.worksReadOnly === true;
    if (isFree || route.effect !== 'write' || !dependencies.switches.isReadOnly) return undefined;
    return new Refused('exchange_read_only');
  }

  /** `caller` is set even if the request is refused after its sender was identified. */
  #answer(
    exchange: HttpExchange,
    identified: Accepted<Caller> | Refusal | undefined,
    caller: Caller | undefined,
  ): void {
    let call: Call<Route> | Refusal;
    try {
      call = identified instanceof Refused ? identified : this.#readCall(exchange, identified);
    } catch (fault) {
      this.#fail(exchange, fault, caller);
      return;
    }
    if (call instanceof Refused) {
      this.#refuse(exchange, call, caller);
      return;
    }
    const fail = (fault: unknown) => this.#failHandler(exchange, fault, caller);
    try {
      const { dependencies, handler } = this.#options;
      const answered = handler(call, dependencies);
      if (!(answered instanceof Promise)) this.#send(exchange, answered, caller);
      else answered.then((answer) => this.#send(exchange, answer, caller)).catch(fail);
    } catch (fault) {
      fail(fault);
    }
  }

  #send(exchange: HttpExchange, answer: Answer<Route>, caller: Caller | undefined): void {
    if (answer instanceof Refused) {
      this.#refuse(exchange, answer, caller);
      return;
    }
    if (answer instanceof StreamedAnswer) {
      const { name, watcher } = this.#options;
      exchange.stream(answer.options, (fault, isSent) => {
        if (isSent) watcher.faulted(name, exchange.id, fault);
        else this.#failHandler(exchange, fault, caller);
      });
      return;
    }
    if (answer instanceof JsonAnswer) {
      exchange.ownHeaders = this.#headersOf(answer);
      if (answer.body instanceof Refused) {
        this.#refuse(exchange, answer.body, caller);
        return;
      }
      const text = JSON.stringify(answer.body);
      const { mayWait } = this.#options.route;
      const isWaiting = mayWait === true && answer.status === WAITING_STATUS;
      this.#verifyAnswer(text, isWaiting ? this.#checkWaiting : this.#checkAnswer);
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

  /** Returns whether the request must be identified, or has credentials where they are optional. */
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

  /** A cookie from the wrong app counts as one from another site. */
  #sessionCookieOf(headers: HttpExchange['headers']): SessionCookie | undefined {
    const found = this.#options.cookies.sessionOf(headers);
    if (found === undefined || this.#apps.includes(found.app)) return found;
    return { ...found, isFromOwnPage: false };
  }

  #identify(
    exchange: HttpExchange,
    admit: (caller: Caller) => Refusal | undefined,
  ): Accepted<Caller> | Refusal | undefined | Promise<Accepted<Caller> | Refusal> {
    const { dependencies, route } = this.#options;
    if (!exchange.isAdmitted) {
      const stopped = this.#obeyIntake();
      if (stopped !== undefined) return stopped;
    }
    if (!this.#isIdentified(exchange)) {
      if (exchange.isAdmitted) return undefined;
      return this.#obeyReadOnly() ?? this.#charge(exchange, undefined, route.weight);
    }
    const limited = exchange.isAdmitted ? undefined : this.#obeyFailureBudget(exchange);
    if (limited !== undefined) return limited;
    const identified = dependencies.access.identify({
      method: exchange.method,
      target: exchange.target,
      headers: exchange.prechecked === undefined ? this.#credentialsOf(exchange) : NO_HEADERS,
      prechecked: exchange.prechecked,
      body: route.body === undefined ? NO_BODY : exchange.body,
      bodyIsExpected: route.body !== undefined,
      // Canceling twice does no harm, and must always work. A recorded write counts once in the
      // database: if a gateway was killed with it, another one must still be able to execute it.
      isWrite: route.effect === 'write' && route.isRecorded !== true,
      mayRepeat: route.mayRepeat,
      admit,
      address: exchange.address,
    });
    return identified instanceof Promise
      ? identified.then((known) => this.#accept(exchange, known))
      : this.#accept(exchange, identified);
  }

  #accept(
    exchange: HttpExchange,
    identified: Identified<Caller> | Refusal,
  ): Accepted<Caller> | Refusal {
    if (identified instanceof Refused || !('refused' in identified)) return identified;
    return this.#failureOf(exchange, identified.refused);
  }

  /**
   * Refuses an address with too many failures before checking its next credentials. An existing key
   * has a separate count at this address, and a token of ours is let through, so clients behind the
   * same address do not lock each other out.
   */
  #obeyFailureBudget(exchange: HttpExchange): Refusal | undefined {
    const { dependencies, rateLimiter } = this.#options;
    const who = this.#failureBucket(exchange);
    const limited = rateLimiter.refusalOf('failure', who, FAILURE_WEIGHT);
    if (limited === undefined) return undefined;
    if (dependencies.access.hasOwnToken(this.#credentialsOf(exchange))) return undefined;
    return tooMany(limited);
  }

  #failureBucket({ addressGroup: group, headers }: HttpExchange): string {
    const key = oneHeader(headers['api-key']);
    const isKnown = key !== undefined && this.#options.dependencies.access.knowsKey(key);
    return isKnown ? `${group} ${key}` : group;
  }

  /** Counts the failure. The refusal says so once there are too many. */
  #failureOf(exchange: HttpExchange, refused: AccessRefusal): Refusal {
    const { rateLimiter } = this.#options;
    const who = this.#failureBucket(exchange);
    const limited = rateLimiter.charge('failure', who, FAILURE_WEIGHT);
    if (!limited.isAllowed) return tooMany(limited);
    // Pages cannot delete this cookie, and it would be refused permanently.
    const isDead = refused.startsWith('session_');
    const app = isDead ? this.#options.cookies.sessionOf(exchange.headers)?.app : undefined;
    if (app !== undefined) exchange.ownHeaders = this.#cookieHeaders([endSessionCookie(app)]);
    return new Refused(refused);
  }

  #permit(caller: Caller, address: string): Refusal | undefined {
    const { dependencies, route } = this.#options;
    const { permission } = route;
    if (permission.who === 'anyone') return undefined;
    if (permission.who === 'person') {
      if (caller.kind !== 'session') return new Refused('session_needed');
      if (permission.anySession !== true && caller.sessionKind !== 'login') {
        return new Refused('session_of_person_needed');
      }
      return undefined;
    }
    if (caller.kind === 'session' && !permission.sessions) {
      return new Refused('token_type_not_allowed');
    }
    const { scope } = permission;
    const isInScope =
      scope === 'any' ||
      (scope === 'can_read' && caller.canRead) ||
      (scope === 'can_trade' && caller.canTrade) ||
      (scope === 'can_withdraw' && caller.canWithdraw);
    if (!isInScope) return new Refused('scope_missing');
    const isClosedToGuests = permission.who === 'user' && permission.noGuests === true;
    if (isClosedToGuests && caller.sessionKind === 'shared') {
      return new Refused('sub_account_not_allowed');
    }
    if (permission.who !== 'operator') return undefined;
    if (permission.personOnly === true && caller.sessionKind !== 'login') {
      return new Refused(caller.kind === 'key' ? 'session_needed' : 'session_of_person_needed');
    }
    if (!caller.mayOperate(this.#operatorPath, route.method)) return new Refused('role_missing');
    if (route.isFile === true && !mayExport(caller)) return exportRefused();
    // A session might have moved since its login; a key has its own address list.
    const isElsewhere =
      caller.kind === 'session' && !dependencies.identity.login.isOperatorAddress(address);
    return isElsewhere ? new Refused('role_missing') : undefined;
  }

  /** Full lists for operators, as files or as JSON, need a permission. */
  #permitFormat(query: Call['query'], caller: Caller | undefined): Refusal | undefined {
    if (this.#options.route.permission.who !== 'operator') return undefined;
    const { format } = query as { readonly format?: unknown };
    return format === undefined || mayExport(caller) ? undefined : exportRefused();
  }

  #charge(
    exchange: HttpExchange,
    caller: Caller | undefined,
    weight: number,
  ): Refused<'rate_limit_exceeded'> | undefined {
    const { rateLimiter, route } = this.#options;
    const limited =
      caller === undefined
        ? rateLimiter.take('address', exchange.addressGroup, weight)
        : rateLimiter.take(route.effect === 'cancel' ? 'cancel' : 'user', `${caller.user}`, weight);
    exchange.rateLimit = limited;
    return limited.isAllowed ? undefined : tooMany(limited);
  }

  #readCall(exchange: HttpExchange, accepted: Accepted<Caller> | undefined): Call<Route> | Refusal {
    const params = this.#readParams(exchange);
    if (params instanceof Refused) return params;
    const query = this.#readQuery(exchange.queryText);
    if (query instanceof Refused) return query;
    // Reads only the signed body.
    const body = this.#readBody(exchange, accepted?.signedBody ?? exchange.body);
    if (body instanceof Refused) return body;
    const caller = accepted?.caller;
    const noExport = this.#permitFormat(query, caller);
    if (noExport !== undefined) return noExport;
    return {
      params: params as Call['params'],
      query,
      body: body as Call['body'],
      caller: caller as Call['caller'],
      client: new RequestClient(exchange, this.#options.cookies),
      permission: `${this.#operatorPath}:${this.#options.route.method.toLowerCase()}`,
      address: exchange.address,
      columns: this.#columns,
      signature: accepted?.signature ?? '',
      charge: (weight) => this.#charge(exchange, caller, weight),
    };
  }

  #readParams(exchange: HttpExchange): unknown {
    const { params } = this.#options.route;
    if (params === undefined) return undefined;
    const read = coerceQuery(params, exchange.params);
    if (!read.ok) return new Refused('request_invalid', { detail: read.detail });
    return this.#checkParams?.(read.value) ?? read.value;
  }

  #readQuery(text: string): Call['query'] | Refusal {
    const known = this.#queries.get(text);
    if (known !== undefined) return known;
    const { query: schema, queryPrefix } = this.#options.route;
    const query = coerceQuery(schema, parse(text), queryPrefix);
    if (!query.ok) return new Refused('request_invalid', { detail: query.detail });
    const refused = this.#checkQuery(query.value);
    if (refused !== undefined) return refused;
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
    if (!body.ok) return new Refused('body_malformed', { detail: body.detail });
    const invalid = this.#checkBody?.(body.value);
    if (invalid !== undefined) return invalid;
    const [refused] = refusedKeys(route.body, body.value, route);
    if (refused === undefined) return body.value;
    const { known, name } = refused;
    if (known === undefined) return new Refused('body_key_not_supported', { name });
    return new Refused('body_key_misspelt', { name, known });
  }

  #verifyAnswer(text: string, check = this.#checkAnswer): void {
    check?.(JSON.parse(text));
  }

  /** A write that failed unexpectedly might have been applied, so its outcome is unknown. */
  #failHandler(exchange: HttpExchange, fault: unknown, caller: Caller | undefined): void {
    const refusal = refusalOf(fault);
    const isUnknown = refusal.key === 'internal_fault' && this.#options.route.effect !== 'read';
    this.#fail(exchange, fault, caller, isUnknown ? new Refused('outcome_unknown') : refusal);
  }

  #fail(
    exchange: HttpExchange,
    fault: unknown,
    caller?: Caller | undefined,
    refusal = refusalOf(fault),
  ): void {
    this.#options.watcher.faulted(this.#options.name, exchange.id, fault);
    this.#refuse(exchange, refusal, caller);
  }

  #refuse(
    exchange: HttpExchange,
    { details, key, retryAfterS }: Refusal,
    caller?: Caller | undefined,
  ): void {
    // Clients that sign match English texts; sessions have a language.
    const language = caller?.kind === 'session' ? caller.language : 'en';
    const { body, status } = errorAnswer(key, language, details);
    exchange.retryAfterS =
      retryAfterS ?? (status === TOO_MANY_REQUESTS ? BLOCKED_RETRY_AFTER_S : undefined);
    exchange.answer(status, JSON.stringify(body));
  }
}

function mayExport(caller: Caller | undefined): boolean {
  return caller?.powers.has('export') === true;
}

function exportRefused(): Refused<'power_missing'> {
  return new Refused('power_missing', { power: 'export' });
}

/** Environment faults can be temporary; any other fault is a bug. */
function refusalOf(fault: unknown): Refusal {
  if (fault instanceof HashQueueFull) return new Refused('login_queue_full', {}, fault.retryAfterS);
  if (fault instanceof CommitUnknown) return new Refused('outcome_unknown');
  const isAway = fault instanceof AccessFault || isPassingFault(fault);
  return isAway
    ? new Refused('data_unavailable', {}, RETRY_AFTER_S)
    : new Refused('internal_fault');
}

function tooMany(limited: RateLimitResult): Refused<'rate_limit_exceeded'> {
  return new Refused('rate_limit_exceeded', {}, Math.max(1, limited.retryAfterS));
}

function isFormType(type = ''): boolean {
  return /^application\/x-www-form-urlencoded(?:\s*;|$)/i.test(type.trim());
}

function oneHeader(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
