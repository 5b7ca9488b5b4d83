// Sends a sample to a running exchange.

import type { Route } from '../../protocol/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import type { Sample } from './route-samples.ts';

export interface SendOptions {
  readonly url: string;
  readonly key?: { readonly key: string; readonly secret: string } | undefined;
  readonly expires?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function sendSample(
  route: Route,
  sample: Sample,
  { expires, headers = {}, key, url }: SendOptions,
): Promise<RestAnswer> {
  const text = new URLSearchParams(
    Object.entries(sample.query ?? {}).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  ).toString();
  const path = route.path.replaceAll(/:(\w+)/g, (_part, name: string) =>
    encodeURIComponent(sample.params?.[name] ?? 'unknown'),
  );
  return new RestClient({ url, ...key }).send({
    method: route.method,
    target: `${path}${text === '' ? '' : `?${text}`}`,
    ...(sample.body !== undefined && { body: sample.body }),
    ...(expires !== undefined && { expires }),
    headers,
  });
}
