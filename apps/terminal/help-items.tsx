// Menu lines to the operator's pages: help, terms and privacy. Nothing if there are none.

import { useQuery } from '@tanstack/react-query';
import { MenuItem, MenuLine, useLook } from '../ui/index.ts';
import { operatorPages } from './money/bank-fields.ts';
import { kitQuery } from './money/queries.ts';

export function HelpItems() {
  const { t } = useLook();
  const { data: kit } = useQuery(kitQuery);
  const pages = kit === undefined ? [] : operatorPages(kit.links);
  if (pages.length === 0) return null;
  return (
    <>
      <MenuLine />
      {pages.map(({ link, page }) => (
        <MenuItem key={page} render={<a href={link} rel="noreferrer" />}>
          {t(`help.${page}`)}
        </MenuItem>
      ))}
    </>
  );
}
