// The two calls of a list of records, declared once for each list: a page of it as JSON, and all of it as a CSV file that the
// browser downloads by itself from an address that works once.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  DownloadAddress,
  ListPageOf,
  MAX_LIST_OFFSET,
  MAX_LIST_ROWS,
  MAX_SEARCH_LENGTH,
} from '../../../../shared/protocol/api/lists.ts';
import { type RecordOf, ShortText } from '../../../../shared/protocol/api/records.ts';
import { LOCALES, type Locale } from '../../../../shared/protocol/locale.ts';
import { isTimeZone } from '../../../../shared/protocol/timeZones.ts';
import type { Limit } from '../../../limits/limit.ts';
import type { FoundPage, ListPosition, PageRequest } from '../../../store/engine/listPage.ts';
import type { PermissionsAccess } from '../access.ts';
import { answers } from '../answers.ts';
import { ok, Refused, refuse, refusedFields } from '../envelope.ts';
import { type CsvRow, sendCsv } from './csv.ts';
import { MAX_CURSOR_LENGTH, readCursor, writeCursor } from './cursor.ts';
import { type SheetLayout, sendSheet } from './sheet/sendSheet.ts';

/** Rows in one answer of a list; 500 of the list of events. A request for more is refused with 400. */
export const LIST_ROWS_LIMIT: Limit = { name: 'http.list.rows', max: MAX_LIST_ROWS };
const DEFAULT_ROWS = 50;
/** Rows of one statement of an export. */
const EXPORTED_ROWS = 500;

export interface ListRoutes<Row extends Type.TSchema, Sort extends string, Filters extends Type.TProperties, Scope> {
  readonly path: string;
  /** What is listed, for the API's document. */
  readonly summary: string;
  readonly access: PermissionsAccess;
  readonly row: Row;
  readonly sorts: readonly Sort[];
  /** The order of the list when the request has none. */
  readonly order: { readonly sort: Sort; readonly descending: boolean };
  /** The filters of the list, besides the search. */
  readonly filters: Filters;
  /** The caller's scope: whose records they see, and what else of the caller the list depends on. Called once for each request. */
  readonly scope: (request: FastifyRequest) => Scope | Promise<Scope>;
  /** Undefined for a cursor that isn't from this list. */
  readonly load: (query: ListQuery<Sort, Filters>, scope: Scope) => Promise<FoundPage<RecordOf<Row>> | undefined>;
  readonly csv: CsvOfList<RecordOf<Row>, Scope>;
  /** Left out: there is no spreadsheet. */
  readonly sheet?: SheetOfList<RecordOf<Row>, Scope>;
  /** Rows of one answer; MAX_LIST_ROWS when left out. */
  readonly maxRows?: number;
}

interface CsvOfList<Row, Scope> {
  /** Name with its extension. */
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Creates the function that turns rows into cells: names that stand for numbers are looked up once. */
  readonly cells: (scope: Scope) => Promise<(row: Row) => CsvRow> | ((row: Row) => CsvRow);
}

interface SheetOfList<Row, Scope> {
  /** Name with its extension. */
  readonly fileName: string;
  readonly layout: (scope: Scope, reader: SheetReader) => Promise<SheetLayout<Row>>;
}

/** The user who opens the spreadsheet: names are in the language, times in wall-clock time of the zone. */
export interface SheetReader {
  readonly lang: Locale;
  /** IANA name. */
  readonly timeZone: string;
}

export interface ListQuery<Sort extends string, Filters extends Type.TProperties> extends PageRequest<Sort> {
  /** '' for none; without blanks at its ends. */
  readonly search: string;
  readonly filters: RecordOf<Type.TObject<Filters>>;
}

/** `GET path`, and `POST path/csv` and `path/xlsx`, which give the address for downloading the rows that the same query lists. */
export function listRoutes<
  Row extends Type.TSchema,
  const Sort extends string,
  Filters extends Type.TProperties,
  Scope,
>(app: FastifyInstance, list: ListRoutes<Row, Sort, Filters, Scope>): void {
  const { path, summary, access, row, scope, load } = list;
  const querystring = querySchemaOf(list);
  const reading = { summary, querystring, response: answers(ListPageOf(row)) };
  app.get(path, { schema: reading, config: { access } }, async (request, reply) => {
    const given = request.query as GivenQuery<Sort>;
    const query = readQuery(given, list);
    const page = query === undefined ? undefined : await load(query, await scope(request));
    if (query === undefined || page === undefined) return refuse(reply, BAD_CURSOR);
    const cursorOf = (values: FoundPage<unknown>['next']) => (values === undefined ? null : writeCursor(query, values));
    return ok({ ...page, next: cursorOf(page.next), previous: cursorOf(page.previous) });
  });

  registerCsv(app, list);
  if (list.sheet !== undefined) registerSheet(app, list, list.sheet);
}

function registerCsv<Row extends Type.TSchema, Sort extends string, Filters extends Type.TProperties, Scope>(
  app: FastifyInstance,
  list: ListRoutes<Row, Sort, Filters, Scope>,
): void {
  const { path, summary, access, csv } = list;
  const schema = { summary: `${summary} as CSV`, querystring: querySchemaOf(list), response: answers(DownloadAddress) };
  app.post(`${path}/csv`, { schema, config: { access, changes: [] } }, (request, reply) => {
    const query = readQuery(request.query as GivenQuery<Sort>, list);
    if (query === undefined) return refuse(reply, BAD_CURSOR);
    const address = app.downloads.offer(request, {
      access,
      send: async (current, answer, isAllowed) => {
        const whose = await list.scope(current);
        const cells = await csv.cells(whose);
        return sendCsv(answer, csv.fileName, inCells(csv.columns, exported(list, query, whose, isAllowed), cells));
      },
    });
    return ok({ address });
  });
}

function registerSheet<Row extends Type.TSchema, Sort extends string, Filters extends Type.TProperties, Scope>(
  app: FastifyInstance,
  list: ListRoutes<Row, Sort, Filters, Scope>,
  { fileName, layout }: SheetOfList<RecordOf<Row>, Scope>,
): void {
  const { path, summary, access } = list;
  const querystring = Type.Object({ ...querySchemaOf(list).properties, ...READER }, { additionalProperties: false });
  const schema = { summary: `${summary} as a spreadsheet`, querystring, response: answers(DownloadAddress) };
  app.post(`${path}/xlsx`, { schema, config: { access, changes: [] } }, (request, reply) => {
    const { lang, timeZone, ...given } = request.query as GivenQuery<Sort> & SheetReader;
    if (!isTimeZone(timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    const query = readQuery(given as GivenQuery<Sort>, list);
    if (query === undefined) return refuse(reply, BAD_CURSOR);
    const address = app.downloads.offer(request, {
      access,
      send: async (current, answer, isAllowed) => {
        const whose = await list.scope(current);
        const sheet = await layout(whose, { lang, timeZone });
        return sendSheet(answer, fileName, { ...sheet, batches: exported(list, query, whose, isAllowed) });
      },
    });
    return ok({ address });
  });
}

const READER = { lang: Type.Enum([...LOCALES]), timeZone: ShortText };

const EXPORT_PAGE = { limit: EXPORTED_ROWS, wantsTotal: false } as const;

function exported<Row extends Type.TSchema, Sort extends string, Filters extends Type.TProperties, Scope>(
  { load }: ListRoutes<Row, Sort, Filters, Scope>,
  query: ListQuery<Sort, Filters>,
  scope: Scope,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<readonly RecordOf<Row>[]> {
  return allRows((position) => load({ ...query, ...EXPORT_PAGE, position }, scope), isAllowed);
}

/** All rows in the order of the list, each once, whatever is added or removed meanwhile. */
async function* allRows<Row>(
  load: (position: ListPosition) => Promise<FoundPage<Row> | undefined>,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<readonly Row[]> {
  let position: ListPosition | undefined = { at: 'offset', offset: 0 };
  while (position !== undefined) {
    const page: FoundPage<Row> | undefined = await load(position);
    if (page === undefined) throw new Error('a list does not know its own cursor');
    yield page.rows;
    position = page.next === undefined ? undefined : { at: 'after', values: page.next };
    // A file that ends early looks like a whole one, so the download is broken off instead.
    if (position !== undefined && !(await isAllowed())) throw new Error('the caller may not have the list any more');
  }
}

async function* inCells<Row>(
  columns: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
  cells: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  yield [columns];
  for await (const rows of batches) yield rows.map(cells);
}

const BAD_CURSOR = Refused.badRequest;

const PAGING = {
  offset: Type.Optional(Type.String({ pattern: '^\\d{1,6}$' })),
  /** Cursors of an earlier answer: the rows after it, or the rows before it. */
  after: Type.Optional(Type.String({ maxLength: MAX_CURSOR_LENGTH, pattern: '^[\\w-]+$' })),
  before: Type.Optional(Type.String({ maxLength: MAX_CURSOR_LENGTH, pattern: '^[\\w-]+$' })),
  /** For a list that is ordered by a number, usually a time: the rows from this value on. */
  start: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  descending: Type.Optional(Type.Enum(['0', '1'])),
  search: Type.Optional(Type.String({ maxLength: MAX_SEARCH_LENGTH })),
};

interface GivenQuery<Sort extends string> {
  readonly offset?: string;
  readonly limit?: string;
  readonly after?: string;
  readonly before?: string;
  readonly start?: string;
  readonly sort?: Sort;
  readonly descending?: '0' | '1';
  readonly search?: string;
}

function querySchemaOf<Filters extends Type.TProperties>({
  sorts,
  filters,
  maxRows = LIST_ROWS_LIMIT.max,
}: {
  readonly sorts: readonly string[];
  readonly filters: Filters;
  readonly maxRows?: number;
}) {
  const sort = Type.Optional(Type.Enum([...sorts]));
  const limit = Type.Optional(Type.String({ pattern: numbersUpTo(maxRows) }));
  return Type.Object({ ...PAGING, limit, sort, ...filters }, { additionalProperties: false });
}

/** `max`: a digit followed by zeros. */
function numbersUpTo(max: number): string {
  const [first, ...noughts] = String(max);
  const below = Number(first) === 1 ? '' : `|[1-${Number(first) - 1}]\\d{${noughts.length}}`;
  return `^([1-9]\\d{0,${noughts.length - 1}}${below}|${max})$`;
}

/** Undefined when the query names no place in a list of this order. */
function readQuery<Row extends Type.TSchema, Sort extends string, Filters extends Type.TProperties, Scope>(
  given: GivenQuery<Sort>,
  { order, filters }: ListRoutes<Row, Sort, Filters, Scope>,
): ListQuery<Sort, Filters> | undefined {
  const { limit, sort, descending, search = '' } = given;
  const chosen = sort === undefined ? order : { sort, descending: descending === '1' };
  const position = readPosition(given, chosen);
  if (position === undefined) return undefined;
  const narrowing = Object.entries(given).filter(([name]) => Object.hasOwn(filters, name));
  return {
    ...chosen,
    position,
    limit: Number(limit ?? DEFAULT_ROWS),
    search: search.trim(),
    filters: Object.fromEntries(narrowing) as RecordOf<Type.TObject<Filters>>,
  };
}

function readPosition(
  { offset, after, before, start }: GivenQuery<string>,
  order: { readonly sort: string; readonly descending: boolean },
): ListPosition | undefined {
  const cursor = after ?? before;
  if (cursor !== undefined) {
    const values = readCursor(order, cursor);
    return values === undefined ? undefined : { at: after === undefined ? 'before' : 'after', values };
  }
  if (start !== undefined) return { at: 'from', values: [Number(start)] };
  const from = Number(offset ?? 0);
  return from > MAX_LIST_OFFSET ? undefined : { at: 'offset', offset: from };
}
