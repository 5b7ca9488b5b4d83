// Countdown ring for a quote, with the remaining seconds inside.

import { useEffect, useState } from 'react';
import { useLook } from '../../ui/index.ts';
import { validityLeft } from './conversion.ts';

const RADIUS = 16;
const LENGTH = 2 * Math.PI * RADIUS;

export function ValidityRing({
  expiresMs,
  fromMs,
  onExpired,
}: {
  fromMs: number;
  expiresMs: number;
  onExpired(): void;
}) {
  const { t } = useLook();
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 200);
    return () => clearInterval(timer);
  }, []);
  const isExpired = nowMs >= expiresMs;
  useEffect(() => {
    if (isExpired) onExpired();
  }, [isExpired, onExpired]);
  const left = validityLeft(fromMs, expiresMs, nowMs);
  const seconds = Math.max(0, Math.ceil((expiresMs - nowMs) / 1_000));
  return (
    <span
      role="timer"
      aria-label={t('convert.validFor', { seconds })}
      className="relative inline-flex size-10 flex-none items-center justify-center"
    >
      <svg aria-hidden="true" viewBox="0 0 40 40" className="absolute size-10 -rotate-90">
        <circle cx="20" cy="20" r={RADIUS} fill="none" strokeWidth="3" className="stroke-line" />
        <circle
          cx="20"
          cy="20"
          r={RADIUS}
          fill="none"
          strokeWidth="3"
          strokeLinecap="round"
          strokeDasharray={LENGTH}
          strokeDashoffset={LENGTH * (1 - left)}
          className={left < 0.2 ? 'stroke-warn' : 'stroke-accent'}
        />
      </svg>
      <bdi dir="ltr" aria-hidden="true" className="text-body">
        {seconds}
      </bdi>
    </span>
  );
}
