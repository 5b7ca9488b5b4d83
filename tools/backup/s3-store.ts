// Stores backups in an S3-compatible bucket. Holds one part of a file in memory at a time.

import { hash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { describeFault, systemClock } from '../../infra/process/index.ts';
import { ToolFault } from '../command-line.ts';
import { BackupFault } from './backup-fault.ts';
import type { BackupStore, StoredFile } from './backup-store.ts';
import { type Bytes, inPieces } from './sealed-file.ts';

export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Options extends S3Credentials {
  /** `https://HOST`; the bucket is part of the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Without leading or trailing slashes; can be empty. */
  readonly prefix: string;
  readonly partBytes?: number;
}

/** A file can have 10,000 parts at most, which is 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const ANSWER_MS = 120_000;
const ATTEMPTS_MAX = 5;
const RETRY_MS = 500;

interface Call {
  readonly method: string;
  readonly name?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export class S3Store implements BackupStore {
  readonly place: string;
  readonly #options: S3Options;

  constructor(options: S3Options) {
    this.#options = options;
    this.place = `s3://${[options.bucket, options.prefix].filter(Boolean).join('/')}`;
  }

  async list(prefix: string): Promise<readonly StoredFile[]> {
    const found: StoredFile[] = [];
    const start = this.#keyOf('').length;
    let token: string | undefined;
    do {
      const query = {
        'list-type': '2',
        prefix: this.#keyOf(prefix),
        ...(token === undefined ? {} : { 'continuation-token': token }),
      };
      const text = await (await this.#call({ method: 'GET', query })).text();
      for (const [, entry] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const name = textOf(entry, 'Key').slice(start);
        found.push({ name, bytes: Number(textOf(entry, 'Size')) });
      }
      token = textOf(text, 'NextContinuationToken') || undefined;
    } while (token !== undefined);
    return found;
  }

  async *read(name: string): Bytes {
    const response = await this.#call({ method: 'GET', name });
    if (response.body === null) return;
    try {
      yield* response.body;
    } catch (fault) {
      throw new ToolFault(`${this.place} broke off ${name}: ${describeFault(fault)}.`);
    }
  }

  async write(name: string, content: Bytes): Promise<void> {
    const { partBytes = PART_BYTES } = this.#options;
    let upload: string | undefined;
    const tags: string[] = [];
    try {
      for await (const { bytes, isLast } of inPieces(content, partBytes)) {
        if (isLast && upload === undefined) {
          await this.#call({ method: 'PUT', name, body: bytes });
          return;
        }
        upload ??= await this.#beginUpload(name);
        const query = { partNumber: String(tags.length + 1), uploadId: upload };
        const response = await this.#call({ method: 'PUT', name, query, body: bytes });
        tags.push(response.headers.get('etag') ?? '');
      }
      await this.#endUpload(name, upload!, tags);
    } catch (fault) {
      if (upload !== undefined) {
        const abort = { method: 'DELETE', name, query: { uploadId: upload } };
        await this.#call(abort).catch(() => {});
      }
      throw fault;
    }
  }

  async remove(name: string): Promise<void> {
    await this.#call({ method: 'DELETE', name });
  }

  async #beginUpload(name: string): Promise<string> {
    const response = await this.#call({ method: 'POST', name, query: { uploads: '' } });
    return textOf(await response.text(), 'UploadId');
  }

  async #endUpload(name: string, uploadId: string, tags: readonly string[]): Promise<void> {
    const parts = tags.map(
      (tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const query = { uploadId };
    const call = { method: 'POST', name, query, body: Buffer.from(body) };
    const text = await (await this.#call(call)).text();
    // The store can respond with 200 and report a failure in the body.
    if (text.includes('<Error>')) throw new ToolFault(`${this.place}: ${name} was not stored.`);
  }

  async #call(call: Call): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt(call);
      if (outcome instanceof Response) return outcome;
      if (!outcome.isPassing || attempt === ATTEMPTS_MAX) throw outcome.fault;
      await delay(RETRY_MS * 2 ** (attempt - 1));
    }
  }

  async #attempt({ body = new Uint8Array(0), method, name, query = {} }: Call) {
    const { bucket, endpoint } = this.#options;
    const key = name === undefined ? '' : `/${this.#keyOf(name)}`;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}${key}`);
    for (const [field, value] of Object.entries(query)) url.searchParams.set(field, value);
    let response: Response;
    // Covers the response headers; the body can take longer.
    const limit = new AbortController();
    const timer = systemClock.after(ANSWER_MS, () => limit.abort());
    try {
      const content = method === 'PUT' || method === 'POST' ? { body: Buffer.from(body) } : {};
      const headers = await this.#signedHeaders(method, url, body);
      response = await fetch(url, { method, headers, signal: limit.signal, ...content });
    } catch (fault) {
      const sentence = `${this.place} does not respond: ${describeFault(fault)}.`;
      return { isPassing: true, fault: new ToolFault(sentence) };
    } finally {
      timer.cancel();
    }
    if (response.ok) return response;
    if (response.status === 404 && name !== undefined && method === 'GET') {
      return { isPassing: false, fault: new BackupFault(name, 'missing') };
    }
    const code = textOf(await response.text(), 'Code') || 'no code';
    const sentence = `${this.place} answers ${response.status} (${code}) to ${method} ${key}.`;
    const isPassing = response.status >= 500 || response.status === 429;
    return { isPassing, fault: new ToolFault(sentence) };
  }

  /** Signs a request including its content. */
  async #signedHeaders(method: string, url: URL, body: Uint8Array): Promise<Headers> {
    const { accessKeyId, region, secretAccessKey } = this.#options;
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': hash('sha256', body, 'hex') },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    });
    return (await signer.sign()).headers;
  }

  #keyOf(name: string): string {
    const { prefix } = this.#options;
    return prefix === '' ? name : `${prefix}/${name}`;
  }
}

function textOf(xml: string, field: string): string {
  const [, text = ''] = new RegExp(`<${field}>([^<]*)</${field}>`).exec(xml) ?? [];
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
