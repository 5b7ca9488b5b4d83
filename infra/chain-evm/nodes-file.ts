// Node URLs by network: a separate JSON file, because providers put secrets into URLs. No message
// repeats a URL.

import { readFile } from 'node:fs/promises';
import { isLoopback } from '../process/index.ts';

export type NodeUrls = ReadonlyMap<string, readonly [string, string]>;

interface NodesFileOptions {
  readonly path: string;
  readonly mode: 'production' | 'development';
}

export async function readNodesFile({ mode, path }: NodesFileOptions): Promise<NodeUrls> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Error(`nodes file ${path} cannot be read: ${cause.code}`);
  });
  try {
    return parseNodes(text, mode);
  } catch (fault) {
    throw new Error(`nodes file ${path}: ${(fault as Error).message}`);
  }
}

/** `{"eth": ["https://…", "https://…"]}`: two different nodes for each network. */
export function parseNodes(text: string, mode: NodesFileOptions['mode']): NodeUrls {
  const networks = readObject(text);
  return new Map(
    Object.entries(networks).map(([network, urls]) => {
      if (!Array.isArray(urls) || urls.length !== 2) {
        throw new Error(`expected two URLs for ${network}`);
      }
      for (const url of urls) checkUrl(network, url, mode);
      if (urls[0] === urls[1] && mode === 'production') {
        throw new Error(`expected two different nodes for ${network}, received one URL twice`);
      }
      return [network, [urls[0], urls[1]]];
    }),
  );
}

function readObject(text: string): Record<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    // The message of the parser repeats a part of the text.
  }
  if (typeof found === 'object' && found !== null && !Array.isArray(found)) {
    return found as Record<string, unknown>;
  }
  throw new Error('expected a JSON object with two URLs for each network');
}

function checkUrl(network: string, found: unknown, mode: NodesFileOptions['mode']): void {
  const url = typeof found === 'string' ? URL.parse(found) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`expected http:// or https:// URLs for ${network}`);
  }
  if (mode === 'production' && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error(`expected https:// for a node of ${network} on another machine`);
  }
}
