// Switch after a reload: an armed switch is armed again, and the state is never guessed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROTECTION_S, type Protection, resumeProtection, setProtection } from './protection.ts';

function stage(answers: readonly (boolean | 'fails')[]) {
  const asked: number[] = [];
  const shown: boolean[] = [];
  let at = 0;
  let waits = 0;
  const ports = {
    stream: {
      status: 'open' as const,
      cancelOnDisconnect: async (seconds: number) => {
        asked.push(seconds);
        return '';
      },
    },
    readSwitch: async () => {
      const armed = answers[at++];
      if (armed === 'fails') throw new Error('no answer');
      return { armed };
    },
    show: ({ isOn }: Protection) => {
      shown.push(isOn);
    },
    wait: async () => {
      waits += 1;
    },
  };
  return { ports, asked, shown, waits: () => waits };
}

const CASES = [
  { what: 'an armed switch is armed again', answers: [true], asked: [PROTECTION_S], shown: [true] },
  { what: 'a disarmed switch stays off', answers: [false], asked: [], shown: [false] },
  { what: 'a failed request is repeated', answers: ['fails', true], asked: [10], shown: [true] },
] as const;

for (const { answers, asked, shown, what } of CASES) {
  test(what, async () => {
    const one = stage(answers);
    await resumeProtection(one.ports);
    assert.deepEqual(one.asked, asked);
    assert.deepEqual(one.shown, shown);
    assert.equal(one.waits(), answers.length - 1);
  });
}

test('a closed stream ends the attempts, and no state is shown', async () => {
  const { ports, shown } = stage([true]);
  await resumeProtection({ ...ports, stream: { ...ports.stream, status: 'closed' } });
  assert.deepEqual(shown, []);
});

test('the state is shown only after the exchange has confirmed it', async () => {
  const { asked, ports, shown } = stage([]);
  await setProtection(ports, true);
  await setProtection(ports, false);
  assert.deepEqual(
    [asked, shown],
    [
      [10, 0],
      [true, false],
    ],
  );
  const refuses = async () => Promise.reject(new Error('refused'));
  const stream = { ...ports.stream, cancelOnDisconnect: refuses };
  await assert.rejects(setProtection({ ...ports, stream }, true));
  assert.deepEqual(shown, [true, false]);
});

test('canceled orders are shown with the time at which the switch fired', async () => {
  const { ports } = stage([]);
  const shown: Protection[] = [];
  const show = (protection: Protection) => void shown.push(protection);
  const at = '2026-11-17T12:00:00.000Z';
  for (const orders_canceled of [3, 0]) {
    const readSwitch = async () => ({ armed: false, fired_at: at, orders_canceled });
    await resumeProtection({ ...ports, readSwitch, show });
  }
  assert.deepEqual(shown, [{ isOn: false, fired: { at, orders: 3 } }, { isOn: false }]);
});
