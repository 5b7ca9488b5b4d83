// Searches everything by exact ID, number, address or name.

import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { SearchResult } from '../../client/index.ts';
import { stateOfError } from '../ui/index.ts';
import { exchange } from './exchange.ts';
import { numberOf, pathOfResult } from './search-target.ts';
import { useLook, useNames } from './use-words.ts';

export function SearchBox({ paths }: { paths: readonly string[] }) {
  const { t } = useLook();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  // The text differs from the question, so answers to the question are not shown.
  const [isTyping, setTyping] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked(text.trim());
    setTyping(false);
  };
  return (
    <search className="relative min-w-0 flex-1">
      <form onSubmit={submit} className="relative max-w-md">
        <Search
          size={14}
          aria-hidden="true"
          className="pointer-events-none absolute inset-s-2 top-2 text-quiet"
        />
        <input
          ref={field}
          type="search"
          aria-label={t('console.findLabel')}
          placeholder={t('console.find')}
          value={text}
          maxLength={200}
          onChange={({ target }) => {
            setText(target.value);
            setTyping(true);
          }}
          onKeyDown={({ key }) => {
            if (key === 'Escape') {
              setAsked('');
              setTyping(false);
            }
          }}
          className="h-7.5 w-full rounded border border-edge bg-raised ps-7 pe-2 text-body"
        />
      </form>
      {isTyping && text.trim() !== '' && (
        <Answer>
          <p className="px-3 text-body text-quiet">
            {t('console.pressEnter')} {t('console.findHint')}
          </p>
        </Answer>
      )}
      {!isTyping && asked !== '' && (
        <Results asked={asked} paths={paths} onClose={() => setAsked('')} />
      )}
    </search>
  );
}

function Results({
  asked,
  onClose,
  paths,
}: {
  asked: string;
  paths: readonly string[];
  onClose(): void;
}) {
  const { t } = useLook();
  const found = useQuery({
    queryKey: ['private', 'search', asked],
    queryFn: ({ signal }) => exchange.search({ q: asked }, { signal }),
  });
  const failed = found.error === null ? undefined : stateOfError(found.error);
  return (
    <Answer>
      <div role="status" className="px-3 text-body text-quiet empty:hidden">
        {found.isPending && t('state.loading')}
        {failed?.kind === 'refused' && failed.message}
        {found.data?.count === 0 && t('console.nothingFound')}
        {found.data?.is_complete === false && t('console.partlyFound')}
      </div>
      <ul>
        {found.data?.data.map((result) => (
          <li key={`${result.type} ${result.id}`}>
            <ResultRow result={result} paths={paths} onClose={onClose} />
          </li>
        ))}
      </ul>
    </Answer>
  );
}

function Answer({ children }: { children: ReactNode }) {
  return (
    <div className="absolute inset-x-0 top-9 z-40 max-h-[70dvh] max-w-xl overflow-y-auto rounded border border-line bg-panel py-1">
      {children}
    </div>
  );
}

function ResultRow({
  onClose,
  paths,
  result,
}: {
  result: SearchResult;
  paths: readonly string[];
  onClose(): void;
}) {
  const { time } = useLook();
  const nameOf = useNames();
  const navigate = useNavigate();
  const target = pathOfResult(result, paths);
  const number = numberOf(result);
  const content = (
    <>
      <span className="w-24 flex-none text-label text-quiet">
        {nameOf('searchType', result.type)}
      </span>
      <bdi dir="auto" className="min-w-0 flex-1 truncate">
        {number !== undefined && <strong className="me-2 font-semibold">{number}</strong>}
        {result.title}
      </bdi>
      {result.at !== null && (
        <span className="text-label text-quiet">{time(result.at, 'short')}</span>
      )}
    </>
  );
  const shape = 'flex min-h-8 w-full items-center gap-2 px-3 text-start text-body';
  if (target === undefined) return <div className={shape}>{content}</div>;
  return (
    <button
      type="button"
      className={`${shape} hover:bg-raised`}
      onClick={() => {
        onClose();
        void navigate({ to: target.path, search: target.search as never });
      }}
    >
      {content}
    </button>
  );
}
