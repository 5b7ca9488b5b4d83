// Runs a page in a headless Chromium. The page sends its result to the server that serves it, so no
// browser driver is needed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.html': 'text/html',
};

export interface PageOptions {
  readonly chromium: string;
  /** Served at `/package/`. */
  readonly packageFolder: string;
  /** The HTML of the page; it reports with `fetch('/result', { method: 'POST', body })`. */
  readonly page: string;
  readonly timeoutMs: number;
}

/** Resolves to the reported text; rejects with the browser's output if none arrives in time. */
export async function runPage(options: PageOptions): Promise<string> {
  const { chromium, packageFolder, page, timeoutMs } = options;
  const reported = Promise.withResolvers<string>();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      response.end();
      reported.resolve(body);
      return;
    }
    try {
      const isPage = pathname === '/';
      const path = pathname.replace(/^\/package\//, '');
      const text = isPage ? page : readFileSync(join(packageFolder, path), 'utf8');
      const type = CONTENT_TYPES[isPage ? '.html' : extname(path)] ?? 'text/plain';
      response.writeHead(200, { 'content-type': type }).end(text);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const profile = mkdtempSync(join(tmpdir(), 'rialto-chromium-'));
  const flags = ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const child = spawn(
    chromium,
    [...flags, '--no-first-run', '--enable-logging=stderr', `--user-data-dir=${profile}`, url],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  let output = '';
  child.stderr.on('data', (chunk) => (output = (output + chunk).slice(-5_000)));
  const closed = once(child, 'close');
  const timer = setTimeout(() => {
    reported.reject(new Error(`The page sent no result within ${timeoutMs} ms.\n${output}`));
  }, timeoutMs);
  try {
    return await reported.promise;
  } finally {
    clearTimeout(timer);
    // Chromium runs several processes; `detached` made them one group.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await closed;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
