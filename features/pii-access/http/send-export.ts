// Counts rows and bytes of a full list while it is sent, and hashes the bytes. The client gets rows
// and hash as trailers; both are recorded even if the client did not take everything.

import { createHash } from 'node:crypto';
import {
  type Answer,
  JSON_TYPE,
  JsonAnswer,
  JsonText,
  StreamedAnswer,
  type StreamedAnswerOptions,
} from '../../../platform/http/index.ts';
import type { ErrorKey, Route } from '../../../protocol/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import type { ExportSent } from '../exports.ts';

export interface StartedExport {
  readonly id: number;
  /** Status of a response without its own. */
  readonly status: number;
  answer(): Promise<Answer<Route>>;
  /** Called once. */
  end(sent: ExportSent): Promise<void>;
  /** Called if the end could not be recorded. */
  onFault(fault: unknown): void;
}

export const EXPORT_ID_HEADER = 'x-export-id';
const [ROWS, SHA256] = ['x-rows', 'x-sha256'];

export async function sendExport(
  started: StartedExport,
): Promise<StreamedAnswer | Refused<ErrorKey>> {
  const { answer, end, id, onFault, status } = started;
  const nothing = { isComplete: false, rows: 0, bytes: 0, sha256: createHash('sha256').digest() };
  let options: StreamedAnswerOptions;
  try {
    const answered = await answer();
    if (answered instanceof Refused) {
      await end(nothing).catch(onFault);
      return answered;
    }
    options = streamOf(answered, status);
  } catch (fault) {
    await end(nothing).catch(onFault);
    throw fault;
  }
  const counted = new CountedChunks(options);
  return new StreamedAnswer({
    ...options,
    chunks: counted,
    headers: { [EXPORT_ID_HEADER]: `${id}` },
    trailers: {
      names: [ROWS, SHA256],
      values: () => ({ [ROWS]: `${counted.rows}`, [SHA256]: counted.sha256.toString('hex') }),
    },
    onEnd(isComplete) {
      const { bytes, rows, sha256 } = counted;
      end({ isComplete, rows, bytes, sha256 }).catch(onFault);
    },
  });
}

/** Short lists are one text. */
function streamOf(answer: Exclude<Answer<Route>, Refused>, status: number): StreamedAnswerOptions {
  if (answer instanceof StreamedAnswer) return answer.options;
  const text =
    answer instanceof JsonText
      ? answer.text
      : JSON.stringify(answer instanceof JsonAnswer ? answer.body : answer);
  return {
    status: (answer instanceof JsonAnswer ? answer.status : undefined) ?? status,
    type: JSON_TYPE,
    chunks: (async function* () {
      yield text;
    })(),
    rowsRead: () => JSON.parse(text).data?.length ?? 1,
  };
}

/** Not a generator; see `each` of the lists. */
class CountedChunks implements AsyncIterableIterator<Buffer> {
  readonly #chunks: AsyncIterator<string | Buffer>;
  readonly #rowsRead: () => number;
  readonly #hash = createHash('sha256');
  #sha256: Buffer | undefined;
  rows = 0;
  bytes = 0;

  constructor({ chunks, rowsRead = () => 0 }: StreamedAnswerOptions) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#rowsRead = rowsRead;
  }

  /** Hash of all chunks so far; no chunk can follow. */
  get sha256(): Buffer {
    this.#sha256 ??= this.#hash.digest();
    return this.#sha256;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Buffer, undefined>> {
    const { done, value } = await this.#chunks.next();
    // The client might have disconnected in the meantime.
    if (done === true || this.#sha256 !== undefined) return { done: true, value: undefined };
    const chunk = Buffer.from(value);
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    this.rows = this.#rowsRead();
    return { done: false, value: chunk };
  }

  async return(): Promise<IteratorResult<Buffer, undefined>> {
    await this.#chunks.return?.();
    return { done: true, value: undefined };
  }
}
