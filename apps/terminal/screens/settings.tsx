// Settings for appearance and confirmations, stored in this browser. The language is also stored in
// the account, because the exchange uses it for messages and emails.

import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Refusal, useAct } from '../../forms/index.ts';
import {
  Amount,
  Change,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  Panel,
  type Preferences,
  READY,
  Segments,
  Select,
  Toggle,
  useLook,
} from '../../ui/index.ts';
import { exchange } from '../exchange.ts';
import { type OrderNotice, readNotices, writeNotices } from '../order-notices.ts';
import { useSession } from '../session.tsx';

export function Screen() {
  const { t } = useLook();
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 px-2 py-4">
      <h1 className="mb-1 text-price font-semibold">{t('nav.settings')}</h1>
      <LookSettings />
      <NumberSettings />
      <TradeSettings />
      <p className="px-2 text-label text-quiet">{t('settings.kept')}</p>
      <NoticeSettings />
    </div>
  );
}

function Row({ children, hint, label }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-2 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="text-body">{label}</p>
        {hint !== undefined && <p className="text-label text-quiet">{hint}</p>}
      </div>
      <div className="w-80 max-w-full flex-none max-sm:w-full">{children}</div>
    </div>
  );
}

function Choices<Name extends 'theme' | 'colours' | 'up' | 'density' | 'digits'>({
  choices,
  hint,
  label,
  name,
}: {
  name: Name;
  label: string;
  hint?: string;
  choices: readonly { value: Preferences[Name]; label: string }[];
}) {
  const { prefer, preferences } = useLook();
  return (
    <Row label={label} {...(hint === undefined ? {} : { hint })}>
      <Segments
        className="flex-wrap"
        label={label}
        choices={choices}
        value={preferences[name]}
        onValue={(value) => prefer({ [name]: value })}
      />
    </Row>
  );
}

function LookSettings() {
  const { t } = useLook();
  return (
    <Panel title={t('settings.look')} state={READY}>
      <LanguageRow />
      <Choices
        name="theme"
        label={t('shell.theme')}
        choices={[
          { value: 'dark', label: t('shell.dark') },
          { value: 'light', label: t('shell.light') },
          { value: 'system', label: t('settings.auto') },
        ]}
      />
      <Choices
        name="colours"
        label={t('settings.colours')}
        hint={t('settings.coloursHint')}
        choices={[
          { value: 'teal', label: t('settings.teal') },
          { value: 'vision', label: t('settings.vision') },
          { value: 'classic', label: t('settings.classic') },
        ]}
      />
      <Choices
        name="up"
        label={t('settings.up')}
        hint={t('settings.upHint')}
        choices={[
          { value: 'first', label: t('settings.upFirst') },
          { value: 'red', label: t('settings.upRed') },
        ]}
      />
      <Choices
        name="density"
        label={t('settings.density')}
        choices={[
          { value: 'compact', label: t('settings.compact') },
          { value: 'comfortable', label: t('settings.comfortable') },
        ]}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1 bg-raised px-2 py-2 text-value">
        <span className="text-label text-quiet">{t('settings.sample')}</span>
        <span className="text-up">
          <Amount value="60000.50" unit="usdt" />
        </span>
        <Change ratio="0.0123" />
        <Change ratio="-0.0045" />
      </div>
    </Panel>
  );
}

function LanguageRow() {
  const { prefer, preferences, t } = useLook();
  const { user } = useSession();
  const queries = useQueryClient();
  const tell = useAct(async (language: Language) => {
    await exchange.changeSettings({ language });
    await queries.invalidateQueries({ queryKey: ['user'] });
  });
  const choose = (language: Language) => {
    prefer({ language });
    if (user !== null && user !== undefined) tell.run(language);
  };
  return (
    <Row label={t('shell.language')} hint={t('settings.languageHint')}>
      <Select
        label={t('shell.language')}
        isLabelHidden
        choices={LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
        value={preferences.language}
        onValue={choose}
      />
      <Refusal error={tell.error} />
    </Row>
  );
}

function NumberSettings() {
  const { prefer, preferences, t } = useLook();
  return (
    <Panel title={t('settings.numbers')} state={READY}>
      <Choices
        name="digits"
        label={t('settings.digits')}
        choices={[
          { value: 'latn', label: '0123456789' },
          { value: 'native', label: t('settings.nativeDigits') },
        ]}
      />
      <SwitchRow
        label={t('settings.hideBalances')}
        isOn={preferences.hidesBalances}
        onChange={(hidesBalances) => prefer({ hidesBalances })}
      />
    </Panel>
  );
}

function TradeSettings() {
  const { prefer, preferences, t } = useLook();
  return (
    <Panel title={t('settings.trading')} state={READY}>
      <SwitchRow
        label={t('settings.confirms')}
        hint={t('settings.confirmsHint')}
        isOn={preferences.confirms}
        onChange={(confirms) => prefer({ confirms })}
      />
      <SwitchRow
        label={t('settings.keys')}
        hint={t('settings.keysHint')}
        isOn={preferences.sendsByKey}
        onChange={(sendsByKey) => prefer({ sendsByKey })}
      />
    </Panel>
  );
}

/** For signed-in users: stored in the account and used in every browser. */
function NoticeSettings() {
  const { t } = useLook();
  const { user } = useSession();
  const queries = useQueryClient();
  const settings = user?.settings.notification;
  const save = useAct(async ({ isOn, kind }: { kind: OrderNotice['kind']; isOn: boolean }) => {
    await exchange.changeSettings({ notification: writeNotices(settings, kind, isOn) });
    await queries.invalidateQueries({ queryKey: ['user'] });
  });
  if (user === null || user === undefined) return null;
  const chosen = readNotices(settings);
  const words = {
    filled: 'settings.noticeFilled',
    part: 'settings.noticePart',
    canceled: 'settings.noticeCanceled',
  } as const;
  return (
    <Panel title={t('settings.notices')} state={READY}>
      {(['filled', 'part', 'canceled'] as const).map((kind) => (
        <SwitchRow
          key={kind}
          label={t(words[kind])}
          isOn={chosen[kind]}
          onChange={(isOn) => save.run({ kind, isOn })}
        />
      ))}
      <p className="px-2 py-2 text-label text-quiet">{t('settings.noticesHint')}</p>
      <Refusal error={save.error} />
    </Panel>
  );
}

function SwitchRow({
  hint,
  isOn,
  label,
  onChange,
}: {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}) {
  return (
    <div className="flex flex-col border-b border-line px-2 py-2.5 last:border-b-0">
      <Toggle label={label} isOn={isOn} onChange={onChange} />
      {hint !== undefined && <p className="ps-9 text-label text-quiet">{hint}</p>}
    </div>
  );
}
