// A track as a file, written while it is downloaded.
import { Readable } from 'node:stream';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DownloadAddress } from '../../../shared/protocol/api/lists.ts';
import {
  TRACK_EXPORT_PATH,
  TrackExport,
  type TrackExportFormat,
  type TrackPoint,
} from '../../../shared/protocol/api/tracks/track.ts';
import { LOCALES, type Locale } from '../../../shared/protocol/locale.ts';
import { Permission } from '../../../shared/protocol/permissions.ts';
import { isTimeZone } from '../../../shared/protocol/timeZones.ts';
import { guardStream } from '../../faults/streams.ts';
import { geojson } from '../../tracks/export/geojson.ts';
import { gpx } from '../../tracks/export/gpx.ts';
import { kml } from '../../tracks/export/kml.ts';
import { csvCellsOf, TRACK_CSV_COLUMNS } from '../../tracks/export/trackCells.ts';
import { type TrackContent, trackFile } from '../../tracks/export/trackFile.ts';
import { cutColumns, inGatewayOrder } from '../../tracks/line/gatewayOrder.ts';
import { POINT_FIELDS, type PointColumns, pointAt } from '../../tracks/points/trackPoints.ts';
import { readUntilGone } from '../../tracks/trackReading.ts';
import { createYielder } from '../devices/import/yielder.ts';
import { answers } from '../kernel/answers.ts';
import { ok, refuse, refusedFields } from '../kernel/envelope.ts';
import { type CsvRow, sendCsv } from '../kernel/lists/csv.ts';
import { sendSheet } from '../kernel/lists/sheet/sendSheet.ts';
import { recordAudit } from '../kernel/recordAudit.ts';
import { untilGone } from '../kernel/untilGone.ts';
import { type AskedTrack, findTrack } from './trackAsked.ts';
import type { TrackRoutesDeps } from './trackDeps.ts';
import { trackSheet } from './trackSheet.ts';

const access = { kind: 'permissions', all: [Permission.Export] } as const;

const CONTENT_TYPES = {
  gpx: 'application/gpx+xml',
  kml: 'application/vnd.google-earth.kml+xml',
  geojson: 'application/geo+json',
} as const;

/** Positions that are written at once. */
const PART_POINTS = 500;

/** `POST /api/track/export`. */
export function registerTrackExport(app: FastifyInstance, deps: TrackRoutesDeps): void {
  const routes = app.withTypeProvider<TypeBoxTypeProvider>();
  const schema = {
    summary: 'All positions of a span as a file',
    body: TrackExport,
    response: answers(DownloadAddress),
  };
  routes.post(TRACK_EXPORT_PATH, { schema, config: { access, changes: [] } }, async (request, reply) => {
    const { language, timeZone } = request.body;
    if (!isLocale(language)) return refuse(reply, refusedFields({ language: 'unknown' }));
    if (!isTimeZone(timeZone)) return refuse(reply, refusedFields({ timeZone: 'unknown' }));
    const wanted = { ...request.body, language };
    const asked = await findTrack(deps.stores, request, wanted);
    if ('status' in asked) return refuse(reply, asked);
    const address = app.downloads.offer(request, {
      access,
      send: (current, answer, isAllowed) => sendTrack(current, answer, { deps, wanted, isAllowed }),
    });
    return ok({ address });
  });
}

function isLocale(language: string): language is Locale {
  return (LOCALES as readonly string[]).includes(language);
}

interface Sending {
  readonly deps: TrackRoutesDeps;
  readonly wanted: Omit<TrackExport, 'language'> & { readonly language: Locale };
  readonly isAllowed: () => Promise<boolean>;
}

async function sendTrack(request: FastifyRequest, reply: FastifyReply, sending: Sending): Promise<FastifyReply> {
  const { deps, wanted } = sending;
  // The device may have gone to another group since the address was asked for.
  const track = await findTrack(deps.stores, request, wanted);
  if ('status' in track) return refuse(reply, track);
  const { deviceid, fromMs, toMs, format } = wanted;
  await recordAudit(request, { action: 'track.export', target: deviceid, detail: { fromMs, toMs, format } });
  const stillAllowed = async (): Promise<boolean> => {
    const now = await sending.isAllowed();
    const found = await deps.stores.trackSummary.deviceOf(deviceid, track.scope);
    return now && found?.incarnation === track.incarnation;
  };
  return sendAs(reply, {
    deps,
    wanted,
    track,
    parts: partsOf(deps, track, { isAllowed: stillAllowed, gone: untilGone(reply) }),
  });
}

interface TrackFileContent {
  readonly deps: TrackRoutesDeps;
  readonly wanted: Sending['wanted'];
  readonly track: AskedTrack;
  readonly parts: AsyncIterable<readonly TrackPoint[]>;
}

async function sendAs(reply: FastifyReply, { deps, wanted, track, parts }: TrackFileContent): Promise<FastifyReply> {
  const { format, language, timeZone } = wanted;
  const fileName = fileNameOf(track, format);
  const { deviceId, name, plate } = track.device;
  const content = { name: [deviceId, name, plate].filter((text) => text !== '').join(' '), parts };
  switch (format) {
    case 'csv':
      return sendCsv(reply, fileName, csvRows(parts, timeZone));
    case 'xlsx': {
      const sheet = await trackSheet(deps.localesRoot, { lang: language, timeZone });
      return sendSheet(reply, fileName, { ...sheet, batches: parts });
    }
    default:
      return reply
        .type(CONTENT_TYPES[format])
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .serializer((payload: unknown) => payload as string)
        .send(guardStream(Readable.from(textOf(format, content), { objectMode: false })));
  }
}

function textOf(format: keyof typeof CONTENT_TYPES, content: TrackContent): AsyncGenerator<string> {
  if (format === 'geojson') return geojson(content);
  return trackFile(format === 'gpx' ? gpx : kml, content);
}

async function* csvRows(parts: TrackContent['parts'], timeZone: string): AsyncGenerator<readonly CsvRow[]> {
  const cellsOf = csvCellsOf(timeZone);
  yield [TRACK_CSV_COLUMNS];
  for await (const points of parts) yield points.map(cellsOf);
}

/** Letters and digits alone reach a file system or a header; ids may hold anything. */
function fileNameOf({ device, fromMs }: AskedTrack, format: TrackExportFormat): string {
  const plainId = device.deviceId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64);
  const moment = new Date(fromMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `track_${plainId}_${moment}.${format}`;
}

async function* partsOf(
  { stores }: TrackRoutesDeps,
  track: AskedTrack,
  { isAllowed, gone }: { readonly isAllowed: () => Promise<boolean>; readonly gone: AbortSignal },
): AsyncGenerator<readonly TrackPoint[]> {
  const yieldIfDue = createYielder();
  for await (const columns of inGatewayOrder(readUntilGone(stores.positions, gone), track, POINT_FIELDS)) {
    // A file that ends early looks like a whole one, so the download is broken off instead.
    if (!(await isAllowed())) throw new Error('the caller may not have the track any more');
    for (let begin = 0; begin < columns.count; begin += PART_POINTS) {
      yield pointsOf(columns, begin);
      const pause = yieldIfDue();
      if (pause !== undefined) await pause;
    }
  }
}

function pointsOf(columns: PointColumns, begin: number): TrackPoint[] {
  const part = cutColumns(columns, POINT_FIELDS, begin, Math.min(begin + PART_POINTS, columns.count));
  return Array.from({ length: part.count }, (_, at) => pointAt(part, at));
}
