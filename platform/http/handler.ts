// A handler is a function from a validated call to an answer, typed by its route. It never sees a
// header; it refuses by returning a Refused.

import type { Caller } from '../../features/auth/index.ts';
import type { SetCookie } from '../../infra/access/index.ts';
import type {
  BodyOf,
  ErrorKey,
  ParamsOf,
  QueryOf,
  ResponseOf,
  Route,
  RouteGroups,
} from '../../protocol/index.ts';
import type { Refused } from '../../protocol/wire/index.ts';
import type { ClientContext } from './client-context.ts';
import type { Dependencies } from './dependencies.ts';

/** The caller: always present on private routes, optional on public ones. */
type CallerOf<R extends Route> = R['permission'] extends { who: 'anyone' }
  ? Caller | undefined
  : Caller;

export interface Call<R extends Route = Route> {
  /** The parts of the path that the route names. */
  readonly params: ParamsOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly caller: CallerOf<R>;
  readonly client: ClientContext;
  /** The permission of an operator that the route needs: path and method. */
  readonly permission: string;
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /** The names of a row, if the response is a paged list. */
  readonly columns?: readonly string[];
  /** The signature as sent, for effects that must happen only once; '' without one. */
  readonly signature: string;
  /** Charges the caller weight beyond the route's own. */
  charge(weight: number): Refused<'rate_limit_exceeded'> | undefined;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** JSON that is serialized already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** An answer with cookies, another status than the route's, or a redirection. */
export class JsonAnswer<Body> {
  readonly body: Body;
  readonly status: number | undefined;
  readonly cookies: readonly SetCookie[];
  /** The URL of a redirection; `status` must be one of a redirection too. */
  readonly location: string | undefined;

  constructor(
    body: Body,
    options: {
      readonly status?: number;
      readonly cookies?: readonly SetCookie[];
      readonly location?: string;
    } = {},
  ) {
    this.body = body;
    this.status = options.status;
    this.cookies = options.cookies ?? [];
    this.location = options.location;
  }
}

export interface StreamedAnswerOptions {
  readonly status: number;
  readonly type: string;
  /** The name under which browsers save the answer. */
  readonly fileName?: string;
  readonly chunks: AsyncIterable<string | Buffer>;
  /** The rows in all chunks so far. */
  readonly rowsRead?: () => number;
  /** Headers that only this answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent after the last chunk; the names are announced before the first. */
  readonly trailers?: {
    readonly names: readonly string[];
    values(): Readonly<Record<string, string>>;
  };
  /** Called before the end if the client is cut off because it takes the answer too slowly. */
  readonly onSlow?: () => void;
  /** Called once: the client's connection took every chunk, or did not. */
  readonly onEnd?: (isComplete: boolean) => void;
}

/** An answer that is sent in chunks. */
export class StreamedAnswer {
  readonly options: StreamedAnswerOptions;

  constructor(options: StreamedAnswerOptions) {
    this.options = options;
  }
}

export type Answer<R extends Route> =
  | ResponseOf<R>
  | JsonAnswer<ResponseOf<R>>
  | JsonText
  | StreamedAnswer
  | Refused<ErrorKey>
  /** A refusal with cookies. */
  | JsonAnswer<Refused<ErrorKey>>;

export type Handler<R extends Route> = (
  call: Call<R>,
  dependencies: Dependencies,
) => Answer<R> | Promise<Answer<R>>;

/** The handlers of one group of routes, each under its route's name. */
export type HandlersOf<Group extends keyof RouteGroups> = {
  readonly [Name in keyof RouteGroups[Group]]: RouteGroups[Group][Name] extends Route
    ? Handler<RouteGroups[Group][Name]>
    : never;
};
