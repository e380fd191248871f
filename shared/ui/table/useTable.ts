// A table's question to the gateway and its answer: paging, sorting, filters, reloads.

import { useState } from 'react';
import type { QueryValues } from '../../api/query.ts';
import { useUserZone } from '../../time/userZone.ts';
import { type ListOptions, type LoadedPage, useList } from '../records/useList.ts';
import { useSettled } from '../records/useSettled.ts';
import { useSession } from '../session.ts';
import {
  FIRST_PAGE,
  type PageInView,
  type PageStep,
  type Paging,
  pagingAtDay,
  pagingFromStart,
  pagingInstead,
  placeOf,
  stepped,
} from './paging.ts';
import { readSetUp, type TableSetUp, writeSetUp } from './tableMemory.ts';
import { jumpTo, listQueryOf, type Sorting, type TableChoice } from './tableState.ts';

/** Typing is over when nothing was typed for this long. */
const SEARCH_PAUSE_MS = 300;

export interface TableOptions<Row> extends Omit<ListOptions<Row>, 'query'> {
  /** Names the table where its set-up is remembered. */
  readonly name: string;
  readonly sorting?: Sorting;
  /** The order is the page's matter, such as one that stands in its address: `sorting` is the present one. */
  readonly onSorting?: (sorting: Sorting | undefined) => void;
  /** What the page's own filters say. */
  readonly filters?: QueryValues;
  /** What the list is of: an empty one then says that there is nothing, not that nothing matches. */
  readonly scope?: QueryValues;
  /** The page's own search text, from the top bar; without it the table has a search field of its own. */
  readonly search?: string;
}

export interface Table<Row> {
  readonly name: string;
  readonly list: LoadedPage<Row>;
  readonly choice: TableChoice;
  readonly paging: Paging;
  readonly view: PageInView<Row>;
  readonly setUp: TableSetUp;
  /** Whether the search text is the table's own. */
  readonly hasOwnSearch: boolean;
  /** What is typed, which is asked for a moment later. */
  readonly typed: string;
  /** Other rows are on their way: these aren't yet what was typed or asked for. */
  readonly isBusy: boolean;
  goTo(step: PageStep): void;
  /** yyyy-MM-dd in the user's zone; '' goes back to the first page. Only of a table that is sorted by moments. */
  jumpToDay(day: string): void;
  setSorting(sorting: Sorting | undefined): void;
  setSearch(text: string): void;
  changeSetUp(part: Partial<TableSetUp>): void;
  /** Asks again for what is shown. */
  reload(): void;
}

const NO_FILTERS: QueryValues = {};

export function useTable<Row>(options: TableOptions<Row>): Table<Row> {
  const { name, load, filters = NO_FILTERS, scope = NO_FILTERS, search: given, changedBy, everyMs } = options;
  const zone = useUserZone();
  const [setUp, changeSetUp] = useSetUp(name);
  const [sorting, setSorting] = useSorting(options);
  const [own, setOwn] = useState('');
  const typed = given ?? own;
  const search = useSettled(typed, SEARCH_PAUSE_MS);
  const narrowing = JSON.stringify([search, filters, scope, options.onSorting && sorting]);
  const [paging, setPaging] = usePaging(narrowing);
  const { pageSize } = setUp;
  const choice: TableChoice = { place: placeOf(paging), pageSize, sorting, search, filters, scope };
  const list = useList({ name, load, query: listQueryOf(choice), changedBy, everyMs });
  const view = { page: list.page, isKnown: list.isKnown, pageSize };
  const instead = list.isKnown ? pagingInstead(paging, view) : undefined;
  if (instead !== undefined) setPaging(instead);
  return {
    name,
    list,
    choice,
    paging,
    view,
    setUp,
    hasOwnSearch: given === undefined,
    typed,
    isBusy: list.isLoading || typed !== search,
    goTo: (step) => setPaging(stepped(paging, step, view) ?? paging),
    jumpToDay: (day) => {
      const jump = jumpTo(day, sorting, zone);
      setPaging(jump === undefined ? FIRST_PAGE : pagingAtDay(jump));
    },
    setSorting: (next) => {
      setSorting(next);
      setPaging(FIRST_PAGE);
    },
    setSearch: setOwn,
    changeSetUp: (part) => {
      changeSetUp(part);
      if (part.pageSize !== undefined && part.pageSize !== pageSize) setPaging(pagingFromStart(paging));
    },
    reload: list.reload,
  };
}

/** No order is the table's own one, not a chance one. */
function useSorting<Row>({ sorting, onSorting }: TableOptions<Row>) {
  const [own, setOwn] = useState(sorting);
  if (onSorting !== undefined) return [sorting, onSorting] as const;
  return [own, (next: Sorting | undefined) => setOwn(next ?? sorting)] as const;
}

/** The page in view; another filter begins at the first. */
function usePaging(narrowing: string): [Paging, (paging: Paging) => void] {
  const [chosen, setChosen] = useState({ paging: FIRST_PAGE, narrowing });
  const isOther = chosen.narrowing !== narrowing;
  const set = (paging: Paging) => setChosen({ paging, narrowing });
  // Forgotten, too: the filter of before begins at the first as well.
  if (isOther) set(FIRST_PAGE);
  return [isOther ? FIRST_PAGE : chosen.paging, set];
}

function useSetUp(name: string): [TableSetUp, (part: Partial<TableSetUp>) => void] {
  const session = useSession();
  const username = session.kind === 'signed-in' ? session.status.username : '';
  const [setUp, setSetUp] = useState(() => readSetUp(username, name));
  const change = (part: Partial<TableSetUp>) => {
    const next = { ...setUp, ...part };
    setSetUp(next);
    writeSetUp(username, name, next);
  };
  return [setUp, change];
}
