// Renders an alarm's runbook in the page, so operators need no other tool. Loaded when it is opened.

import { useQuery } from '@tanstack/react-query';
import { BookX } from 'lucide-react';
import type { MarkedToken, Tokens } from 'marked';
import { useState } from 'react';
import { Dialog, Notice } from '../../ui/index.ts';
import { useLook } from '../use-words.ts';
import { innerTokens, linkedPage, type MarkdownTokens, tokensOf } from './markdown.ts';
import { loadRunbook } from './runbook-pages.ts';

export function Runbook({ onClose, page: first }: { page: string; onClose(): void }) {
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
        // Runbooks are in English in every page language.
        <article lang="en" dir="ltr" className="flex flex-col gap-2 text-value">
          <TokensView tokens={tokensOf(data)} onPage={setPage} />
        </article>
      )}
    </Dialog>
  );
}

interface TokensProps {
  readonly tokens: MarkdownTokens;
  onPage(page: string): void;
}

function TokensView({ onPage, tokens }: TokensProps) {
  return tokens.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a page never change.
    <TokenView key={at} token={token} onPage={onPage} />
  ));
}

const CODE = 'overflow-x-auto rounded bg-raised px-1 font-mono text-body';

function TokenView({ onPage, token }: { token: MarkedToken; onPage(page: string): void }) {
  const inner = innerTokens(token);
  const content =
    inner === undefined ? textOf(token) : <TokensView tokens={inner} onPage={onPage} />;
  switch (token.type) {
    case 'heading':
      return token.depth === 1 ? (
        <h3 className="text-title font-semibold">{content}</h3>
      ) : (
        <h4 className="mt-2 font-semibold">{content}</h4>
      );
    case 'paragraph':
      return <p>{content}</p>;
    case 'code':
      return <pre className={`${CODE} p-2`}>{token.text}</pre>;
    case 'list':
      return <ListView list={token} onPage={onPage} />;
    case 'list_item':
      return <li>{content}</li>;
    case 'table':
      return <TableView table={token} onPage={onPage} />;
    case 'codespan':
      return <code className={CODE}>{token.text}</code>;
    case 'strong':
      return <strong>{content}</strong>;
    case 'link':
      return <LinkView link={token} onPage={onPage} />;
    default:
      return content;
  }
}

function textOf(token: MarkedToken): string {
  return 'text' in token ? token.text : token.raw;
}

function ListView({ list, onPage }: { list: Tokens.List; onPage(page: string): void }) {
  const List = list.ordered ? 'ol' : 'ul';
  return (
    <List className={`flex flex-col gap-1 ps-5 ${list.ordered ? 'list-decimal' : 'list-disc'}`}>
      <TokensView tokens={list.items} onPage={onPage} />
    </List>
  );
}

/** Renders only links to other runbooks as links. */
function LinkView({ link, onPage }: { link: Tokens.Link; onPage(page: string): void }) {
  const page = linkedPage(link.href);
  if (page === undefined) return link.text;
  return (
    <button type="button" onClick={() => onPage(page)} className="text-accent hover:underline">
      {link.text}
    </button>
  );
}

function TableView({ onPage, table }: { table: Tokens.Table; onPage(page: string): void }) {
  const cell = ({ tokens }: Tokens.TableCell) => (
    <TokensView tokens={tokens as MarkedToken[]} onPage={onPage} />
  );
  return (
    <table className="border-collapse text-body">
      <thead>
        <tr>
          {table.header.map((head) => (
            <th key={head.text} scope="col" className="border border-line px-2 py-1 text-start">
              {cell(head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => (
          <tr key={JSON.stringify(row)}>
            {row.map((one) => (
              <td key={one.text} className="border border-line px-2 py-1 align-top">
                {cell(one)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
