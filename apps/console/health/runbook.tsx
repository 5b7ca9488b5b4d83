// The runbook of an alarm, in the page: the person on duty needs no other tool to read it.

import { useQuery } from '@tanstack/react-query';
import { BookX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog, Notice } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import { type Block, blocksOf, type Inline } from './markdown.ts';
import { loadRunbook } from './runbook-pages.ts';

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
      {isOpen && <Runbook page={page} onClose={() => setOpen(false)} />}
    </>
  );
}

function Runbook({ onClose, page: first }: { page: string; onClose(): void }) {
  const { t } = useLook();
  const [page, setPage] = useState(first);
  const { data } = useQuery({
    queryKey: ['runbook', page],
    queryFn: async () => (await loadRunbook(page)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Dialog title={`${t('health.runbook')}: ${page}`} form="wide" isOpen onClose={onClose}>
      {data === null && <Notice icon={<BookX />} title={t('health.noRunbook')} />}
      {typeof data === 'string' && (
        // Runbooks are written in English, whatever the language of the page.
        <article lang="en" dir="ltr" className="flex flex-col gap-2 text-value">
          {blocksOf(data).map((block, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a page never change.
            <BlockView key={at} block={block} onPage={setPage} />
          ))}
        </article>
      )}
    </Dialog>
  );
}

function BlockView({ block, onPage }: { block: Block; onPage(page: string): void }) {
  const line = (parts: readonly Inline[]) => <LineView parts={parts} onPage={onPage} />;
  if (block.kind === 'heading') {
    return block.level === 1 ? (
      <h3 className="text-title font-semibold">{block.text}</h3>
    ) : (
      <h4 className="mt-2 font-semibold">{block.text}</h4>
    );
  }
  if (block.kind === 'code') return <pre className={`${CODE} p-2`}>{block.text}</pre>;
  if (block.kind === 'paragraph') return <p>{line(block.line)}</p>;
  if (block.kind === 'list') {
    const List = block.isOrdered ? 'ol' : 'ul';
    return (
      <List
        className={`flex flex-col gap-1 ps-5 ${block.isOrdered ? 'list-decimal' : 'list-disc'}`}
      >
        {block.items.map((item) => (
          <li key={JSON.stringify(item)}>{line(item)}</li>
        ))}
      </List>
    );
  }
  return (
    <table className="border-collapse text-body">
      <thead>
        <tr>{block.head.map((cell) => headCell(cell, line(cell)))}</tr>
      </thead>
      <tbody>
        {block.rows.map((row) => (
          <tr key={JSON.stringify(row)}>
            {row.map((cell) => (
              <td key={JSON.stringify(cell)} className="border border-line px-2 py-1 align-top">
                {line(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function headCell(cell: readonly Inline[], content: ReactNode) {
  return (
    <th key={JSON.stringify(cell)} scope="col" className="border border-line px-2 py-1 text-start">
      {content}
    </th>
  );
}

const CODE = 'overflow-x-auto rounded bg-raised px-1 font-mono text-body';

function LineView({ onPage, parts }: { parts: readonly Inline[]; onPage(page: string): void }) {
  return parts.map((part, at) => {
    const key = `${at} ${part.text}`;
    if (part.kind === 'code') {
      return (
        <code key={key} className={CODE}>
          {part.text}
        </code>
      );
    }
    if (part.kind === 'strong') return <strong key={key}>{part.text}</strong>;
    if (part.kind !== 'link') return <span key={key}>{part.text}</span>;
    return (
      <button
        key={key}
        type="button"
        onClick={() => onPage(part.page)}
        className="text-accent hover:underline"
      >
        {part.text}
      </button>
    );
  });
}
