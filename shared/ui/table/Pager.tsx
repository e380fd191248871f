// The foot of a table: rows per page, which rows are in view, and the ways to others.
import TablePagination, { tablePaginationClasses } from '@mui/material/TablePagination';
import { useTranslation } from 'react-i18next';
import { canStep, type PageInView, type PageStep, type Paging, rangeOf } from './paging.ts';
import { PAGE_SIZES } from './tableMemory.ts';

export interface PagerProps {
  readonly paging: Paging;
  readonly view: PageInView;
  readonly goTo: (step: PageStep) => void;
  readonly setPageSize: (pageSize: number) => void;
}

/** Looks as the grid's own one, which knows pages by their numbers only: of two buttons it cannot tell which leads to page 0. */
const PAGE_HERE = 2;
const STEPS: Readonly<Record<number, PageStep>> = { 0: 'first', 1: 'previous', 3: 'next' };
const UNCOUNTED = -1;

export function Pager({ paging, view, goTo, setPageSize }: PagerProps) {
  const { t } = useTranslation('Table');
  const texts = useRangeText(paging, view);
  const labels = { first: t('Go to first page'), previous: t('Go to previous page'), next: t('Go to next page') };
  const button = (step: PageStep) => ({ disabled: !canStep(paging, step, view), color: 'inherit' as const });
  return (
    <TablePagination
      component="div"
      count={UNCOUNTED}
      page={PAGE_HERE}
      onPageChange={(_, page) => {
        const step = STEPS[page];
        if (step !== undefined) goTo(step);
      }}
      rowsPerPage={view.pageSize}
      rowsPerPageOptions={PAGE_SIZES}
      onRowsPerPageChange={(event) => setPageSize(Number(event.target.value))}
      labelRowsPerPage={t('Rows per page')}
      labelDisplayedRows={() => texts}
      getItemAriaLabel={(type) => (type === 'last' ? '' : labels[type])}
      showFirstButton
      slotProps={{
        actions: { firstButton: button('first'), previousButton: button('previous'), nextButton: button('next') },
      }}
      sx={PAGER}
    />
  );
}

// Digits alike in all languages.
const numbers = new Intl.NumberFormat('en-US');

function useRangeText(paging: Paging, view: PageInView): string {
  const { t } = useTranslation('Table');
  if (paging.jump !== undefined) return t('From {{day}}', { day: paging.jump.day });
  const { from, to } = rangeOf(paging, view);
  const values = {
    from: numbers.format(from),
    to: numbers.format(to),
    total: numbers.format(view.page.total),
  };
  return view.page.hasMoreThanTotal
    ? t('{{from}}–{{to}} of more than {{total}}', values)
    : t('{{from}}–{{to}} of {{total}}', values);
}

const PAGER = {
  maxHeight: 'calc(100% + 1px)',
  flexGrow: 1,
  // A phone has no room for more than the way on.
  [`& .${tablePaginationClasses.selectLabel}`]: { display: { xs: 'none', sm: 'block' } },
  [`& .${tablePaginationClasses.input}`]: { display: { xs: 'none', sm: 'inline-flex' } },
} as const;
