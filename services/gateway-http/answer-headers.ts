// The headers of every answer, and those that let browsers of an allowed origin read it.

const ALWAYS = ['cache-control', 'no-store', 'x-content-type-options', 'nosniff'];
// Answers are data: browsers do not render them, and `nosniff` keeps browsers from guessing
// otherwise. The reference page adds a policy of its own. Every header costs time in every answer,
// so each one here must have an effect.
const OVER_TLS = ['strict-transport-security', 'max-age=31536000; includeSubDomains'];
const EXPOSED = 'ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id';

export interface AnswerHeadersOptions {
  /** `*`, or the origins whose pages may read answers. */
  readonly corsOrigins: readonly string[];
  readonly isOverTls: boolean;
}

export class AnswerHeaders {
  readonly #origins: readonly string[];
  readonly #isAnyOrigin: boolean;
  readonly #always: readonly string[];
  readonly #toAnyOrigin: readonly string[];

  constructor({ corsOrigins, isOverTls }: AnswerHeadersOptions) {
    this.#origins = corsOrigins;
    this.#isAnyOrigin = corsOrigins.includes('*');
    const always = isOverTls ? [...ALWAYS, ...OVER_TLS] : ALWAYS;
    this.#always = this.#isAnyOrigin ? always : [...always, 'vary', 'origin'];
    this.#toAnyOrigin = this.#to('*');
  }

  /** Names and values in turns. Only browsers send an origin. */
  to(origin: string | undefined): readonly string[] {
    if (origin === undefined) return this.#always;
    if (this.#isAnyOrigin) return this.#toAnyOrigin;
    return this.#origins.includes(origin) ? this.#to(origin) : this.#always;
  }

  #to(origin: string): readonly string[] {
    const allowed = ['access-control-allow-origin', origin];
    return [...this.#always, ...allowed, 'access-control-expose-headers', EXPOSED];
  }
}
