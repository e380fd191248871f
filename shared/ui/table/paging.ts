// Where a table stands in its list, and the way to the pages around it. Pages are counted from the beginning and reached by
// cursors, so that rows that others add shift nothing; behind a day that was jumped to they are not counted. No React here.
import type { ListPage, ListPlace } from '../../api/list.ts';

export interface Paging {
  /** Number of the first page of the trail, from 0. Without meaning behind a jump. */
  readonly firstNumber: number;
  /** Where the pages begin that led to the one in view, which is the last: the way back. */
  readonly trail: readonly [ListPlace, ...ListPlace[]];
  readonly jump: DayJump | undefined;
}

export interface DayJump {
  /** yyyy-MM-dd in the user's zone. */
  readonly day: string;
  readonly startMs: number;
}

export type PageStep = 'first' | 'previous' | 'next';

/** What is known of the page in view: the answer, and whether it is that of this page or still of another. */
export interface PageInView<Row = unknown> {
  readonly page: ListPage<Row>;
  readonly isKnown: boolean;
  readonly pageSize: number;
}

export const FIRST_PAGE: Paging = { firstNumber: 0, trail: [{ offset: 0 }], jump: undefined };

export function pagingAtDay(jump: DayJump): Paging {
  return { firstNumber: 0, trail: [{ start: jump.startMs }], jump };
}

/** The same beginning, with pages of another size. */
export function pagingFromStart({ jump }: Paging): Paging {
  return jump === undefined ? FIRST_PAGE : pagingAtDay(jump);
}

export function placeOf({ trail }: Paging): ListPlace {
  return trail.at(-1) ?? trail[0];
}

/** The number of the page in view, from 0. */
export function pageNumber({ firstNumber, trail }: Paging): number {
  return firstNumber + trail.length - 1;
}

/** The place that a step leads to; undefined where it leads nowhere, or the place is not known yet. */
export function stepped(paging: Paging, step: PageStep, view: PageInView): Paging | undefined {
  switch (step) {
    case 'first':
      return FIRST_PAGE;
    case 'previous':
      return previousPage(paging, view);
    case 'next':
      return nextPage(paging, view);
  }
}

function nextPage(paging: Paging, { page, isKnown, pageSize }: PageInView): Paging | undefined {
  if (isKnown) return page.next === null ? undefined : onward(paging, { after: page.next });
  // A quick second click, before the page has come that has the cursor.
  const offset = (pageNumber(paging) + 1) * pageSize;
  return paging.jump === undefined && offset < page.total ? onward(paging, { offset }) : undefined;
}

function onward(paging: Paging, place: ListPlace): Paging {
  return { ...paging, trail: [...paging.trail, place] };
}

function previousPage(paging: Paging, { page, isKnown, pageSize }: PageInView): Paging | undefined {
  const { firstNumber, trail, jump } = paging;
  const [first, ...others] = trail;
  if (others.length > 0) return { ...paging, trail: [first, ...others.slice(0, -1)] };
  if (jump === undefined) return firstNumber === 0 ? undefined : pageAt(firstNumber - 1, pageSize);
  return isKnown && page.previous !== null ? { ...paging, trail: [{ before: page.previous }] } : undefined;
}

function pageAt(number: number, pageSize: number): Paging {
  return { firstNumber: number, trail: [{ offset: number * pageSize }], jump: undefined };
}

/** Whether a step's button can be used. While a page is on its way it stays as it was: a disabled button loses the focus. */
export function canStep(paging: Paging, step: PageStep, view: PageInView): boolean {
  const isFirst = paging.jump === undefined && pageNumber(paging) === 0;
  switch (step) {
    case 'first':
      return !isFirst;
    case 'previous':
      return !isFirst && stepped(paging, step, { ...view, isKnown: true }) !== undefined;
    case 'next':
      return view.page.next !== null;
  }
}

/** The page to show when this one has no rows left: the last that has. Undefined when the page is right. */
export function pagingInstead(paging: Paging, { page, pageSize }: PageInView): Paging | undefined {
  const { rows, total, hasMoreThanTotal } = page;
  const number = pageNumber(paging);
  if (paging.jump === undefined && !hasMoreThanTotal) {
    const last = Math.max(0, Math.ceil(total / pageSize) - 1);
    return number > last ? pageAt(last, pageSize) : undefined;
  }
  if (rows.length > 0) return undefined;
  // Nothing stands before the first row of the list.
  if ('before' in placeOf(paging)) return FIRST_PAGE;
  return previousPage(paging, { page, pageSize, isKnown: false });
}

export interface RowRange {
  /** Numbers of the first and the last row in view, from 1; both 0 for an empty list. */
  readonly from: number;
  readonly to: number;
}

export function rangeOf(paging: Paging, { page, isKnown, pageSize }: PageInView): RowRange {
  const { total, hasMoreThanTotal, rows, next } = page;
  const from = pageNumber(paging) * pageSize + 1;
  if (total === 0) return { from: 0, to: 0 };
  if (!isKnown) return { from, to: hasMoreThanTotal ? from + pageSize - 1 : Math.min(from + pageSize - 1, total) };
  // Counted from the end where the list ends: others may have removed rows before this page, which a cursor leaves where it is.
  if (next === null && !hasMoreThanTotal) return { from: total - rows.length + 1, to: total };
  return { from, to: from + rows.length - 1 };
}
