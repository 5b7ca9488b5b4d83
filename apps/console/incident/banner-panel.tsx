// Banner above every screen for all users; operators set and remove it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Chip } from '../../forms/index.ts';
import { Button, Field, Panel, Select, stateOfList } from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { useOperator } from '../session.tsx';
import { useLook } from '../use-words.ts';

const KINDS = ['incident', 'warning', 'info'] as const;
const COLOURS = { incident: 'text-down', warning: 'text-warn', info: 'text-accent' } as const;

export function BannerPanel({ onDone }: { onDone(text: string): void }) {
  const { t, time } = useLook();
  const { may } = useOperator();
  const [act, setAct] = useState<'set' | 'remove'>();
  const status = useQuery({
    queryKey: ['private', 'banners'],
    queryFn: async ({ signal }) => (await exchange.getStatus({ signal })).banners,
  });
  return (
    <Panel
      title={t('incident.banner')}
      dialogs={
        <>
          {act === 'set' && <SetBanner onDone={onDone} onClose={() => setAct(undefined)} />}
          {act === 'remove' && (
            <ActDialog
              title={t('incident.removeBanner')}
              submit={t('incident.removeBanner')}
              act={async () => {
                const answer = await exchange.removeBanner();
                onDone('–');
                return answer;
              }}
              onClose={() => setAct(undefined)}
            >
              <p className="text-value">{t('incident.removeText')}</p>
            </ActDialog>
          )}
        </>
      }
      state={stateOfList(status, t('incident.noBanner'))}
      after={
        <span className="flex gap-1">
          {may('setBanner') && (
            <Button size="small" look="main" onClick={() => setAct('set')}>
              {t('incident.setBanner')}
            </Button>
          )}
          {may('removeBanner') && (status.data?.length ?? 0) > 0 && (
            <Button size="small" onClick={() => setAct('remove')}>
              {t('incident.removeBanner')}
            </Button>
          )}
        </span>
      }
    >
      <ul className="p-2">
        {status.data?.map(({ kind, since, text }) => (
          <li key={`${kind} ${since} ${text}`} className="flex flex-wrap gap-2 text-value">
            <Chip color={COLOURS[kind]}>{t(`incident.bannerKind.${kind}`)}</Chip>
            <bdi className="min-w-0 flex-1">{text}</bdi>
            <span className="text-label text-quiet">{time(since, 'short')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function SetBanner({ onClose, onDone }: { onClose(): void; onDone(text: string): void }) {
  const { t } = useLook();
  const [kind, setKind] = useState<(typeof KINDS)[number]>('incident');
  const [text, setText] = useState('');
  return (
    <ActDialog
      title={t('incident.setBanner')}
      submit={t('incident.setBanner')}
      act={async () => {
        const answer = await exchange.setBanner({ kind, text });
        onDone(`${kind}: ${text}`);
        return answer;
      }}
      onClose={onClose}
    >
      <p className="text-value">{t('incident.bannerText')}</p>
      <Select
        label={t('users.type')}
        value={kind}
        onValue={setKind}
        choices={KINDS.map((value) => ({ value, label: t(`incident.bannerKind.${value}`) }))}
      />
      <Field
        label={t('incident.text')}
        required
        maxLength={500}
        dir="auto"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
    </ActDialog>
  );
}
