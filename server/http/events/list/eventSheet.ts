// The list of events as a spreadsheet, for people: names in their language, times on their clock.
import type { EventRow } from '../../../../shared/protocol/api/events.ts';
import { builtInReason } from '../../../../shared/protocol/events/builtInReasons.ts';
import { SEVERITY_NAMES, SOURCE_NAMES, STATUS_NAMES } from '../../../../shared/protocol/events/eventNames.ts';
import type { EventSheetText } from '../../../../shared/protocol/events/eventSheetTexts.ts';
import { valueKind } from '../../../../shared/protocol/events/valueUnits.ts';
import { wallClockMs } from '../../../../shared/protocol/timeZones.ts';
import { namesByCode, readTexts, type Texts, textOf, typeNames } from '../../../localeTexts.ts';
import type { SheetReader } from '../../kernel/lists/listRoutes.ts';
import type { SheetLayout } from '../../kernel/lists/sheet/sendSheet.ts';
import type { SheetCell, SheetColumn } from '../../kernel/lists/sheet/sheetXml.ts';
import type { EventWorkDeps } from '../eventWorkDeps.ts';

interface Column extends SheetColumn {
  readonly cell: (row: EventRow) => SheetCell;
}

export async function eventSheet(
  { stores, localesRoot }: Pick<EventWorkDeps, 'stores' | 'localesRoot'>,
  { lang, timeZone }: SheetReader,
): Promise<SheetLayout<EventRow>> {
  const textsOf = (namespace: string): Promise<Texts> => readTexts(localesRoot, lang, namespace);
  const [titles, words] = [await textsOf('EventSheet'), await textsOf('EventWords')];
  const [typeTexts, reasonTexts] = [await textsOf('EventTypes'), await textsOf('EventReasons')];
  const typeName = typeNames(await stores.eventTypes.all(), lang, typeTexts);
  const reasonName = namesByCode(await stores.eventReasons.all(), lang, (code) =>
    textOf(reasonTexts, builtInReason(code)?.name, code),
  );
  const moment = (atMs: number): SheetCell => (atMs === 0 ? null : { wallMs: wallClockMs(atMs, timeZone) });
  const title = (text: EventSheetText): string => textOf(titles, text, text);
  const word = (text: string): string => textOf(words, text, text);
  const columns: readonly Column[] = [
    { title: title('Event ID'), width: 10, cell: ({ id }) => id },
    { title: title('Start'), width: 20, cell: ({ beginAtMs }) => moment(beginAtMs) },
    { title: title('End'), width: 20, cell: ({ endAtMs }) => moment(endAtMs) },
    { title: title('Type'), width: 28, cell: ({ type }) => typeName(type) },
    { title: title('Severity'), width: 12, cell: ({ severity }) => word(SEVERITY_NAMES[severity]) },
    { title: title('Status'), width: 14, cell: ({ status }) => word(STATUS_NAMES[status]) },
    { title: title('Device ID'), width: 16, cell: ({ deviceid }) => deviceid },
    { title: title('Device'), width: 24, cell: ({ deviceName }) => deviceName },
    { title: title('Plate number'), width: 14, cell: ({ plate }) => plate },
    { title: title('Group'), width: 20, cell: ({ groupName }) => groupName },
    { title: title('Driver'), width: 16, cell: ({ driver }) => driver },
    { title: title('Channel or part'), width: 10, cell: ({ unit }) => (unit === 0 ? null : unit) },
    { title: title('Value'), width: 10, cell: ({ value }) => value },
    { title: title('Limit'), width: 10, cell: ({ limit }) => limit },
    { title: title('Unit'), width: 10, cell: unitOf },
    { title: title('Occurrences'), width: 8, cell: ({ count }) => count },
    { title: title('Speed (km/h)'), width: 12, cell: ({ speedKmh }) => speedKmh },
    { title: title('Latitude'), width: 12, cell: ({ lat }) => lat },
    { title: title('Longitude'), width: 12, cell: ({ lng }) => lng },
    { title: title('Reported by'), width: 12, cell: ({ source }) => word(SOURCE_NAMES[source]) },
    { title: title('Late'), width: 8, cell: ({ late }) => (late ? title('Late') : null) },
    { title: title('Assignee'), width: 16, cell: ({ assignee }) => assignee },
    { title: title('Reason'), width: 20, cell: ({ reason }) => (reason === '' ? null : reasonName(reason)) },
    { title: title('Closed at'), width: 20, cell: ({ closedAtMs }) => moment(closedAtMs) },
  ];
  return { title: title('Events'), columns, cells: (row) => columns.map(({ cell }) => cell(row)) };
}

/** A direction is no number to calculate with. */
function unitOf({ type, value, limit }: EventRow): SheetCell {
  const kind = valueKind(type);
  if (kind === undefined || kind === 'direction' || (value === null && limit === null)) return null;
  return kind;
}
