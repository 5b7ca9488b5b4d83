// Saves a list as a file, and shows its row count and hash as the exchange records them.

import { Download } from 'lucide-react';
import { useState } from 'react';
import { RialtoError } from '../../../client/index.ts';
import { saveFile, useAct } from '../../forms/index.ts';
import { Button, showToast } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import { exportOutcome, sha256Of } from './export-file.ts';

export function ExportButton({
  label,
  load,
  name,
}: {
  /** File name without the extension. */
  name: string;
  label?: string;
  load(): Promise<string>;
}) {
  const { t } = useLook();
  const [taken, setTaken] = useState<string>();
  const take = useAct(async () => {
    setTaken(undefined);
    try {
      const text = await load();
      const outcome = exportOutcome(text);
      if (outcome.kind === 'pending') {
        showToast(
          'plain',
          t('console.pending'),
          t('console.pendingText', { id: outcome.approvalId }),
        );
        return;
      }
      saveFile(`${name}.csv`, text, 'text/csv');
      const hash = await sha256Of(new TextEncoder().encode(text));
      setTaken(t('list.taken', { rows: outcome.rows, hash }));
    } catch (fault) {
      const code = fault instanceof RialtoError ? fault.code : undefined;
      const text = fault instanceof Error ? fault.message : String(fault);
      showToast('refused', text, code === undefined ? undefined : t('state.code', { code }));
    }
  });
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span role="status" className="truncate text-label text-quiet" title={taken}>
        {taken}
      </span>
      <Button size="small" isBusy={take.isBusy} onClick={() => take.run()}>
        <Download size={12} aria-hidden="true" />
        {label ?? t('list.export')}
      </Button>
    </span>
  );
}
