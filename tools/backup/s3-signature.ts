// Signature version 4 of requests to an S3-compatible store.

import { createHmac, hash } from 'node:crypto';

export interface S3Credentials {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  /** In lower case; `host` is added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SCOPE_END = 's3/aws4_request';

/** All headers of the request, with the signature. */
export function signedHeaders(
  request: S3Request,
  { accessKeyId, region, secretAccessKey }: S3Credentials,
  now: Date,
): Record<string, string> {
  const { body, method, url } = request;
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const day = time.slice(0, 8);
  const payload = hash('sha256', body, 'hex');
  const headers: Record<string, string> = {
    ...request.headers,
    host: url.host,
    'x-amz-content-sha256': payload,
    'x-amz-date': time,
  };
  const names = Object.keys(headers).sort();
  const canonical = [
    method,
    url.pathname.split('/').map(plain).map(encoded).join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...names.map((name) => `${name}:${headers[name].trim()}`),
    '',
    names.join(';'),
    payload,
  ].join('\n');
  const scope = `${day}/${region}/${SCOPE_END}`;
  const text = [ALGORITHM, time, scope, hash('sha256', canonical, 'hex')].join('\n');
  const key = [day, region, ...SCOPE_END.split('/')].reduce<Uint8Array | string>(
    (from, part) => createHmac('sha256', from).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  const signature = createHmac('sha256', key).update(text).digest('hex');
  const credential = `Credential=${accessKeyId}/${scope}`;
  const signed = `SignedHeaders=${names.join(';')}`;
  const authorization = `${ALGORITHM} ${credential}, ${signed}, Signature=${signature}`;
  return { ...headers, authorization };
}

function plain(text: string): string {
  return decodeURIComponent(text);
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
