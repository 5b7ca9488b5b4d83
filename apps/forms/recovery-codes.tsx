// Shows recovery codes once. The user must confirm having copied or saved them to continue.

import { useState } from 'react';
import { Button, Checkbox, useLook } from '../ui/index.ts';
import { CopyButton, DownloadButton } from './fields.tsx';

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const { t } = useLook();
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-3">
      <p className="text-body text-quiet">{t('recovery.shownOnce')}</p>
      <ol
        aria-label={t('recovery.title')}
        dir="ltr"
        className="grid grid-cols-1 gap-x-4 gap-y-1 rounded bg-raised p-3 font-mono text-body select-all"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <CopyButton label={t('people.copy')} text={text} />
        <DownloadButton
          label={t('people.download')}
          name="rialto-recovery-codes.txt"
          text={`${text}\n`}
        />
      </div>
      <Checkbox label={t('recovery.kept')} isOn={isKept} onChange={setKept} />
      <Button look="main" size="large" disabled={!isKept} onClick={onKept}>
        {t('people.continue')}
      </Button>
    </div>
  );
}
