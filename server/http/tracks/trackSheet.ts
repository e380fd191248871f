// A track as a spreadsheet, for people: names in their language, times on their clock.
import type { TrackPoint } from '../../../shared/protocol/api/tracks/track.ts';
import type { TrackSheetText } from '../../../shared/protocol/tracks/trackSheetTexts.ts';
import { readTexts, textOf } from '../../localeTexts.ts';
import { offsetReader } from '../../tracks/export/trackCells.ts';
import type { SheetReader } from '../kernel/lists/listRoutes.ts';
import type { SheetLayout } from '../kernel/lists/sheet/sendSheet.ts';
import type { SheetCell, SheetColumn } from '../kernel/lists/sheet/sheetXml.ts';

interface Column extends SheetColumn {
  readonly cell: (point: TrackPoint) => SheetCell;
}

export async function trackSheet(
  localesRoot: string,
  { lang, timeZone }: SheetReader,
): Promise<SheetLayout<TrackPoint>> {
  const titles = await readTexts(localesRoot, lang, 'TrackSheet');
  const title = (text: TrackSheetText): string => textOf(titles, text, text);
  const offsetOf = offsetReader(timeZone);
  const moment = (atMs: number): SheetCell => ({ wallMs: atMs + offsetOf(atMs) });
  const flag = (isSet: boolean): SheetCell => (isSet ? title('Yes') : title('No'));
  const columns: readonly Column[] = [
    { title: title('Time'), width: 20, cell: ({ atMs }) => moment(atMs) },
    { title: title('Device time'), width: 20, cell: ({ deviceTimeMs }) => moment(deviceTimeMs) },
    { title: title('Received at'), width: 20, cell: ({ receivedAtMs }) => moment(receivedAtMs) },
    { title: title('Latitude'), width: 12, cell: ({ lat }) => lat },
    { title: title('Longitude'), width: 12, cell: ({ lng }) => lng },
    { title: title('GPS fix'), width: 10, cell: ({ hasFix }) => flag(hasFix) },
    { title: title('Speed (km/h)'), width: 12, cell: ({ speedKmh }) => speedKmh },
    { title: title('Heading (°)'), width: 12, cell: ({ headingDeg }) => headingDeg },
    { title: title('Altitude (m)'), width: 12, cell: ({ altitudeM }) => altitudeM },
    { title: title('Ignition'), width: 10, cell: ({ ignitionOn }) => flag(ignitionOn) },
    { title: title('Odometer (km)'), width: 14, cell: ({ mileageKm }) => mileageKm },
    { title: title('Fuel (L)'), width: 10, cell: ({ fuelLiters }) => fuelLiters },
    { title: title('Cabin (°C)'), width: 10, cell: ({ cabinCelsius }) => cabinCelsius },
    { title: title('Signal'), width: 10, cell: ({ signal }) => signal },
    { title: title('Sent later'), width: 10, cell: ({ isLate }) => flag(isLate) },
  ];
  return { title: title('Track'), columns, cells: (point) => columns.map(({ cell }) => cell(point)) };
}
