// The confirm page in a real browser: it posts the code only after the user presses the button, and
// never sends it in a URL.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../../tools/client/test-runtimes.ts';
import { addConfirmPage } from './confirm-page.ts';

const CODE = '0c9f3b1e-5a52-4c1e-9d0b-1f4f2a6c7d11';

let server: FastifyInstance;
let browser: Browser;
let url = '';
let status = 200;
let requests: string[] = [];

describe('the confirm page', () => {
  before(async () => {
    server = fastify();
    server.addHook('onRequest', async ({ method, url }) => void requests.push(`${method} ${url}`));
    server.post('/v2/*', async ({ body, url }, reply) => {
      requests.push(`${url} ${JSON.stringify(body)}`);
      return reply.code(status).send({ message: status === 200 ? 'Done' : 'Invalid code' });
    });
    addConfirmPage(server, 'Rialto <b>');
    url = await server.listen({ host: '127.0.0.1', port: 0 });
    const executablePath = await chromiumPath();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  const posts: [purpose: string, sent: string][] = [
    ['verify_email', `/v2/verify {"verification_code":"${CODE}"}`],
    ['change_password', `/v2/confirm-change-password {"code":"${CODE}"}`],
    ['confirm_login', `/v2/user/confirm-login {"token":"${CODE}"}`],
    ['confirm_withdrawal', `/v2/user/confirm-withdrawal {"token":"${CODE}"}`],
    ['freeze', `/v2/user/freeze-account {"token":"${CODE}"}`],
  ];
  for (const [purpose, sent] of posts) {
    test(`abuse 23: ${purpose}: opening the link sends no code; the button posts it`, async () => {
      const page = await open(`#purpose=${purpose}&code=${CODE}`);
      assert.deepEqual(withoutIcon(requests), ['GET /confirm']);
      assert.equal(page.url(), `${url}/confirm`);
      await page.locator('button').click();
      await page.getByText('Done').waitFor();
      assert.ok(requests.includes(sent), requests.join('\n'));
      assert.equal(await page.locator('form').isVisible(), false);
      await page.close();
    });
  }

  test('a reset sends the new password, and the second factor if one was entered', async () => {
    const page = await open(`#purpose=reset_password&code=${CODE}`);
    await page.locator('#password').fill('a longer password');
    await page.locator('button').click();
    await page.getByText('Done').waitFor();
    const sent = `{"code":"${CODE}","new_password":"a longer password"`;
    assert.ok(requests.includes(`/v2/reset-password ${sent}}`));
    const other = await open(`#purpose=reset_password&code=${CODE}`);
    await other.locator('#password').fill('a longer password');
    await other.locator('#otp').fill(' 123456 ');
    await other.locator('button').click();
    await other.getByText('Done').waitFor();
    assert.ok(requests.includes(`/v2/reset-password ${sent},"otp_code":"123456"}`));
    await page.close();
    await other.close();
  });

  test('a refusal is shown, and the user can try again', async () => {
    status = 400;
    const page = await open(`#purpose=verify_email&code=${CODE}`);
    await page.locator('button').click();
    await page.getByText('Invalid code').waitFor();
    assert.equal(await page.locator('button').isEnabled(), true);
    status = 200;
    await page.close();
  });

  test('without a code there is no button', async () => {
    for (const hash of ['', '#purpose=verify_email', '#code=x', '#purpose=__proto__&code=']) {
      const page = await open(hash);
      assert.match(await page.locator('#text').innerText(), /incomplete/);
      assert.equal(await page.locator('button').isVisible(), false);
      await page.close();
    }
  });

  test('a code for another purpose is shown as text', async () => {
    const page = await open('#purpose=confirm_action&code=<img src=x onerror=alert(1)>');
    assert.equal(await page.locator('#code').innerText(), '<img src=x onerror=alert(1)>');
    assert.equal(await page.locator('img').count(), 0);
    assert.equal(await page.locator('.exchange').innerText(), 'Rialto <b>');
    await page.close();
  });

  test("the policy allows only the page's own script", async () => {
    const { headers } = await server.inject('/confirm');
    const policy = `${headers['content-security-policy']}`;
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:/);
    assert.equal(headers['referrer-policy'], 'no-referrer');
  });
});

async function open(hash: string): Promise<Page> {
  requests = [];
  const page = await browser.newPage();
  await page.goto(`${url}/confirm${hash}`);
  return page;
}

function withoutIcon(all: readonly string[]): string[] {
  return all.filter((request) => request !== 'GET /favicon.ico');
}
