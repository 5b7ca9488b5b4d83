// Command palette and key list: every action and every market by name.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { Dialog, Toggle, useLook } from '../../ui/index.ts';
import { constantsQuery } from '../exchange.ts';
import { KEYS, type KeyAct } from './keys.ts';
import { pairName } from './market-header.tsx';

interface Command {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  run(): void;
}

export function Palette({
  isOpen,
  onAct,
  onClose,
}: {
  isOpen: boolean;
  onClose(): void;
  onAct(act: KeyAct): void;
}) {
  const { t } = useLook();
  return (
    <Dialog title={t('keys.palette')} isOpen={isOpen} onClose={onClose}>
      <CommandList onAct={onAct} onClose={onClose} />
    </Dialog>
  );
}

function CommandList({ onAct, onClose }: { onClose(): void; onAct(act: KeyAct): void }) {
  const { preferences, prefer, t } = useLook();
  const navigate = useNavigate();
  const { data: constants } = useQuery(constantsQuery);
  const [sought, setSought] = useState('');
  const [active, setActive] = useState(0);
  const id = useId();
  const all: Command[] = [
    ...Object.values(constants?.pairs ?? {}).map((pair) => ({
      key: pair.code,
      label: pairName(pair),
      hint: t('shell.pair'),
      run: () => void navigate({ to: `/trade/${pair.code}` }),
    })),
    ...KEYS.filter(({ act }) => act !== 'palette').map(({ act, keys, word }) => ({
      key: act,
      label: t(word),
      hint: keys,
      run: () => onAct(act),
    })),
    {
      key: 'theme',
      label: `${t('shell.theme')}: ${t(preferences.theme === 'light' ? 'shell.dark' : 'shell.light')}`,
      hint: '',
      run: () => prefer({ theme: preferences.theme === 'light' ? 'dark' : 'light' }),
    },
  ];
  const found = all.filter(({ label }) =>
    label.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (move !== 0) {
      event.preventDefault();
      setActive((now) => Math.max(0, Math.min(found.length - 1, now + move)));
    }
    if (event.key === 'Enter') run(found[active]);
  };
  return (
    <>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={`${id}-${active}`}
        aria-label={t('shell.search')}
        placeholder={t('shell.search')}
        value={sought}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setSought(target.value);
          setActive(0);
        }}
        className="mb-2 h-control w-full rounded border border-edge bg-raised px-2 text-value"
      />
      <div id={id} role="listbox" aria-label={t('keys.palette')} className="flex flex-col">
        {found.map((command, at) => (
          <button
            key={command.key}
            id={`${id}-${at}`}
            type="button"
            role="option"
            aria-selected={at === active}
            tabIndex={-1}
            onClick={() => run(command)}
            className="flex min-h-8 items-center justify-between rounded px-2 text-start hover:bg-raised aria-selected:bg-raised"
          >
            <span>{command.label}</span>
            <span className="text-label text-quiet">{command.hint}</span>
          </button>
        ))}
      </div>
    </>
  );
}

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { prefer, preferences, t } = useLook();
  return (
    <Dialog title={t('keys.help')} isOpen={isOpen} onClose={onClose}>
      <dl className="mb-4 grid grid-cols-[1fr_auto] gap-y-1">
        {KEYS.map(({ act, keys, word }) => (
          <div key={act} className="contents">
            <dt>{t(word)}</dt>
            <dd className="text-end">
              <kbd className="rounded border border-line bg-raised px-1.5 font-sans">{keys}</kbd>
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-col gap-2 border-t border-line pt-3">
        <Toggle
          label={t('keys.sends')}
          isOn={preferences.sendsByKey}
          onChange={(sendsByKey) => prefer({ sendsByKey })}
        />
        <Toggle
          label={t('keys.confirms')}
          isOn={preferences.confirms}
          onChange={(confirms) => prefer({ confirms })}
        />
      </div>
    </Dialog>
  );
}
