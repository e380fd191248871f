// A table's question to the gateway and its answer: paging, sorting, filters, reloads.

import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ApiResult } from '../../api/client.ts';
import type { ListPage, ListQuery } from '../../api/list.ts';
import type { QueryValues } from '../../api/query.ts';
import { useChangedRecords } from '../../live/pageLive.ts';
import type { RecordKind } from '../../protocol/api/liveUpdates.ts';
import { useSession } from '../session.ts';
import { readSetUp, type TableSetUp, writeSetUp } from './tableMemory.ts';
import {
  emptyTable,
  listQueryOf,
  nextTable,
  pageInstead,
  type Sorting,
  type TableChoice,
  type TableState,
} from './tableState.ts';

/** Typing is over when nothing was typed for this long. */
const SEARCH_PAUSE_MS = 300;
/** Many edits, one reload. */
const CHANGED_PAUSE_MS = 500;

export interface TableOptions<Row> {
  /** Names the table where its set-up is remembered. */
  readonly name: string;
  /** Must stay the same function from one rendering to the next. */
  readonly load: (query: ListQuery, signal: AbortSignal) => Promise<ApiResult<ListPage<Row>>>;
  readonly sorting?: Sorting;
  /** What the page's own filters say. */
  readonly filters?: QueryValues;
  /** What the list is of: an empty one then says that there is nothing, not that nothing matches. */
  readonly scope?: QueryValues;
  /** The page's own search text, from the top bar; without it the table has a search field of its own. */
  readonly search?: string;
  /** Kinds of records whose edit reloads the rows. */
  readonly changedBy?: readonly RecordKind[];
}

export interface Table<Row> {
  readonly name: string;
  readonly state: TableState<Row>;
  readonly choice: TableChoice;
  readonly setUp: TableSetUp;
  /** Whether the search text is the table's own. */
  readonly hasOwnSearch: boolean;
  /** What is typed, which is asked for a moment later. */
  readonly typed: string;
  setPage(page: number): void;
  setSorting(sorting: Sorting | undefined): void;
  setSearch(text: string): void;
  changeSetUp(part: Partial<TableSetUp>): void;
  /** Asks again for what is shown. */
  reload(): void;
}

const NO_FILTERS: QueryValues = {};

export function useTable<Row>(options: TableOptions<Row>): Table<Row> {
  const { name, load, filters = NO_FILTERS, scope = NO_FILTERS, search: given, changedBy = [] } = options;
  const [setUp, changeSetUp] = useSetUp(name);
  const [sorting, setSorting] = useState(options.sorting);
  const [own, setOwn] = useState('');
  const typed = given ?? own;
  const search = useSettled(typed, SEARCH_PAUSE_MS);
  const narrowing = JSON.stringify([search, filters, scope]);
  const [page, setPage] = usePage(narrowing);
  const choice: TableChoice = { page, pageSize: setUp.pageSize, sorting, search, filters, scope };
  const { state, reload } = useRows(choice, load);
  const instead = state.isKnown ? pageInstead(page, setUp.pageSize, state.total) : undefined;
  if (instead !== undefined) setPage(instead);
  const later = useDelayed(reload, CHANGED_PAUSE_MS);
  useChangedRecords(changedBy, later);
  return {
    name,
    state,
    choice,
    setUp,
    hasOwnSearch: given === undefined,
    typed,
    setPage,
    setSearch: setOwn,
    changeSetUp,
    reload,
    // No order is the table's own one, not a chance one.
    setSorting: (next) => {
      setSorting(next ?? options.sorting);
      setPage(0);
    },
  };
}

/** The page in view; another filter begins at the first. */
function usePage(narrowing: string): [number, (page: number) => void] {
  const [chosen, setChosen] = useState({ page: 0, narrowing });
  const set = (page: number) => setChosen({ page, narrowing });
  return [chosen.narrowing === narrowing ? chosen.page : 0, set];
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

function useRows<Row>(
  choice: TableChoice,
  load: TableOptions<Row>['load'],
): { state: TableState<Row>; reload: () => void } {
  const [state, dispatch] = useReducer(nextTable<Row>, undefined, emptyTable<Row>);
  const question = JSON.stringify(listQueryOf(choice));
  const [ask, setAsk] = useState(0);
  const lastQuery = useRef<string>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    dispatch({ type: 'ask', isSame: ask > 0 && lastQuery.current === question });
    lastQuery.current = question;
    void load(JSON.parse(question) as ListQuery, abort.signal).then((result) => {
      if (abort.signal.aborted || (!result.ok && result.kind === 'aborted')) return;
      dispatch(result.ok ? { type: 'answer', page: result.value } : { type: 'fail', failure: result });
    });
    return () => abort.abort();
  }, [question, load, ask]);
  const reload = useCallback(() => setAsk((count) => count + 1), []);
  return { state, reload };
}

/** The value once it has stayed the same for a while; the first one at once. */
function useSettled(value: string, pauseMs: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}

/** Runs once a while after the last call of the result. */
function useDelayed(run: () => void, pauseMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, pauseMs);
  }, [run, pauseMs]);
}
