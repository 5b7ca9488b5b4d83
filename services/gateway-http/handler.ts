// What a handler is: a function from a checked call to an answer, typed by its route. It never sees
// a header, a signature or a status; what it refuses, it throws as an ApiRefusal.

import type { Caller } from '../../domain/credentials/index.ts';
import type { BodyOf, QueryOf, ResponseOf, Route, RouteGroups } from '../../protocol/index.ts';
import type { Dependencies } from './dependencies.ts';

/** Who called: always somebody where the route asks for it, perhaps nobody elsewhere. */
type CallerOf<R extends Route> = R['permission'] extends { who: 'anyone' }
  ? Caller | undefined
  : Caller;

export interface Call<R extends Route = Route> {
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly caller: CallerOf<R>;
  /** Where it came from, after the proxies that we trust. */
  readonly address: string;
  /** The signature as it was sent, for what must happen once for all time; '' without one. */
  readonly signature: string;
  /** Charges the caller for more than the route's own weight; refuses when there is not enough. */
  charge(weight: number): void;
}

/** JSON that is text already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface StreamedAnswerOptions {
  readonly status: number;
  readonly type: string;
  /** Saved by browsers under this name. */
  readonly fileName?: string;
  readonly chunks: AsyncIterable<string>;
}

/** An answer that is sent while it is made. */
export class StreamedAnswer {
  readonly options: StreamedAnswerOptions;

  constructor(options: StreamedAnswerOptions) {
    this.options = options;
  }
}

export type Answer<R extends Route> = ResponseOf<R> | JsonText | StreamedAnswer;

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
