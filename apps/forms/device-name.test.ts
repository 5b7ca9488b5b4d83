// Device names from real browsers' user agents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceName } from './device-name.ts';

const MOZILLA = 'Mozilla/5.0';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const SAFARI = 'AppleWebKit/605.1 Version/18.0 Mobile/1 Safari/604.1';

for (const [userAgent, name] of [
  [`${MOZILLA} (X11; Linux x86_64) ${CHROME}`, 'Chrome · Linux'],
  [`${MOZILLA} (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0.0.0`, 'Edge · Windows'],
  [`${MOZILLA} (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox · Windows'],
  [`${MOZILLA} (iPhone; CPU iPhone OS 18_0 like Mac OS X) ${SAFARI}`, 'Safari · iPhone'],
  [`${MOZILLA} (Linux; Android 15) ${CHROME}`, 'Chrome · Android'],
  ['curl/8.5.0', 'curl'],
  ['my-bot/1.0', 'my-bot'],
  ['', '–'],
]) {
  test(`the device for '${userAgent}' is ${name}`, () => {
    assert.equal(deviceName(userAgent), name);
  });
}
