// JSON-RPC of one EVM node over HTTP. Every answer is limited in size and time; an answer that is
// late, too large or malformed is a NodeFault. Never asks for logs: a lagging node omits them.

import { listIn, recordIn } from './bytes.ts';
import { NodeFault } from './faults.ts';

export interface EvmNodeOptions {
  /** With the secrets of a provider, so it is never logged. */
  readonly url: string;
  /** For messages: `node 1`. */
  readonly name: string;
  readonly answerMsMax?: number;
  readonly answerBytesMax?: number;
}

export type Call = { readonly method: string; readonly params: readonly unknown[] };

const ANSWER_MS_MAX = 20_000;
/** Traces of a full block take 50 MB and more. */
const ANSWER_BYTES_MAX = 128 * 1024 * 1024;
const METHOD_NOT_FOUND = -32_601;
const METHOD_NOT_SUPPORTED = -32_004;

export class EvmNode {
  readonly name: string;
  readonly #options: EvmNodeOptions;
  #calls = 0;

  constructor(options: EvmNodeOptions) {
    this.#options = options;
    this.name = options.name;
  }

  async ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const id = ++this.#calls;
    const answer = await this.#post({ jsonrpc: '2.0', id, method, params });
    return this.#resultIn(method, recordIn(answer), id);
  }

  /** Asks several questions in one request. Results are in the order of the calls. */
  async askAll(calls: readonly Call[]): Promise<readonly unknown[]> {
    if (calls.length === 0) return [];
    const first = this.#calls + 1;
    this.#calls += calls.length;
    const requests = calls.map((call, at) => ({ jsonrpc: '2.0', id: first + at, ...call }));
    const answers = new Map<unknown, Readonly<Record<string, unknown>>>();
    for (const answer of listIn(await this.#post(requests))) {
      const record = recordIn(answer);
      answers.set(record.id, record);
    }
    return calls.map(({ method }, at) =>
      this.#resultIn(method, answers.get(first + at) ?? {}, first + at),
    );
  }

  #resultIn(method: string, answer: Readonly<Record<string, unknown>>, id: number): unknown {
    if (answer.error !== undefined && answer.error !== null) {
      const { code, message } = recordIn(answer.error);
      const text = `${this.name} refuses ${method}: ${String(message).slice(0, 200)}`;
      const isMethodMissing = code === METHOD_NOT_FOUND || code === METHOD_NOT_SUPPORTED;
      throw new NodeFault(text, { isMethodMissing });
    }
    if (answer.id !== id || answer.result === undefined) {
      throw new NodeFault(`${this.name} answers another question than ${method}`);
    }
    return answer.result;
  }

  async #post(request: unknown): Promise<unknown> {
    const { answerBytesMax = ANSWER_BYTES_MAX, answerMsMax = ANSWER_MS_MAX, url } = this.#options;
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
        redirect: 'error',
        signal: AbortSignal.timeout(answerMsMax),
      });
      if (!response.ok) throw new NodeFault(`${this.name} answers with status ${response.status}`);
      const text = await boundedText(response, answerBytesMax);
      if (text === undefined) throw new NodeFault(`${this.name} answers more than allowed`);
      return JSON.parse(text);
    } catch (cause) {
      if (cause instanceof NodeFault) throw cause;
      // The message of the cause might contain the URL.
      throw new NodeFault(`${this.name} is unreachable, late or malformed: ${nameOf(cause)}`);
    }
  }
}

function nameOf(cause: unknown): string {
  const inner =
    cause instanceof Error ? (cause.cause as { code?: unknown } | undefined) : undefined;
  if (typeof inner?.code === 'string') return inner.code;
  return cause instanceof Error ? cause.name : 'unknown';
}

/** Undefined if it is longer. */
async function boundedText(response: Response, bytesMax: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
