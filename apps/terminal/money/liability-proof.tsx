// Button that verifies in the browser that the user's balance is included in what the exchange
// published. Must not trust the server: the client's verifier decides.

import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import {
  type LiabilityProofFile,
  type LiabilityResult,
  verifyLiabilityProof,
} from '../../../client/index.ts';
import { Refusal, saveFile, useAct } from '../../forms/index.ts';
import { Amount, Button, Dialog, Notice, useLook } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { useSession } from '../session.tsx';

interface Verified {
  readonly file: LiabilityProofFile;
  readonly result: LiabilityResult;
}

export function LiabilityProof() {
  const { t } = useLook();
  const { user } = useSession();
  const [verified, setVerified] = useState<Verified>();
  const verify = useAct(async () => {
    const file = await exchange.getLiabilityProof();
    const result = await verifyLiabilityProof(file, { word: user?.email ?? '' });
    setVerified({ file, result });
  });
  return (
    <div className="flex w-full flex-col items-start gap-2">
      <Button size="small" look="quiet" isBusy={verify.isBusy} onClick={() => verify.run()}>
        <ShieldCheck size={14} aria-hidden="true" />
        {t('proof.verify')}
      </Button>
      <Refusal error={verify.error} isRepeatable />
      <Dialog
        title={t('proof.verify')}
        isOpen={verified !== undefined}
        onClose={() => setVerified(undefined)}
      >
        {verified !== undefined && <Outcome {...verified} />}
      </Dialog>
    </div>
  );
}

function Outcome({ file, result }: Verified) {
  const { t, time } = useLook();
  const { amounts, document, isValid, publicationHash } = result;
  const isEmpty = result.findings.some(({ problem }) => problem === 'nothing_proven');
  const text = isValid ? 'proof.included' : isEmpty ? 'proof.none' : 'proof.failed';
  const save = () =>
    saveFile(`liability-proof-${file.frame}.json`, JSON.stringify(file), 'application/json');
  return (
    <div className="flex flex-col gap-3 text-body">
      <Notice
        icon={isValid ? <ShieldCheck /> : <ShieldAlert />}
        color={isValid ? 'text-up' : 'text-down'}
        title={t(text)}
      />
      {amounts.length > 0 && (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {amounts.map(({ amount, asset }) => (
            <div key={asset} className="contents">
              <dt className="font-semibold">{asset.toUpperCase()}</dt>
              <dd className="text-end">
                <Amount value={amount} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {isValid && document !== undefined && (
        <>
          <p className="text-quiet">
            {t('proof.at')} {time(document.frame_time)}
          </p>
          <div>
            <p className="text-label text-quiet">{t('proof.hash')}</p>
            <bdi dir="ltr" className="font-mono text-label break-all">
              {publicationHash}
            </bdi>
          </div>
        </>
      )}
      <p className="text-label text-quiet">{t('proof.limits')}</p>
      <Button onClick={save}>{t('proof.save')}</Button>
    </div>
  );
}
