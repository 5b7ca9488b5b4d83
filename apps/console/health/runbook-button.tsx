// Opens an alarm's runbook.

import { lazy, Suspense, useState } from 'react';
import { useLook } from '../use-words.ts';

const Runbook = lazy(async () => ({ default: (await import('./runbook.tsx')).Runbook }));

export function RunbookButton({ alarm, page }: { alarm: string; page: string }) {
  const { t } = useLook();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={t('health.openRunbook', { name: alarm })}
        onClick={() => setOpen(true)}
        className="tap-target text-accent hover:underline"
      >
        {t('health.runbook')}
      </button>
      <Suspense fallback={null}>
        {isOpen && <Runbook page={page} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
